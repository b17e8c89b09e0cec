"""Addresses as people write them: "output[1024], one past the end of output[0..1023]"."""

from __future__ import annotations

from dataclasses import dataclass

from trainer.cuda.host_state import HOST_BASE
from trainer.ptx.memory import Block
from trainer.sim.report import Beyond


@dataclass(frozen=True)
class Stray:
    """Where an access goes that a GPU traps: `place`, in `array` ("" if in none), and in `wrong` why it may
    not. `beyond`: of accesses out of bounds.
    """

    array: str
    place: str
    wrong: str
    beyond: Beyond | None = None


def in_block(block: Block, address: int, nbytes: int = 1) -> str:
    """ "A[3]", "A[3..6]" for several elements, "element 3 of the scratch ...", "A[3] (byte 2 of it)".

    `address` may lie outside the block.
    """
    element, offset = _element(block), address - block.address
    first, last = offset // element, (offset + nbytes - 1) // element
    rest = f" (byte {offset % element} of it)" if offset % element else ""
    several = f"..{last}" if last > first and not rest else ""
    if block.name.isidentifier():
        return f"{block.name}[{first}{several}]{rest}"
    return f"element{'s' if several else ''} {first}{several} of {block.name}{rest}"


def past_end(block: Block, address: int, nbytes: int) -> Stray:
    """[address, address + nbytes) reaches over the end of `block` or lies behind it."""
    element, count = _element(block), block.nbytes // _element(block)
    last = (address + nbytes - 1 - block.address) // element
    reaches = ", which reaches" if nbytes > element else ","
    wrong = f"{reaches} {_ordinal(last - count + 1)} past the end of {_extent(block)}"
    return Stray(block.name, in_block(block, address, nbytes), wrong, Beyond.ARRAY)


def before_start(block: Block, address: int) -> Stray:
    """`address` lies before `block`."""
    distance = -((address - block.address) // _element(block))
    wrong = f", {_ordinal(distance)} before the start of {_extent(block)}"
    return Stray(block.name, in_block(block, address), wrong, Beyond.ARRAY)


def nowhere(address: int) -> Stray:
    """`address` is near to nothing."""
    host = HOST_BASE <= address < 2 * HOST_BASE
    wrong = ", which is host memory" if host else ", which is no device memory"
    return Stray("", number(address), wrong, Beyond.HOST if host else Beyond.NOTHING)


def number(address: int) -> str:
    return f"address {address & (2**64 - 1):#x}"


def _ordinal(distance: int) -> str:
    return "one" if distance == 1 else str(distance)


def _extent(block: Block) -> str:
    """ "A[0..9]", "A, which has 1 element", "it: it has 9 elements of 4 bytes" """
    count = block.nbytes // _element(block)
    elements = f"{count or 'no'} element{'' if count == 1 else 's'}"
    if not block.name.isidentifier():
        return f"its {elements} of {_element(block)} bytes"
    return f"{block.name}[0..{count - 1}]" if count > 1 else f"{block.name}, which has {elements}"


def _element(block: Block) -> int:
    return max(int(block.tags.get("element", 4)), 1)
