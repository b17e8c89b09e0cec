"""The picture of a quiz: the sectors or banks of one request, counted by the simulator's own rules."""

from __future__ import annotations

from trainer.bank.quiz import Picture
from trainer.quiz.run import Marked
from trainer.sim import banks, coalescing, pictures
from trainer.sim.report import WorstRequest


def cost_of(picture: Picture) -> int:
    """Sectors of a global request, wavefronts of a shared one."""
    if picture.space == "global":
        return int(coalescing.sectors(picture.addresses, picture.active, picture.width)[0])
    return int(banks.wavefronts(picture.addresses, picture.active, picture.width, store=picture.store)[0])


def draw_picture(picture: Picture, *, unicode: bool = True) -> str:
    """A sector strip or a bank grid, 80 columns at most."""
    request = WorstRequest((0, 0, 0), 0, picture.active, picture.addresses, cost_of(picture))
    paint = pictures.sector_strip if picture.space == "global" else pictures.bank_grid
    return paint(request, picture.width, unicode=unicode)


def draw_marked(line: Marked, *, unicode: bool = True) -> str:
    """The costliest request at a marked line of an analysis, or how full warps were at its branch."""
    if line.branch is not None:
        return pictures.lane_bar(line.branch, unicode=unicode)
    if line.access is None or line.access.worst is None:
        return ""
    paint = pictures.sector_strip if line.access.space == "global" else pictures.bank_grid
    return paint(line.access.worst, line.access.bytes_per_lane, unicode=unicode)
