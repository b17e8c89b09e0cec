from __future__ import annotations

import pytest

from trainer.bank.expressions import evaluate, evaluate_real
from trainer.errors import ContentError


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("N", 7),
        ("M * K", 6),
        ("(N + 3) // 4 - 1", 1),
        ("2 ** 3 % 5", 3),
        ("-N + 8", 1),
        ("max(M, min(K, N))", 3),
        ("(N ^ K) & 6", 4),
        ("1 << K >> 1", 4),
    ],
)
def test_arithmetic_over_sizes(expression: str, value: int) -> None:
    assert evaluate(expression, {"N": 7, "M": 2, "K": 3}) == value


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("Q", "'Q', which is not a size"),
        ("N / 2", "not a size expression"),
        ("__import__('os')", "not a size expression"),
        ("N.real", "not a size expression"),
        ("1 +", "cannot evaluate"),
        ("N // 0", "cannot evaluate"),
        ("9 ** 9999", "exponent"),
        ("1 << 9999", "shift"),
        ("1.5", "not a size expression"),
        ("True", "not a size expression"),
    ],
)
def test_anything_else_is_a_content_error(expression: str, message: str) -> None:
    with pytest.raises(ContentError, match=message):
        evaluate(expression, {"N": 1})


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("2 * M * N / rate", 56.0),
        ("ceil(N / M) + floor(2.5)", 6),
        ("sqrt(16) + log2(8)", 7),
        ("1e3 * rate", 500),
        ("min(N, 2.5)", 2.5),
    ],
)
def test_formulas_are_over_real_numbers(formula: str, value: float) -> None:
    assert evaluate_real(formula, {"N": 7, "M": 2, "rate": 0.5}) == value


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("Q", "'Q', which is not given"),
        ("N << 2", "not a formula"),
        ("N / 0", "cannot evaluate"),
        ("log2(0 * N)", "cannot evaluate"),
        ("sqrt(1, 2)", "cannot evaluate"),
        ("1e308 * 10", "not finite"),
        ("print(N)", "not a formula"),
        ("'N'", "not a formula"),
    ],
)
def test_anything_else_is_no_formula(formula: str, message: str) -> None:
    with pytest.raises(ContentError, match=message):
        evaluate_real(formula, {"N": 1})
