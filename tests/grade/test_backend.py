from __future__ import annotations

from trainer.cuda.model import Diagnostic, Severity
from trainer.errors import CompileError, Location, UnsupportedError
from trainer.grade.backend import refusal
from trainer.grade.verdict import Verdict


def test_a_place_without_a_compiler_message_becomes_one() -> None:
    answer = refusal(CompileError("no `solve`", where=Location("submission.cu", 3), hint="write one"))
    assert answer.verdict is Verdict.COMPILE_ERROR and not answer.ok
    assert answer.message == "line 3: no `solve`" and answer.hint == "write one"
    assert answer.diagnostics == (Diagnostic(3, 0, Severity.ERROR, "no `solve`"),)


def test_messages_of_the_compiler_stay_as_they_are() -> None:
    message = Diagnostic(4, 7, Severity.ERROR, "expected an expression")
    answer = refusal(CompileError("expected an expression", log="log", diagnostics=(message,)))
    assert answer.diagnostics == (message,) and answer.log == "log"


def test_what_a_backend_cannot_do_is_no_compile_error() -> None:
    answer = refusal(UnsupportedError("textures", where=Location("submission.cu", 9)))
    assert answer.verdict is Verdict.UNSUPPORTED and "line 9" in answer.message
