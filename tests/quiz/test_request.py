from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from trainer.quiz.build import Wrong, distinct, figure, labelled
from trainer.quiz.lint import disagreement
from trainer.quiz.picture import cost_of, draw_picture
from trainer.quiz.request import Request
from trainer.sim.backend import SimBackend


@pytest.fixture(scope="module")
def backend() -> Iterator[SimBackend]:
    backend = SimBackend()
    yield backend
    backend.close()


@pytest.mark.parametrize(
    ("request_", "cost"),
    [
        (Request("global", "float", "t"), 4),
        (Request("global", "float", "2 * t"), 8),
        (Request("global", "float", "t + 1"), 5),
        (Request("global", "float4", "t"), 16),
        (Request("global", "float", "ty * 64 + tx", block=(16, 2)), 4),
        (Request("global", "float", "8 * t", lanes=3), 3),
        (Request("shared", "float", "1024 * t", lanes=2), 2),
        (Request("shared", "float", "33 * t"), 1),
        (Request("shared", "float", "32 * t", store=True), 32),
        (Request("shared", "double", "t"), 2),
        (Request("shared", "char", "t"), 1),
    ],
    ids=str,
)
def test_a_request_costs_what_its_kernel_costs_in_the_simulator(
    request_: Request, cost: int, backend: SimBackend
) -> None:
    assert request_.cost == cost_of(request_.picture) == cost
    assert list(disagreement(request_.sample, backend)) == []


def test_a_wrong_answer_disagrees_with_the_simulator(backend: SimBackend) -> None:
    sample = Request("shared", "float", "2 * t").sample
    told = list(disagreement(replace(sample, cost=3), backend))
    assert told == ["the simulator counts 2 for 1 requests; the answer says 3 each"]
    broken = replace(sample, kernel=sample.kernel.replace("float v", "flat v"))
    assert "does not compile" in next(iter(disagreement(broken, backend)))


def test_pictures_fit_eighty_columns_in_ascii_too() -> None:
    for space in ("global", "shared"):
        picture = Request(space, "float", "2 * t").picture
        for unicode in (True, False):
            text = draw_picture(picture, unicode=unicode)
            assert max(map(len, text.splitlines())) <= 78
            assert unicode or text.isascii()


def test_wrong_numbers_that_equal_the_right_one_or_each_other_are_dropped() -> None:
    why = {"en": "x"}
    kept = distinct(4, [Wrong(4, why), Wrong(8, why), Wrong(8.0, why), Wrong(0, why), Wrong(-1, why)])
    assert [w.value for w in kept] == [8]
    assert distinct(33.3, [Wrong(33.5, why)]) == []


def test_numbers_read_well() -> None:
    assert [figure(v) for v in (4, 1234567, 33.3333, 0.0833333, 12345.6)] == [
        "4", "1,234,567", "33.33", "0.08333", "12,346",
    ]  # fmt: skip
    unit = {"en": "sectors", "zh": "个扇区"}
    assert labelled(1, unit) == {"en": "1 sector", "zh": "1 个扇区"}
    assert labelled(50, {"en": "%"})["en"] == "50%"
