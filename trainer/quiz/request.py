"""One memory request of a warp: written in C, counted by the simulator's rules, run by the lint.

Questions show the C expression; its addresses are computed from the same text, and `sample` puts it
into a kernel whose counters must say the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trainer.bank import expressions
from trainer.bank.quiz import Picture, Sample
from trainer.quiz.picture import cost_of

WIDTHS = {
    "char": 1, "short": 2, "int": 4, "float": 4, "double": 8, "float2": 8, "float4": 16,
}  # fmt: skip
LANES = 32
STATIC_SHARED = 48 * 1024
FLOAT = 4


@dataclass(frozen=True)
class Request:
    """Warp 0 of a block of `block` threads accesses element `index` of an array of `ctype`.

    `index` is C over t (the thread's number in the block), tx and ty; only lanes below `lanes` take part.
    """

    space: str  # "global" | "shared"
    ctype: str
    index: str
    store: bool = False
    lanes: int = LANES
    block: tuple[int, int] = (LANES, 1)

    @property
    def width(self) -> int:
        return WIDTHS[self.ctype]

    @property
    def elements(self) -> tuple[int, ...]:
        """The element of each lane."""
        across = self.block[0]
        return tuple(in_c(self.index, {"t": t, "tx": t % across, "ty": t // across}) for t in range(LANES))

    @property
    def picture(self) -> Picture:
        addresses = tuple(element * self.width for element in self.elements)
        return Picture(self.space, addresses, self.width, self.store, (1 << self.lanes) - 1)

    @property
    def cost(self) -> int:
        """Sectors (global) or wavefronts (shared)."""
        return cost_of(self.picture)

    @property
    def used_bytes(self) -> int:
        """Different bytes that the active lanes use."""
        return len(set(self.elements[: self.lanes])) * self.width

    @property
    def efficiency(self) -> float:
        """Used bytes in percent of the bytes of the touched sectors."""
        return 100 * self.used_bytes / (self.cost * 32)

    @property
    def sample(self) -> Sample:
        most = max(self.elements[: self.lanes]) + 1
        value = f"{self.ctype} v"
        # Changing the value keeps a vector in registers: a plain copy of one has no line of its own.
        vector = self.ctype.startswith("float") and self.ctype != "float"
        kernel = _KERNELS[self.space, self.store].format(
            type=self.ctype,
            value=value,
            change="v.x += 1;" if vector else "v += 1;",
            index=self.index,
            size=-(-most // 32) * 32,
            guard=f"if (t < {self.lanes}) " if self.lanes < LANES else "",
            across=self.block[0],
        )
        launch = f"1, dim3({self.block[0]}, {LANES // self.block[0]})"
        floats = max(2 * most * self.width // FLOAT + 64, 1024)
        return Sample(kernel, launch, self.space, "store" if self.store else "load", self.cost, floats)


def in_c(index: str, names: Mapping[str, int]) -> int:
    """The value of a C expression over whole numbers that are not negative."""
    return expressions.evaluate(index.replace("/", "//"), names)


_HEAD = """\
__global__ void sample(const {type}* x, {type}* y) {{
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * {across} + tx;
"""
_ARRAY = """\
    __shared__ __align__(16) {type} s[{size}];
"""
_LOAD = """\
    {guard}{{
        {value} = ARRAY[{index}]; // this
        {change}
        y[t] = v;
    }}
}}
"""
_STORE = """\
    {guard}{{
        {value} = x[t];
        {change}
        ARRAY[{index}] = v; // this
    }}
"""
_KERNELS = {
    ("global", False): _HEAD + _LOAD.replace("ARRAY", "x"),
    ("global", True): _HEAD + _STORE.replace("ARRAY", "y") + "}}\n",
    ("shared", False): _HEAD
    + _ARRAY
    + """\
    for (int i = t; i < {size}; i += 32)
        s[i] = x[i];
    __syncthreads();
"""
    + _LOAD.replace("ARRAY", "s"),
    ("shared", True): _HEAD
    + _ARRAY
    + _STORE.replace("ARRAY", "s")
    + """\
    __syncthreads();
    {guard}y[t] = s[{index}];
}}
""",
}
