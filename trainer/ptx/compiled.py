"""A kernel as native code, and everything needed to launch it and to explain what it reports."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import prod
from typing import Any

import numpy as np

from trainer.errors import UnsupportedError
from trainer.ptx.jit import expand, jit
from trainer.ptx.module import Instruction, Module, Symbol, Variable
from trainer.ptx.stack import stack_needs

_REQUIRED: set[str] = set()


@dataclass(frozen=True)
class CompiledKernel:
    """Native code of one kernel or host function for one kind of instrumentation."""

    name: str
    address: int
    run_grid: Callable[[int], int]
    sites: tuple[Any, ...]  # SiteInfo by number
    blocks: tuple[Any, ...]  # BlockInfo by counter row
    hooks: tuple[Any, ...]  # HookInfo by number
    block_lengths: np.ndarray[Any, np.dtype[np.int64]]
    shared_bytes: int  # static, rounded up to 16
    shared: Mapping[str, int]  # static shared variables and their offsets
    stack_bytes: int  # frames of a warp, calls included
    local_bytes: int  # of a thread, calls included
    depots: Mapping[str, Mapping[str, int]]
    variables: Mapping[str, Mapping[str, Variable]]
    may_spin: bool
    takes_parameter_address: bool
    function_table: Any
    frame_table: Any


@cache
def runtime(width: int) -> Callable[[int], int]:
    """Compile the scheduler for a lane count; returns the routine that runs a grid."""
    text = files("trainer.ptx").joinpath("runtime.ll").read_text()
    compiler = jit()
    compiler.add(expand(text, width), level=1, keep=True)
    return ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(compiler.address(f"wd{width}_grid"))


def compile_kernel(module: Module, name: str, width: int, access: Any = None) -> CompiledKernel:
    """Translate and compile a function of `module` and all it calls."""
    from trainer.ptx.lower.access import Access
    from trainer.ptx.translate import KernelBuilder

    if prod(module.functions[name].directives.get("reqnctapercluster", ())) > 1:
        raise UnsupportedError(
            f"`{name}` runs in thread block clusters, which the simulator does not have",
            hint="remove __cluster_dims__, or grade on a GPU",
        )
    builder = KernelBuilder(module, name, width, access or Access())
    text = builder.build()
    run_grid = runtime(width)
    compiler = jit()
    for routine, source in builder.required.items():
        key = f"{width}:{routine}"
        if key not in _REQUIRED:
            compiler.add(source(), level=1, keep=True)
            _REQUIRED.add(key)
    try:
        compiler.add(text, level=0 if builder.large else 1)
    except RuntimeError as error:
        raise UnsupportedError(f"`{name}` cannot be translated: {error}") from error
    functions = list(module.functions)
    table = (ctypes.c_int64 * max(len(functions), 1))()
    frames = (ctypes.c_int64 * max(2 * len(functions), 1))()
    for k, function in enumerate(functions):
        inner = builder.builders.get(function)
        if inner is not None and function != name:
            table[k] = compiler.address(builder.native_name(function))
            frames[2 * k], frames[2 * k + 1] = inner.layout.frame_bytes, inner.layout.depot_bytes
    main = builder.builders[name]
    stack, local = stack_needs(
        name,
        {n: b.layout for n, b in builder.builders.items()},
        {n: b.flow.body.instructions for n, b in builder.builders.items()},
    )
    return CompiledKernel(
        name=name,
        address=compiler.address(builder.native_name(name)),
        run_grid=run_grid,
        sites=tuple(builder.sites),
        blocks=tuple(builder.blocks),
        hooks=tuple(builder.hooks),
        block_lengths=np.array([len(b.instructions) for b in builder.blocks] or [0], dtype=np.int64),
        shared_bytes=-(-builder.shared_end // dynamic_align(module)) * dynamic_align(module),
        shared=dict(builder.shared),
        stack_bytes=stack,
        local_bytes=local,
        depots={n: b.layout.depot for n, b in builder.builders.items()},
        variables={n: b.flow.body.variables for n, b in builder.builders.items()},
        may_spin=any(b.flow.waits for b in builder.builders.values()),
        takes_parameter_address=any(_takes_address(i, main.arguments) for i in main.flow.body.instructions),
        function_table=table,
        frame_table=frames,
    )


def dynamic_align(module: Module) -> int:
    """Where `extern __shared__` memory may start: after the static, aligned for all its declarations."""
    return max([16, *(v.align for v in module.variables.values() if v.space == "shared" and v.external)])


def _takes_address(instruction: Instruction, parameters: Mapping[str, int]) -> bool:
    return instruction.op in ("mov", "cvta") and any(
        isinstance(o, Symbol) and o.name in parameters for o in instruction.operands[1:]
    )
