"""`warpdojo doctor`: what this machine can do, each point ok or with what to do."""

from __future__ import annotations

import os
import platform
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from trainer import __version__
from trainer.cli.output import Output
from trainer.errors import WarpDojoError
from trainer.store.config import read_config
from trainer.store.history import History
from trainer.store.paths import cache_dir, config_file, data_dir, unwritable
from trainer.store.workspace import workspace
from trainer.text import clean

EXIT_MISSING = 3


@dataclass(frozen=True)
class Check:
    """`needed` is False for what grading can do without: a GPU, its sensors, colours of code."""

    name: str
    ok: bool
    detail: str
    advice: str = ""
    needed: bool = True


def run(args: Namespace, out: Output) -> int:
    checks = list(examine(args.banks))
    out.emit({"schema": 1, "version": __version__, "checks": [asdict(check) for check in checks]})
    if not out.as_json:
        _print(checks, out)
    return EXIT_MISSING if any(check.needed and not check.ok for check in checks) else 0


def examine(banks: Sequence[str]) -> Iterator[Check]:
    yield Check("python", True, f"{platform.python_version()} on {platform.platform(terse=True)}")
    yield _try("nvrtc", _nvrtc)
    yield _try("headers", _headers)
    yield _try("compile", _compile)
    yield _try("simulator", _simulator)
    yield from _gpu()
    yield _colours()
    yield _try("questions", lambda: _questions(banks))
    yield _try("history", _history)
    yield _try("settings", _settings)
    for name, folder in (("data", data_dir), ("cache", cache_dir), ("workspace", _workspace)):
        yield _writable(name, folder)


def _try(name: str, look: Callable[[], str | Check]) -> Check:
    try:
        found = look()
    except WarpDojoError as problem:
        return Check(name, False, problem.message, problem.hint)
    except Exception as problem:  # a broken installation may fail in any way
        return Check(name, False, f"{type(problem).__name__}: {problem}", "install Warp Dojo again")
    return found if isinstance(found, Check) else Check(name, True, found)


def _nvrtc() -> str:
    from trainer.cuda import nvrtc

    major, minor = nvrtc.version()
    return f"CUDA {major}.{minor}, {nvrtc.library_path()}"


def _headers() -> str:
    from trainer.cuda import nvrtc

    return str(nvrtc.include_folders()[0])


def _compile() -> str:
    from trainer.cuda.compile import compile_submission
    from trainer.cuda.model import Signature

    text = '__global__ void k() {}\nextern "C" void solve() { k<<<1, 1>>>(); }\n'
    return f"a kernel compiles in {compile_submission(text, Signature('solve', ())).compile_s * 1000:.0f} ms"


def _simulator() -> str:
    import llvmlite
    import llvmlite.binding as llvm

    version = ".".join(map(str, llvm.llvm_version_info))
    return f"llvmlite {llvmlite.__version__}, LLVM {version}, {os.cpu_count()} CPUs"


def _gpu() -> Iterator[Check]:
    from trainer.gpu.probe import probe

    found = probe()
    if not found.usable:
        yield Check("gpu", False, found.problem, found.hint, needed=False)
        return
    driver = f"driver {found.driver_version}, " if found.driver_version else ""
    cuda = "CUDA {}.{}".format(*found.cuda_version) if found.cuda_version else "CUDA"
    yield Check("driver", True, f"{driver}{cuda}", needed=False)
    capability = "{}.{}".format(*found.compute_capability) if found.compute_capability else "?"
    memory = f"{found.memory_bytes / 2**30:.0f} GiB"
    yield Check("gpu", True, f"{found.name}, compute capability {capability}, {memory}", needed=False)
    yield _nvrtc_fits(found.cuda_version)
    detail = found.nvml_problem or "clock and temperature are shown"
    yield Check("nvml", not found.nvml_problem, detail, found.nvml_hint, needed=False)


def _nvrtc_fits(driver_cuda: tuple[int, int] | None) -> Check:
    """A driver loads what compilers of its own major version, or an older one, make."""
    from trainer.cuda import nvrtc

    try:
        major, _minor = nvrtc.version()
    except WarpDojoError as problem:
        return Check("nvrtc for gpu", False, problem.message, problem.hint, needed=False)
    if driver_cuda is None or major <= driver_cuda[0]:
        return Check("nvrtc for gpu", True, f"CUDA {major} fits the driver", needed=False)
    advice = f"pip install warpdojo[cuda{driver_cuda[0]}], or update the driver"
    detail = f"NVRTC is of CUDA {major}, the driver of CUDA {driver_cuda[0]}"
    return Check("nvrtc for gpu", False, detail, advice, needed=False)


def _colours() -> Check:
    from trainer.tui.cuda_syntax import problem

    why = problem()
    advice = "the app shows code without colours until: pip install tree-sitter tree-sitter-cuda"
    return Check("colours", not why, why or "tree-sitter reads CUDA", advice, needed=False)


def _questions(banks: Sequence[str]) -> str | Check:
    from trainer.bank.library import Library

    index = Library.open(banks).index
    if index.problems:
        advice = "`warpdojo check` lists them all"
        return Check("questions", False, f"{len(index.problems)} broken: {index.problems[0]}", advice)
    return f"{len(index.entries)} questions"


def _history() -> str:
    with History.existing() as history:
        return f"{len(history.attempts())} attempts in {history.path}" if history else "none yet"


def _settings() -> str | Check:
    """Every entry of the settings file, keys and theme of the app as well."""
    from trainer.tui.keys import checked
    from trainer.tui.themes import theme_mistakes

    reading = read_config()
    mistakes = [*reading.mistakes, *theme_mistakes(reading), *checked(reading)[1]]
    detail = "\n".join([str(mistake) for mistake in mistakes])
    where = detail or str(config_file())
    return Check("settings", not mistakes, where, "what is wrong is left out", needed=False)


def _workspace() -> Path:
    return workspace(read_config().config.workspace)


def _writable(name: str, where: Callable[[], Path]) -> Check:
    """The folder, or the one it would be made in, can be written to."""
    try:
        folder = where()
    except WarpDojoError as problem:
        return Check(name, False, problem.message, problem.hint)
    wrong = unwritable(folder)
    return Check(name, not wrong, wrong or str(folder), "set WARPDOJO_HOME or WARPDOJO_WORKSPACE")


def _print(checks: Sequence[Check], out: Output) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    for _ in range(2):
        table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for check in checks:
        mark = Text("ok", "green") if check.ok else Text("no", "red" if check.needed else "yellow")
        table.add_row(check.name, mark, Text(clean(check.detail)))
        if check.advice and not check.ok:
            table.add_row("", "", Text(f"{clean(check.advice)}", style="bold"))
    out.console().print(table)
