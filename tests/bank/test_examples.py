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
