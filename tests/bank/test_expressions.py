from __future__ import annotations

import pytest

from trainer.bank.expressions import evaluate
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
