"""A bank with one kernel task, for tests to break."""

from __future__ import annotations

from pathlib import Path

from trainer.bank.roots import Root

QUESTION = """\
kind: kernel
level: easy
title: Double it
statement: "`y[i] = 2 * x[i]`."
hints: [one, two, three]
arguments:
  - {name: x, type: const float*, shape: [N]}
  - {name: y, type: float*, shape: [N]}
  - {name: N, type: int}
limits: {N: [1, 100]}
examples:
  - inputs: {x: [1.0, 2.5], N: 2}
    outputs: {y: [2.0, 5.0]}
tolerance: {kind: ulp, bound: 2}
cases:
  - sizes: {N: [1, 2, 70]}
  - {sizes: {N: 9}, values: equal}
timed: {sizes: {N: 100}}
modelled: {sizes: {N: 64}}
cost: {dram_bytes: 8 * N, flops: N}
"""

ORACLE = """\
import numpy as np

def inputs(rng, sizes, values):
    x = rng.random(sizes["N"], dtype=np.float32) + np.float32(1)
    if values == "equal":
        x[:] = x[0]
    return {"x": x, "N": sizes["N"]}

def reference(x, N):
    return {"y": 2.0 * x.astype(np.float64)}
"""

STARTER = 'extern "C" void solve(const float* x, float* y, int N) {}\n'


def make_bank(
    folder: Path, question: str = QUESTION, oracle: str = ORACLE, *, id: str = "double", topic: str = "basics"
) -> Root:
    """A bank in `folder` with one question; its file is questions/<topic>/<id>.yaml."""
    files = {
        f"questions/{topic}/{id}.yaml": question,
        f"questions/{topic}/{id}.py": oracle,
        f"kernels/{id}.cu": STARTER,
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Root(folder)
