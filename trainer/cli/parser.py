"""The command line as argparse sees it. Kept free of imports: it runs before every command."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from trainer import __version__
from trainer.cli.numbers import positive, whole
from trainer.errors import UsageError

DESCRIPTION = "Practise GPU-kernel interviews: real grading, on an NVIDIA GPU or on none."

EPILOG = """\
exit codes: 0 accepted or done, 1 graded and not accepted, 2 usage or content error,
3 no GPU or toolchain for what was asked, 4 timed out, 130 interrupted

to begin:   warpdojo start vector-addition      a starter in your workspace
            warpdojo watch vector-addition FILE grades it on every save
"""

_COUNT = whole("-n", 1, example=10)
_HINTS = whole("--hint", 0, example=1)
_MINUTES = positive("--minutes", example=45)
_SEED = whole("--seed", 0, 2**32 - 1, example=7)


class _Parser(argparse.ArgumentParser):
    """Raises what is wrong instead of leaving: with --json that has to become an object, too."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, hint=f"{self.format_usage().strip()}\n  {self.prog} --help tells more")


def build() -> argparse.ArgumentParser:
    """Parsing with it raises UsageError for what it cannot take."""
    parser = _Parser(
        prog="warpdojo",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"warpdojo {__version__}")
    _common(parser, "first_")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")

    def command(name: str, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        _common(sub, "")
        return sub

    _questions(command)
    _grading(command)
    _progress(command)
    return parser


def _common(parser: argparse.ArgumentParser, prefix: str) -> None:
    """--json and --bank are taken before and after the command; `prefix` keeps the two apart."""
    parser.add_argument(
        "--json", dest=f"{prefix}json", action="store_true", help="print one JSON object on standard output"
    )
    parser.add_argument(
        "--bank",
        dest=f"{prefix}banks",
        action="append",
        default=[],
        metavar="DIR",
        help="add a question bank of your own (repeatable; also WARPDOJO_BANK)",
    )


def _questions(command: Any) -> None:
    sub = command("list", "what there is, with your state")
    sub.add_argument("--topic", help="only this topic")
    sub.add_argument("--kind", choices=("quiz", "analysis", "kernel", "strategy"), help="only this kind")
    sub.add_argument("--level", choices=("easy", "medium", "hard"), help="only this level")

    sub = command("show", "statement, signature, limits and, on request, hints")
    sub.add_argument("id", metavar="ID")
    sub.add_argument("--hint", type=_HINTS, default=0, metavar="N", help="show the first N hints")

    sub = command("quiz", "answer quizzes at the prompt")
    sub.add_argument("--topic", help="only this topic")
    sub.add_argument("-n", "--count", type=_COUNT, default=10, metavar="N", help="how many (default: 10)")
    sub.add_argument("--seed", type=_SEED, metavar="N", help="the questions of an earlier quiz again")

    sub = command("strategy", "answer a strategy question at the prompt: numbers, words, follow-ups")
    sub.add_argument("id", metavar="ID", nargs="?", help="default: any")
    sub.add_argument("--topic", help="only this topic")
    sub.add_argument("--seed", type=_SEED, metavar="N", help="draw the same question again")

    sub = command("start", "copy the starter to your workspace and print its path")
    sub.add_argument("id", metavar="ID")
    sub.add_argument("--dir", metavar="D", help="a folder other than the workspace (~/warpdojo)")
    sub.add_argument("--force", action="store_true", help="overwrite a file that is already there")

    sub = command("check", "content lint: prove that questions and ladders are sound")
    sub.add_argument("path", metavar="PATH", nargs="?", help="a bank or a question file (default: all banks)")
    sub.add_argument("--run", action="store_true", help="grade every starter and every rung as well (slow)")


def _grading(command: Any) -> None:
    sub = command("grade", "grade a file and print the verdict")
    _submission(sub)
    _how(sub)

    sub = command("watch", "grade a file on every save, until Ctrl-C")
    _submission(sub)
    _how(sub)

    sub = command("explain", "accesses, conflicts, hazards and divergence by source line")
    _submission(sub)
    _model(sub)
    _seed(sub)

    sub = command("ladder", "the reference solutions: ideas, times and your place")
    sub.add_argument("id", metavar="ID")
    sub.add_argument("--measure", action="store_true", help="time the rungs on this machine's GPU")
    sub.add_argument("--against", metavar="FILE", help="place this file on the ladder")

    command("doctor", "check driver, CUDA, NVRTC, headers, NVML, GPU and paths")


def _submission(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("id", metavar="ID", help="a question of `warpdojo list`")
    sub.add_argument("file", metavar="FILE", help="a .cu file")


def _how(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--backend", choices=("auto", "gpu", "sim"), help="where to run it (default: as set, auto)"
    )
    _seed(sub)
    sub.add_argument("--no-speed", dest="speed", action="store_false", help="skip timing")
    _model(sub)


def _seed(sub: argparse.ArgumentParser) -> None:
    text = "draw the inputs of an earlier grade again"
    sub.add_argument("--seed", type=_SEED, metavar="N", help=text)


def _model(sub: argparse.ArgumentParser) -> None:
    text = "the GPU that the simulator models (default: as set, H200)"
    sub.add_argument("--device", metavar="MODEL", help=text)


def _progress(command: Any) -> None:
    sub = command("history", "your attempts, newest first")
    sub.add_argument("id", metavar="ID", nargs="?", help="only this question")
    sub.add_argument("-n", "--limit", type=_COUNT, default=20, metavar="N", help="how many (default: 20)")

    sub = command("mock", "a timed interview: opens the app; lists and reports work without a terminal")
    sub.add_argument("blueprint", metavar="BLUEPRINT", nargs="?", help="which interview (default: choose)")
    sub.add_argument("--list", action="store_true", help="the interviews there are, and those you had")
    sub.add_argument("--minutes", type=_MINUTES, metavar="N", help="make it that long")
    sub.add_argument("--seed", type=_SEED, metavar="N", help="draw the questions of that seed")
    sub.add_argument("--practice", action="store_true", help="with pauses; the default is strict")
    sub.add_argument("--report", metavar="ID", nargs="?", const="", help="a report (default: the last)")
    sub.add_argument("--format", choices=("text", "md"), default="text", help="of the report")

    command("stats", "what you have done, by topic")

    sub = command("export", "all attempts, for other tools")
    sub.add_argument("--format", choices=("json", "csv", "md"), default="json")
