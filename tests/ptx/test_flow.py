"""Blocks in the order in which lanes should run them."""

from __future__ import annotations

from trainer.ptx.flow import analyse, convergent_order
from trainer.ptx.module import Body
from trainer.ptx.parse import parse_module


def body(text: str) -> Body:
    source = f".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n{text}\n}}\n"
    found = parse_module(source).functions["k"].body
    assert found is not None
    return found


def test_code_in_a_natural_order_keeps_it() -> None:
    assert convergent_order([(1, 2), (2,), (3, 2), ()]) == [0, 1, 2, 3]


def test_a_rare_path_behind_its_join_comes_before_it() -> None:
    """0 branches to 1 (a barrier, say) or to the loop 3, 4, which leads back to 1."""
    assert convergent_order([(1, 3), (2,), (), (4, 1), (3, 1)]) == [0, 3, 4, 1, 2]


def test_loops_stay_in_one_piece_with_their_head_first() -> None:
    """1..3 is a loop whose exit 2 lies in the middle of the text; 3 is an inner loop."""
    assert convergent_order([(1,), (3, 2), (), (3, 1)]) == [0, 1, 3, 2]


def test_every_block_is_there_once_even_in_tangled_code() -> None:
    tangled = [(1, 4), (2, 3), (1, 4), (5,), (2, 3), ()]
    assert sorted(convergent_order(tangled)) == list(range(6))


def test_numbers_follow_the_order_and_the_text_is_still_followed() -> None:
    text = (
        ".reg .pred %p; .reg .b32 %r;\nmov.u32 %r, %tid.x;\nsetp.eq.u32 %p, %r, 0;\n@%p bra $rare;\n"
        "$join:\nbar.sync 0;\nret;\n$rare:\nadd.u32 %r, %r, 1;\nbra $join;\n"
    )
    flow = analyse(body(text))
    assert flow.label_block["$rare"] < flow.label_block["$join"]
    first = flow.blocks[0]
    assert first.following == flow.label_block["$join"]
    assert set(first.successors) == {flow.label_block["$rare"], flow.label_block["$join"]}
    assert [b.number for b in flow.blocks] == list(range(len(flow.blocks)))
