"""Which memory accesses have most to gain."""

from __future__ import annotations

from collections.abc import Sequence

from trainer.sim.report import Access


def excess(access: Access) -> int:
    """Sectors or wavefronts beyond the ideal: what there is to gain at this line."""
    global_part = (access.sectors or 0) - (access.ideal_sectors or 0)
    shared_part = (access.wavefronts or 0) - (access.ideal_wavefronts or 0)
    return max(global_part, 0) + max(shared_part, 0)


def worst_first(access: Sequence[Access]) -> list[Access]:
    return sorted(access, key=lambda a: (-excess(a), -a.requests, a.line))
