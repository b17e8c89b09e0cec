from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from tests.bank.small_bank import ORACLE, QUESTION, make_bank
from trainer.bank.finding import Finding, Severity
from trainer.bank.lint import lint_bank
from trainer.bank.model import Array
from trainer.cuda.model import Signature
from trainer.grade.backend import Compiled, RunOutcome, RunRequest, TimeOutcome, TimeRequest


def errors(folder: Path, question: str = QUESTION, oracle: str = ORACLE) -> list[Finding]:
    root = make_bank(folder, question, oracle)
    return [f for f in lint_bank(root) if f.severity is Severity.ERROR]


def messages(folder: Path, question: str = QUESTION, oracle: str = ORACLE) -> str:
    return "\n".join(f.message for f in errors(folder, question, oracle))


def test_a_sound_task_has_no_errors(tmp_path: Path) -> None:
    assert errors(tmp_path) == []


IN_PLACE = (
    QUESTION.replace("  - {name: x, type: const float*, shape: [N]}\n", "")
    .replace("shape: [N]}", "shape: [N], inout: true}")
    .replace("inputs: {x:", "inputs: {y:")
)


def test_an_answer_in_place_is_sound_unless_leaving_everything_as_it_is_would_do(tmp_path: Path) -> None:
    oracle = ORACLE.replace('"x": x', '"y": x').replace("(x, N)", "(y, N)").replace("* x.", "* y.")
    assert errors(tmp_path, IN_PLACE, oracle) == []
    lazy = IN_PLACE.replace("bound: 2", "bound: 999999")
    near = oracle.replace("2.0 * y", "1.0001 * y")
    assert "accepts a wrong output: unwritten output" in messages(tmp_path, lazy, near)


def test_a_tolerance_that_lets_zeros_pass_is_found(tmp_path: Path) -> None:
    text = messages(tmp_path, QUESTION.replace("bound: 2", "bound: 999999"))
    text += messages(
        tmp_path,
        QUESTION.replace("kind: ulp, bound: 2", "kind: terms, bound: 1.0"),
        ORACLE + "\ndef terms(x, N):\n    return {'y': 4.0 * x}\n",
    )
    assert "accepts a wrong output: zeros" in text


def test_a_tolerance_without_room_for_rounding_is_found(tmp_path: Path) -> None:
    oracle = ORACLE.replace("2.0 * x.astype(np.float64)", "x.astype(np.float64) / 3.0")
    text = messages(tmp_path, QUESTION.replace("bound: 2", "bound: 0.5"), oracle)
    assert "the rounded reference uses" in text


def test_an_answer_that_ignores_the_inputs_is_found(tmp_path: Path) -> None:
    question = (
        QUESTION.replace("70]", "70, 100]").replace("N: [1, 100]", "N: [1, 500]").replace("100]}", "400]}")
    )
    oracle = ORACLE.replace("2.0 * x.astype(np.float64)", "np.linspace(1.0, 2.0, N)")
    text = messages(tmp_path, question.replace("[1, 2, 70, 400]", "[1, 2, 70, 400]"), oracle)
    assert "two seeds give answers that are hardly apart" in text


def test_an_example_that_is_wrong_is_found(tmp_path: Path) -> None:
    text = messages(tmp_path, QUESTION.replace("y: [2.0, 5.0]", "y: [2.0, 5.5]"))
    assert "example 1 shows another y than the oracle computes: [2., 5.]" in text


def test_inputs_of_another_type_are_found(tmp_path: Path) -> None:
    text = messages(tmp_path, oracle=ORACLE.replace('return {"x": x,', 'return {"x": x.astype(np.float64),'))
    assert "x is drawn as float64, declared as float32" in text


def test_inputs_that_ignore_the_seed_are_found(tmp_path: Path) -> None:
    oracle = ORACLE.replace("rng.random(", "np.random.default_rng().random(")
    assert "differs between two draws" in messages(tmp_path, oracle=oracle)


def test_a_mistake_that_no_case_catches_is_found(tmp_path: Path) -> None:
    oracle = ORACLE + "\ndef mistakes(x, N):\n    return {'harmless': {'y': x + x}}\n"
    assert "no case catches the mistake 'harmless'" in messages(tmp_path, oracle=oracle)


def test_an_oracle_that_fails_is_reported_at_its_line(tmp_path: Path) -> None:
    (finding,) = errors(tmp_path, oracle=ORACLE.replace("2.0 * x", "2.0 * z"))
    assert finding.where.line == 10 and "NameError" in finding.message


def test_an_unreadable_question_is_a_finding(tmp_path: Path) -> None:
    (finding,) = errors(tmp_path, QUESTION.replace("level: easy", "level: odd"))
    assert finding.where.line == 2


def test_terms_need_a_float32_computation(tmp_path: Path) -> None:
    question = QUESTION.replace("kind: ulp, bound: 2", "kind: terms, bound: 1.2e-7")
    oracle = ORACLE + "\ndef terms(x, N):\n    return {'y': 2.0 * x}\n"
    assert "has no in_float32" in messages(tmp_path, question, oracle)


class FakeBackend:
    """Answers 2 * x, or what `answer` makes of it."""

    name, device = "sim", "fake"

    def __init__(self, answer: Callable[[str, Array], Array]) -> None:
        self.answer, self.source = answer, ""

    def compile(self, source: str, signature: Signature) -> Compiled:
        self.source = source
        return Compiled(True, "solve", (), (), "", 0.0)

    def run(self, request: RunRequest) -> RunOutcome:
        x = np.asarray(request.arguments[0].value)
        return RunOutcome({"y": self.answer(self.source, x)})

    def time(self, request: TimeRequest) -> TimeOutcome:
        raise AssertionError("the lint times nothing")

    def close(self) -> None: ...


def run_findings(folder: Path, answer: Callable[[str, Array], Array]) -> list[str]:
    root = make_bank(folder)
    solutions = root.solutions / "double"
    solutions.mkdir(parents=True)
    rungs = [f"{{file: 0{i}-r.cu, title: t, idea: i, removes: r, watch: w}}" for i in (1, 2, 3)]
    (solutions / "ladder.yaml").write_text("rungs:\n" + "".join(f"  - {rung}\n" for rung in rungs))
    for i in (1, 2, 3):
        (solutions / f"0{i}-r.cu").write_text(f"// rung {i}\n")
    return [f"{Path(f.where.file).name}: {f.message}" for f in lint_bank(root, backend=FakeBackend(answer))]


def test_a_starter_fails_and_rungs_are_accepted_in_a_sound_bank(tmp_path: Path) -> None:
    assert run_findings(tmp_path, lambda source, x: 2 * x if "rung" in source else 0 * x) == []


def test_a_starter_that_is_right_is_found(tmp_path: Path) -> None:
    (finding,) = run_findings(tmp_path, lambda source, x: 2 * x)
    assert finding.startswith("double.cu: a starter should compile and give a wrong answer")


def test_a_rung_that_is_refused_is_found(tmp_path: Path) -> None:
    found = run_findings(tmp_path, lambda source, x: 2 * x if "rung 1" in source else 0 * x)
    assert found == ["02-r.cu: not accepted: wrong_answer", "03-r.cu: not accepted: wrong_answer"]


def test_a_rung_that_needs_most_of_the_tolerance_is_found(tmp_path: Path) -> None:
    def answer(source: str, x: Array) -> Array:
        return np.nextafter(2 * x, np.float32(9)) if "rung" in source else 0 * x

    assert "uses 0.50 of the tolerance" in run_findings(tmp_path, answer)[0]
