"""Text pictures: the sectors that a memory request touches, the banks it meets, the lanes at a branch."""

from __future__ import annotations

from trainer.sim.report import Divergence, WorstRequest

SECTOR = 32
LINE = 128
BANKS = 32
WORD = 4
MAX_LINES = 16


def _lanes(request: WorstRequest) -> list[int]:
    return [lane for lane in range(32) if request.active >> lane & 1]


def _touched(request: WorstRequest, lane: int, width: int, unit: int) -> range:
    first = request.addresses[lane] // unit
    return range(first, (request.addresses[lane] + width - 1) // unit + 1)


def sector_strip(request: WorstRequest, bytes_per_lane: int, *, unicode: bool = True) -> str:
    """One row per 128-byte line, four sectors in each: bytes used of 32, and how many lanes use them.

        ## 32/32 x8   ## 32/32 x8   ..  0/32 x0  ...      (78 columns at most, indented by two)
    """
    used: dict[int, set[int]] = {}
    users: dict[int, set[int]] = {}
    for lane in _lanes(request):
        for sector in _touched(request, lane, bytes_per_lane, SECTOR):
            users.setdefault(sector, set()).add(lane)
            start, end = request.addresses[lane], request.addresses[lane] + bytes_per_lane
            inside = range(max(start, sector * SECTOR), min(end, (sector + 1) * SECTOR))
            used.setdefault(sector, set()).update(inside)
    full, part, none = ("█", "▒", "·") if unicode else ("#", "+", ".")
    lines = sorted({sector * SECTOR // LINE for sector in used})
    rows = ["address  bytes used of each 32-byte sector, x lanes that use it"]
    for line in lines[:MAX_LINES]:
        cells = []
        for sector in range(line * LINE // SECTOR, (line + 1) * LINE // SECTOR):
            count = len(used.get(sector, ()))
            mark = none if not count else full if count == SECTOR else part
            cells.append(f"{mark * 2} {count:2d}/{SECTOR} x{len(users.get(sector, ())):<2d}")
        rows.append(f"{line * LINE:+7d}  {'  '.join(cells)}".rstrip())
    if len(lines) > MAX_LINES:
        rows.append(f"... and {len(lines) - MAX_LINES} lines more")
    total = sum(len(bytes_) for bytes_ in used.values())
    rows.append(f"{_count(len(used), 'sector')} touched, {total} of {len(used) * SECTOR} bytes used")
    return "\n".join(rows)


def bank_grid(request: WorstRequest, bytes_per_lane: int, *, unicode: bool = True) -> str:
    """Lanes down, the 32 banks across; below, how many different words each bank must serve.

    A bank that a lane shares with another word stands out. Wide accesses go in parts (banks.wavefronts):
    only lanes of one part can be in each other's way.
    """
    waiting, alone, idle = ("■", "□", "·") if unicode else ("#", "o", ".")
    lanes_at_once = BANKS * WORD // max(bytes_per_lane, WORD)
    touched = {lane: list(_touched(request, lane, bytes_per_lane, WORD)) for lane in _lanes(request)}
    words: list[set[int]] = [set() for _ in range(BANKS)]
    parts: dict[tuple[int, int], set[int]] = {}
    for lane, own in touched.items():
        for word in own:
            words[word % BANKS].add(word)
            parts.setdefault((lane // lanes_at_once, word % BANKS), set()).add(word)
    rows = ["lane  bank " + "".join(str(bank).ljust(8) for bank in range(0, BANKS, 8)).rstrip()]
    for lane, own in touched.items():
        cells = [idle] * BANKS
        for word in own:
            cells[word % BANKS] = (
                waiting if len(parts[lane // lanes_at_once, word % BANKS]) > 1 else alone
            )
        rows.append(f"{lane:4d}       " + "".join(cells))
    rows.append("words      " + "".join(_digit(len(bank)) for bank in words))
    most = max(map(len, words))
    busiest = f"the busiest bank serves {_count(most, 'different word')}"
    rows.append(f"{_count(request.cost, 'wavefront')}; {busiest}")
    if any(len(part) > 1 for part in parts.values()):
        rows.append(f"{waiting} wants another word of its bank than a lane that is served with it")
    return "\n".join(rows)


def lane_bar(branch: Divergence, *, unicode: bool = True) -> str:
    """How full warps were when they executed a branch, and how often it parted their lanes."""
    full, none = ("█", "·") if unicode else ("#", ".")
    each = branch.active_lanes / max(branch.executions, 1)
    cells = full * round(each) + none * (32 - round(each))
    parted = f"{branch.divergent_branches} of {_count(branch.executions, 'execution')} divergent"
    return f"lanes  {cells}  {each:.3g} of 32 active; {parted}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _digit(count: int) -> str:
    """One character per bank: 0-9, then letters; 32 is "w"."""
    return "." if count == 0 else "0123456789abcdefghijklmnopqrstuvwxyz"[min(count, 35)]
