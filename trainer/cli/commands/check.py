"""`warpdojo check [PATH]`: content lint."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

from trainer.bank.finding import Finding, Severity
from trainer.bank.index import load_index
from trainer.bank.library import Library
from trainer.bank.lint import lint_bank, lint_file
from trainer.bank.roots import Root
from trainer.cli.output import Output
from trainer.errors import Location, UsageError
from trainer.grade.backend import Backend
from trainer.interview.lint import lint_blueprint, lint_blueprints
from trainer.text import clean
from trainer.worker.backends import open_backends

EXIT_FINDINGS = 2


def run(args: Namespace, out: Output) -> int:
    """Exit code 2 where an error was found; warnings alone pass."""
    findings = []
    for finding in _findings(args, out):
        findings.append(finding)
        hint = f"\n  {finding.hint}" if finding.hint else ""
        out.say(clean(f"{finding.where}: {finding.severity.value}: {finding.message}{hint}"))
    errors = sum(f.severity is Severity.ERROR for f in findings)
    warnings = len(findings) - errors
    out.say(_counted(errors, warnings) if findings else "nothing to complain about")
    rows = [
        {
            "file": str(f.where.file),
            "line": f.where.line,
            "severity": f.severity.value,
            "message": f.message,
            "hint": f.hint or None,
        }
        for f in findings
    ]
    out.emit({"schema": 1, "errors": errors, "warnings": warnings, "findings": rows})
    return EXIT_FINDINGS if errors else 0


def _counted(errors: int, warnings: int) -> str:
    return f"{errors} error{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}"


def _findings(args: Namespace, out: Output) -> Iterator[Finding]:
    """With --run, starters and rungs are graded too, by the simulator."""
    with open_backends("sim", out.warn) if args.run else nullcontext() as backends:
        yield from _lint(args, backends.primary if backends else None)


def _lint(args: Namespace, backend: Backend | None) -> Iterator[Finding]:
    library = Library.open(args.banks)
    if args.path is None:
        for root in library.roots:
            yield from lint_bank(root, backend=backend)
            yield from lint_blueprints(root, library.index.entries)
        return
    path = Path(args.path).expanduser().resolve()
    if path.is_file() and path.suffix == ".yaml" and path.parent.name == "blueprints":
        yield from lint_blueprint(path, library.index.entries)
    elif path.is_file() and path.suffix == ".yaml" and len(path.parents) >= 3:
        yield from lint_file(Root(path.parents[2]), path, backend=backend)
    elif (path / "questions").is_dir():
        yield from lint_bank(Root(path), backend=backend)
        entries = load_index((*library.roots, Root(path))).entries
        yield from lint_blueprints(Root(path), entries)
    else:
        problem = (
            "this is neither a bank nor a question or blueprint" if path.exists() else "there is no such file"
        )
        hint = "a bank is a folder with questions/<topic>/<id>.yaml"
        raise UsageError(problem, where=Location(path), hint=hint)
