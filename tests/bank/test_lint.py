from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.bank.small_bank import ORACLE, QUESTION, make_bank
from trainer.bank import time_limit
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


TERMS = QUESTION.replace("kind: ulp, bound: 2", "kind: terms, bound: 1.2e-7")
TERMS_ORACLE = (
    ORACLE
    + """
def terms(x, N):
    return {'y': 8.0 * x}

def in_float32(add, x, N):
    return {'y': add(np.stack([x, x], axis=-1))}

def mistakes(x, N):
    return {'copied': {'y': x}}
"""
)


def test_a_sound_task_with_terms_has_no_errors(tmp_path: Path) -> None:
    assert errors(tmp_path, TERMS, TERMS_ORACLE) == []


@pytest.mark.parametrize(
    ("right", "wrong", "line", "told"),
    [
        ('{"y": 2.0 * x.astype(np.float64)}', "2.0 * x", 9, "reference() gives ndarray, not {output: array}"),
        ('return {"y": 2.0 * x.astype(np.float64)}', "pass", 9, "reference() gives nothing, not"),
        ('{"y": 2.0 * x', '{"z": 2.0 * x', 9, "reference() gives ['z'], the outputs are ['y']"),
        ("2.0 * x.astype(np.float64)}", "[[1.0], []]}", 9, "reference() gives no array for 'y'"),
        ("2.0 * x.astype(np.float64)}", "x.astype(str)}", 9, "not as real numbers"),
        ("2.0 * x.astype(np.float64)}", "x + 1j}", 9, "not as real numbers"),
        ("2.0 * x.astype(np.float64)}", "7.0}", 9, "reference() gives 'y' the shape (), declared is (2,)"),
        ("def reference(x, N)", "def reference(x)", 9, "unexpected keyword argument 'N'"),
        ('return {"x": x,', 'return {"x": list(x),', 3, "inputs() gives 'x' as list"),
        ('"N": sizes["N"]', '"N": None', 3, "inputs() gives 'N' as NoneType"),
        ('"x": x, ', "", 3, "inputs() gives no 'x'"),
        ('return {"x": x,', 'return {"x": x[1:],', 3, "inputs() gives 'x' the shape"),
        ('return {"x": x, "N": sizes["N"]}', "pass", 3, "inputs() gives nothing"),
        ("{'y': 8.0 * x}", "{'y': 8.0 * x[:1]}", 12, "terms() gives 'y' the shape (1,)"),
        ("{'y': 8.0 * x}", "8.0 * x", 12, "terms() gives ndarray"),
        ("{'y': add(", "{'z': add(", 15, "in_float32() gives ['z']"),
        ("axis=-1))}", "axis=0))}", 15, "in_float32() gives 'y' the shape"),
        ("np.stack([x", "np.stack([z", 16, "in_float32() failed: NameError"),
        ("{'y': x}}", "{'z': x}}", 18, "mistakes()['copied'] gives ['z']"),
        ("{'copied': {'y': x}}", "{'copied': x}", 18, "mistakes()['copied'] gives ndarray"),
        ("{'y': x}}", "{'y': x[:1]}}", 18, "mistakes()['copied'] gives 'y' the shape (1,)"),
    ],
)
def test_what_an_oracle_gives_and_nobody_can_compare_is_told_at_its_function(
    tmp_path: Path, right: str, wrong: str, line: int, told: str
) -> None:
    assert TERMS_ORACLE.count(right) == 1
    found = errors(tmp_path, TERMS, TERMS_ORACLE.replace(right, wrong))
    (finding,) = [f for f in found if Path(f.where.file).suffix == ".py"]
    assert told in finding.message and finding.where.line == line


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("x: [1.0, 2.5], N", "x: [[1.0, 2.5], [3.0]], N", "the rows of x differ in length"),
        ("N: 2}", "N: 3}", "x has 2 elements, declared is (3,)"),
        ("y: [2.0, 5.0]", "y: [2.0]", "y has 1 elements, declared is (2,)"),
        ("N: 2}", "N: [2]}", "N should be a number"),
    ],
)
def test_an_example_that_does_not_fit_is_found_at_its_line(
    tmp_path: Path, right: str, wrong: str, told: str
) -> None:
    (finding,) = errors(tmp_path, QUESTION.replace(right, wrong))
    assert finding.message == f"example 1: {told}" and finding.where.line == 12


def test_a_reference_that_rounds_as_a_kernel_does_is_found(tmp_path: Path) -> None:
    text = messages(tmp_path, oracle=ORACLE.replace("x.astype(np.float64)", "x"))
    assert "reference() gives 'y' as float32, not as float64" in text
    exact = QUESTION.replace("{kind: ulp, bound: 2}", "{kind: exact}")
    assert messages(tmp_path, exact, ORACLE.replace("x.astype(np.float64)", "x")) == ""


def test_what_many_cases_have_in_common_is_told_once_at_the_first(tmp_path: Path) -> None:
    oracle = ORACLE.replace('return {"x": x,', 'return {"x": x.astype(np.float64),')
    (finding,) = errors(tmp_path, oracle=oracle)
    assert finding.message == "case 'N=1' and 4 more: x is drawn as float64, declared as float32"
    assert finding.where.line == 16


def test_a_case_is_named_where_the_oracle_refuses_it(tmp_path: Path) -> None:
    oracle = ORACLE.replace("    return", "    if sizes['N'] > 64:\n        raise ValueError\n    return", 1)
    assert "case 'N=70': inputs() failed: ValueError" in messages(tmp_path, oracle=oracle)


@pytest.mark.parametrize(
    ("right", "line", "told"),
    [
        ("    return {\"y\"", 10, "reference() failed"),
        ("    x = rng", 4, "inputs() failed"),
        ("import numpy", 1, "cannot be imported"),
    ],
)
def test_an_oracle_that_never_returns_is_told_at_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: str, line: int, told: str
) -> None:
    monkeypatch.setattr(time_limit, "SECONDS", 0.2)
    indent = " " * (len(right) - len(right.lstrip()))
    oracle = ORACLE.replace(right, f"{indent}while True: pass\n{right}")
    (finding,) = errors(tmp_path, oracle=oracle)
    assert told in finding.message and "takes longer than 0.2 s" in finding.message
    assert finding.where.line == line


def test_a_case_that_takes_too_long_to_compare_is_told_at_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(time_limit, "SECONDS", 0.2)
    monkeypatch.setattr("trainer.bank.lint.mutants", endless)
    (finding,) = errors(tmp_path)
    assert finding.message == "checking the case 'N=1' takes longer than 0.2 s" and finding.where.line == 16


def test_a_case_that_no_memory_holds_is_refused_before_it_is_drawn(tmp_path: Path) -> None:
    question = QUESTION.replace("N: [1, 100]", "N: [1, 10000000000]").replace("{N: 64}", "{N: 4000000000}")
    (finding,) = errors(tmp_path, question)
    assert finding.message == "the arrays of the case 'N=4000000000' take 30 GiB" and finding.where.line == 19


@pytest.mark.parametrize(
    ("cost", "told"),
    [("N // (N - 100)", "cost.flops at N=100: cannot evaluate"), ("N - 101", "cost.flops is -1 at N=100")],
)
def test_a_cost_that_cannot_be_is_found_at_the_case(tmp_path: Path, cost: str, told: str) -> None:
    found = errors(tmp_path, QUESTION.replace("flops: N", f"flops: {cost}"))
    assert told in found[0].message and found[0].where.line == 18


def test_an_oracle_that_prints_leaves_standard_output_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert errors(tmp_path, oracle=ORACLE.replace("    return", "    print('drawn')\n    return", 1)) == []
    out, err = capsys.readouterr()
    assert not out and "drawn" in err


def test_files_that_belong_to_no_question_are_found(tmp_path: Path) -> None:
    root = make_bank(tmp_path)
    (root.kernels / "duoble.cu").write_text("")
    (root.solutions / "dubble").mkdir(parents=True)
    (root.solutions / "dubble" / "ladder.yaml").write_text("rungs: []\n")
    told = [f"{Path(f.where.file).name}: {f.message}" for f in lint_bank(root)]
    for name in ("duoble.cu: belongs to no question", "dubble: belongs to no question"):
        assert any(message.startswith(name) for message in told)


def test_an_id_that_the_built_in_bank_has_is_found(tmp_path: Path) -> None:
    found = [f for f in lint_bank(make_bank(tmp_path, id="reduction")) if f.severity is Severity.ERROR]
    assert [f.message for f in found] == ["there is a built-in question 'reduction', which hides this one"]


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


def test_a_rung_that_does_not_say_what_it_does_is_found(tmp_path: Path) -> None:
    root = make_bank(tmp_path)
    solutions = root.solutions / "double"
    solutions.mkdir(parents=True)
    (solutions / "01-r.cu").write_text("int rung;\n")
    text = "rungs:\n  - {file: 01-r.cu, title: t, idea: i, removes: r, watch: w}\n"
    (solutions / "ladder.yaml").write_text(text)
    told = [(f.where.line, f.message) for f in lint_bank(root)]
    assert (1, "should start with a comment: what it does, and what that costs") in told


def test_a_rung_that_needs_most_of_the_tolerance_is_found(tmp_path: Path) -> None:
    def answer(source: str, x: Array) -> Array:
        return np.nextafter(2 * x, np.float32(9)) if "rung" in source else 0 * x

    assert "uses 0.50 of the tolerance" in run_findings(tmp_path, answer)[0]
