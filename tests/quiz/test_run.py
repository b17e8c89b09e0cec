from __future__ import annotations

from collections.abc import Iterator

import pytest

from trainer.bank.quiz import Analysis, Measure
from trainer.errors import ContentError
from trainer.quiz.picture import draw_marked
from trainer.quiz.run import Marked, marked_lines
from trainer.sim.backend import SimBackend

KERNEL = """\
__global__ void k(const float* x, float* y, int n) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[2 * t];         // 1
    if (t % 4 == 0)          // 2
        atomicAdd(&y[t], s[t]);
}
extern "C" void solve(const float* x, float* y, int n) { k<<<1, 64>>>(x, y, n); }
"""


@pytest.fixture(scope="module")
def backend() -> Iterator[SimBackend]:
    backend = SimBackend()
    yield backend
    backend.close()


def counted(measure: Measure, mark: str, backend: SimBackend) -> Marked:
    """The kernel's line with that mark, as the only marked one."""
    source = KERNEL.replace(f"// {mark}", "// #").replace("// 1", "").replace("// 2", "").replace("#", "1")
    (line,) = marked_lines(Analysis(source, measure, (0,), floats=128, n=64), backend)
    return line


def test_a_marked_line_is_counted_in_units_of_its_measure(backend: SimBackend) -> None:
    load = counted(Measure.SECTORS, "1", backend)
    assert (load.cost, load.executions, load.code) == (8, 2, "s[t] = x[2 * t];")
    assert counted(Measure.WAVEFRONTS, "1", backend).cost == 1
    assert counted(Measure.LANES, "2", backend).cost == 32
    assert counted(Measure.DIVERGENT, "2", backend).cost == 2


def test_every_measure_has_a_picture(backend: SimBackend) -> None:
    assert "8 sectors touched" in draw_marked(counted(Measure.SECTORS, "1", backend))
    assert "1 wavefront;" in draw_marked(counted(Measure.WAVEFRONTS, "1", backend))
    bar = draw_marked(counted(Measure.DIVERGENT, "2", backend), unicode=False)
    assert bar == f"lanes  {'#' * 32}  32 of 32 active; 2 of 2 executions divergent"


def test_a_mark_without_what_is_measured_is_a_content_error(backend: SimBackend) -> None:
    with pytest.raises(ContentError, match="0 kinds of branches in the line marked 1"):
        counted(Measure.LANES, "1", backend)
