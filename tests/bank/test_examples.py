from __future__ import annotations

from trainer.bank.examples import example_text
from trainer.bank.model import Example


def test_an_example_reads_as_given_and_result() -> None:
    example = Example({"A": [[1.0, 2.5], [3, -4.0]], "N": 2, "eps": 0.5}, {"C": [0.125]})
    assert example_text(example).splitlines() == [
        "  A = [[1, 2.5], [3, -4]]",
        "  N = 2  eps = 0.5",
        "gives",
        "  C = [0.125]",
    ]


def test_numbers_keep_their_digits() -> None:
    example = Example({"input": [4294967295, 0.25], "N": 2}, {"output": [0.333333343, -1.0]})
    assert example_text(example).splitlines() == [
        "  input = [4294967295, 0.25]",
        "  N = 2",
        "gives",
        "  output = [0.333333343, -1]",
    ]
