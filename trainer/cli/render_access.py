"""Memory accesses by source line, worst first: requests, sectors and conflicts against the ideal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from trainer.cli.columns import Column, Step, laid_out
from trainer.cli.text import body, heading, table
from trainer.sim.ranking import excess, worst_first
from trainer.sim.report import Access, Divergence, Space
from trainer.text import clean

MAX_SHOWN = 12

_COLUMNS = (
    Column("line", right=True), Column("access"),
    *(Column(title, right=True) for title in ("requests", "each", "ideal", "excess")),
)  # fmt: skip
_STEPS = (Step("access", 20), Step("ideal"), Step("requests"), Step("access", 10))


def render_access(console: Console, access: Sequence[Access]) -> None:
    if not access:
        return
    ordered = worst_first(access)
    for spaces, title, unit in (
        ((Space.GLOBAL, Space.LOCAL), "Global memory", "sectors a request"),
        ((Space.SHARED,), "Shared memory", "wavefronts a request"),
    ):
        rows = [a for a in ordered if a.space in spaces]
        if not rows:
            continue
        heading(console, title, f"worst first; {unit}, ideal in brackets")
        shown = rows[:MAX_SHOWN]
        head, *told = laid_out(_COLUMNS, [_row(row) for row in shown], console.width - 2, _STEPS)
        _line(console, f"  {head}", "dim")
        for row, line in zip(shown, told, strict=True):
            _line(console, f"  {line}", "yellow" if excess(row) else "")
            _line(console, f"         {clean(row.source.strip())}", "dim")
        if len(rows) > MAX_SHOWN:
            body(console, f"and {len(rows) - MAX_SHOWN} more", "dim")


def _line(console: Console, text: str, style: str) -> None:
    console.print(Text(text, style=style), no_wrap=True, overflow="ellipsis")


def _row(access: Access) -> tuple[str, ...]:
    shared = access.space is Space.SHARED
    cost = (access.wavefronts if shared else access.sectors) or 0
    ideal = (access.ideal_wavefronts if shared else access.ideal_sectors) or 0
    requests = max(access.requests, 1)
    space = "local " if access.space is Space.LOCAL else ""
    what = f"{space}{access.op.replace('_', ' ')} of {access.bytes_per_lane} B a lane"
    ratio = f"{cost / ideal:.1f} x" if ideal and cost > ideal else "none"
    return (
        str(access.line),
        what,
        f"{access.requests:,}",
        f"{cost / requests:.2f}",
        f"({ideal / requests:.2f})",
        ratio,
    )


def render_divergence(console: Console, divergence: Sequence[Divergence]) -> None:
    split = sorted((d for d in divergence if d.divergent_branches), key=lambda d: -d.divergent_branches)
    if not split:
        return
    heading(console, "Divergence", "branches where a warp splits")
    rows = [
        (
            str(entry.line),
            entry.source.strip(),
            f"{entry.divergent_branches:,}",
            f"{entry.active_lanes / max(entry.executions, 1):.1f}",
        )
        for entry in split[:MAX_SHOWN]
    ]
    columns = (
        Column("line", right=True), Column("source"), Column("splits", right=True),
        Column("active lanes", right=True),
    )  # fmt: skip
    table(console, columns, rows, (Step("source", 16), Step("source")))


def render_worst(console: Console, access: Sequence[Access]) -> None:
    """A picture of the costliest request of the worst global and the worst shared access."""
    from trainer.sim.pictures import bank_grid, sector_strip

    unicode = not console.options.ascii_only
    for space, picture in ((Space.GLOBAL, sector_strip), (Space.SHARED, bank_grid)):
        rows = [a for a in worst_first(access) if a.space is space and a.worst is not None and excess(a)]
        if rows and rows[0].worst is not None:
            heading(console, f"Line {rows[0].line}", f"its costliest {space.value} request")
            body(console, picture(rows[0].worst, rows[0].bytes_per_lane, unicode=unicode))
