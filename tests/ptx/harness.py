# ruff: noqa: E501  (code in another language reads better unbroken)
"""Run single PTX instructions over arrays, or CUDA snippets, in the engine."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

from trainer.cuda.nvrtc import compile_text
from trainer.ptx.engine import Engine
from trainer.ptx.memory import Memory
from trainer.ptx.module import Module
from trainer.ptx.parse import parse_module

HEAD = ".version 8.0\n.target sm_90\n.address_size 64\n"
_STORAGE = {"pred": "u8"}
FLOATS32 = np.array(
    [0.0, -0.0, 1.0, -1.0, 1.5, 2.5, -2.5, 3.5, 1e-45, -1e-45, 1.1754942e-38, -1.1754942e-38, 1.17549435e-38,
     3.4028235e38, -3.4028235e38, np.inf, -np.inf, np.nan, 0.1, 16777217.0, 2147483648.0, -2147483904.0,
     4294967296.0, 9.3e18, -9.3e18, 1e20, 0.49999997, 0.5, 255.5, -128.5],
    dtype=np.float32,
)  # fmt: skip
INTEGERS32 = np.array(
    [0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 127, 128, 255, 256, 65535, 65536, 0x7FFFFFFF, 0x80000000, 0x80000001,
     0xFFFFFFFF, 0xFFFFFFFE, 0xAAAAAAAA, 0x12345678],
    dtype=np.uint32,
)  # fmt: skip


def floats32(count: int = 400, seed: int = 1) -> np.ndarray[Any, Any]:
    """Edge cases, random bit patterns and moderate numbers."""
    rng = np.random.default_rng(seed)
    patterns = rng.integers(0, 2**32, count, dtype=np.uint32).view(np.float32)
    moderate = (rng.standard_normal(count) * 10 ** rng.uniform(-3, 3, count)).astype(np.float32)
    return np.concatenate([FLOATS32, patterns, moderate])


def floats64(count: int = 400, seed: int = 2) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(seed)
    patterns = rng.integers(0, 2**64, count, dtype=np.uint64).view(np.float64)
    moderate = rng.standard_normal(count) * 10 ** rng.uniform(-3, 3, count)
    edges = np.array(
        [0.0, -0.0, 5e-324, 2.2e-308, 1.8e308, np.inf, -np.inf, np.nan, 0.5, 1.5, 2.0**63, -(2.0**63)]
    )
    return np.concatenate([edges, FLOATS32.astype(np.float64), patterns, moderate])


def integers32(count: int = 400, seed: int = 3) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(seed)
    return np.concatenate([INTEGERS32, rng.integers(0, 2**32, count, dtype=np.uint32)])


def integers64(count: int = 400, seed: int = 4) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(seed)
    edges = np.array([0, 1, 2, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1, 2**64 - 2], dtype=np.uint64)
    small = integers32().astype(np.uint64)
    return np.concatenate([edges, small, rng.integers(0, 2**64, count, dtype=np.uint64)])


def pairs(values: np.ndarray[Any, Any], seed: int = 5) -> list[np.ndarray[Any, Any]]:
    """Two columns: every edge with every edge would be long, so values against shuffles of themselves."""
    rng = np.random.default_rng(seed)
    edges = values[:30]
    left = np.concatenate([np.repeat(edges, len(edges)), values])
    right = np.concatenate([np.tile(edges, len(edges)), rng.permutation(values)])
    return [left, right]


def triples(values: np.ndarray[Any, Any], seed: int = 6) -> list[np.ndarray[Any, Any]]:
    left, middle = pairs(values, seed)
    return [left, middle, np.random.default_rng(seed).permutation(left)]


def run_lines(
    lines: str, inputs: Sequence[np.ndarray[Any, Any]], types: Sequence[str], results: Sequence[str]
) -> list[np.ndarray[Any, Any]]:
    """Each thread loads %a0, %a1, ... (of `types`), runs `lines` and stores %d0, ... (of `results`).

    Arrays come back as unsigned integers of the result's width, predicates as 0 and 1.
    """
    count = len(inputs[0])
    declarations, loads, stores, parameters = [], [], [], []
    for k, kind in enumerate((*types, *results)):
        name = f"%a{k}" if k < len(types) else f"%d{k - len(types)}"
        declarations.append(f".reg .{kind} {name}; .reg .b64 %p{k};")
        parameters.append(f".param .u64 q{k}")
        storage = _STORAGE.get(kind, f"b{kind[1:]}")
        size = int(storage[1:]) // 8
        place = f"ld.param.u64 %p{k}, [q{k}]; mad.wide.u32 %p{k}, %i, {size}, %p{k};"
        if k < len(types):
            loads.append(f"{place} ld.global.{storage} {name}, [%p{k}];")
        elif kind == "pred":
            declarations.append(f".reg .u16 %s{k};")
            stores.append(f"{place} selp.u16 %s{k}, 1, 0, {name}; st.global.u8 [%p{k}], %s{k};")
        else:
            stores.append(f"{place} st.global.{storage} [%p{k}], {name};")
    text = (
        HEAD
        + f".visible .entry op({', '.join(parameters)}, .param .u32 n)\n{{\n.reg .u32 %i, %n, %t; .reg .pred %out;\n"
        + "\n".join(declarations)
        + "\nmov.u32 %i, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %t, %tid.x; mad.lo.u32 %i, %i, %n, %t;\n"
        + "ld.param.u32 %n, [n]; setp.ge.u32 %out, %i, %n; @%out bra DONE;\n"
        + "\n".join(loads)
        + "\n"
        + lines
        + "\n"
        + "\n".join(stores)
        + "\nDONE:\nret;\n}\n"
    )
    memory = Memory(1 << 28)
    places, outputs = [], []
    for array in inputs:
        raw = np.ascontiguousarray(array)
        places.append(memory.allocate(raw.nbytes))
        memory.write(places[-1], raw.tobytes())
    for kind in results:
        size = 1 if kind == "pred" else int(kind[1:]) // 8
        outputs.append((memory.allocate(size * count), size))
    buffer = struct.pack(f"<{len(places) + len(outputs)}QI", *places, *(o[0] for o in outputs), count)
    Engine(parse_module(text)).launch("op", (-(-count // 64), 1, 1), (64, 1, 1), 0, buffer, memory)
    return [np.frombuffer(memory.read(at, size * count), dtype=f"u{size}") for at, size in outputs]


def run_op(
    opcode: str, inputs: Sequence[np.ndarray[Any, Any]], types: Sequence[str], result: str
) -> np.ndarray[Any, Any]:
    """One instruction `opcode %d0, %a0, ...;`."""
    operands = ", ".join(f"%a{k}" for k in range(len(types)))
    return run_lines(f"{opcode} %d0, {operands};", inputs, types, [result])[0]


def compile_cuda(source: str, *options: str) -> Module:
    """PTX of a snippet, as the front end would ask for it."""
    output = compile_text(
        source, ("-arch=compute_90", "-lineinfo", "-default-device", "-std=c++17", *options)
    )
    assert output.ptx, output.log
    return parse_module(output.ptx)


def run_kernel(
    module: Module,
    name: str,
    arrays: Sequence[np.ndarray[Any, Any]],
    scalars: Sequence[int | float] = (),
    *,
    grid: Any = 1,
    block: Any = 32,
    shared: int = 0,
    memory: Memory | None = None,
    **options: Any,
) -> Any:
    """Launch with arrays (copied in and back out, in place) and scalars (int: i32, float: f32)."""
    memory = memory or Memory(1 << 28)
    places = []
    for k, array in enumerate(arrays):
        places.append(memory.allocate(array.nbytes, name=f"array{k}"))
        memory.write(places[-1], array.tobytes())
    buffer = struct.pack(f"<{len(places)}Q", *places)
    for value in scalars:
        buffer += struct.pack("<f", value) if isinstance(value, float) else struct.pack("<i", value)
    dims = [(d, 1, 1) if isinstance(d, int) else (*d, *(1,) * (3 - len(d))) for d in (grid, block)]
    engine = options.pop("engine", None) or Engine(module, traps=options.pop("traps", None))
    try:
        return engine.launch(name, *dims, shared, buffer, memory, **options)
    finally:
        for place, array in zip(places, arrays, strict=True):
            array.reshape(-1).view(np.uint8)[:] = np.frombuffer(memory.read(place, array.nbytes), np.uint8)
