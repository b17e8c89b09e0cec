"""Which accesses one WMMA instruction makes: what ptxas emits for sm_90, shape by shape."""

from __future__ import annotations

import pytest

from trainer.ptx.lower.tile_plan import plan_of
from trainer.ptx.module import Instruction

# Instruction, way, bytes per lane, registers per access, transposed; SASS in the comment.
PLANS = [
    ("wmma.load.a.sync.aligned.row.m16n16k16.global.f16", "words", 4, 1, False),  # 4 LDG.E
    ("wmma.load.b.sync.aligned.row.m16n16k16.global.f16", "words", 4, 1, True),  # 4 LDG.E, 4 MOVM
    ("wmma.load.b.sync.aligned.col.m16n16k16.global.f16", "words", 4, 1, False),
    ("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", "matrices", 16, 4, False),  # LDSM.M88.4
    ("wmma.load.a.sync.aligned.col.m16n16k16.shared.f16", "matrices", 16, 4, True),  # LDSM.MT88.4
    ("wmma.load.a.sync.aligned.row.m32n8k16.shared.f16", "matrices", 16, 4, False),  # 2 LDSM.M88.4
    ("wmma.load.b.sync.aligned.row.m32n8k16.shared.f16", "matrices", 16, 2, True),  # LDSM.MT88.2
    ("wmma.load.a.sync.aligned.row.m16n16k16.bf16", "words", 4, 1, False),  # generic: 4 LD.E
    ("wmma.load.a.sync.aligned.row.m16n16k16.shared.s8", "matrices", 16, 2, False),  # LDSM.M88.2
    ("wmma.load.b.sync.aligned.col.m32n8k16.shared.s8", "matrices", 16, 1, False),  # LDSM.M88
    ("wmma.load.b.sync.aligned.row.m16n16k16.shared.s8", "elements", 1, 1, False),  # 8 LDS.U8
    ("wmma.load.a.sync.aligned.row.m16n16k16.global.s8", "words", 4, 1, False),  # 2 LDG.E
    ("wmma.load.a.sync.aligned.row.m16n16k8.tf32", "words", 4, 1, False),
    ("wmma.store.d.sync.aligned.row.m16n16k16.global.f32", "pairs", 8, 2, False),  # 4 STG.E.64
    ("wmma.store.d.sync.aligned.col.m16n16k16.global.f32", "words", 4, 1, False),  # 8 STG.E
    ("wmma.store.d.sync.aligned.col.m8n32k16.shared.s32", "pairs", 8, 2, False),
    ("wmma.load.c.sync.aligned.row.m16n16k16.shared.f16", "words", 4, 1, False),  # 4 LDS
    ("wmma.load.c.sync.aligned.col.m16n16k16.shared.f16", "words", 4, 1, True),  # 4 LDS, 4 MOVM
    ("wmma.store.d.sync.aligned.row.m8n8k4.f64", "pairs", 16, 2, False),  # ST.E.128
]


@pytest.mark.parametrize("case", PLANS, ids=lambda c: c[0])
def test_a_tile_is_moved_as_the_hardware_moves_it(case: tuple[str, str, int, int, bool]) -> None:
    opcode, way, nbytes, group, transposed = case
    op, *modifiers = opcode.split(".")
    plan = plan_of(Instruction(0, op, tuple(modifiers), None, (), 1, opcode))
    assert plan is not None
    assert (plan.way, plan.nbytes, plan.group, plan.transposed) == (way, nbytes, group, transposed)
