from __future__ import annotations

from pathlib import Path

from tests.bank.small_bank import ORACLE, QUESTION, make_bank
from trainer.bank.lint import Finding, Severity, lint_bank


def errors(folder: Path, question: str = QUESTION, oracle: str = ORACLE) -> list[Finding]:
    root = make_bank(folder, question, oracle)
    return [f for f in lint_bank(root) if f.severity is Severity.ERROR]


def messages(folder: Path, question: str = QUESTION, oracle: str = ORACLE) -> str:
    return "\n".join(f.message for f in errors(folder, question, oracle))


def test_a_sound_task_has_no_errors(tmp_path: Path) -> None:
    assert errors(tmp_path) == []


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
