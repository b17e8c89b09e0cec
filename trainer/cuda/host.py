"""Runs a submission's host function: one PTX thread, every API call answered here.

No native code of the user runs. The function executes in the PTX engine with a memory of its own;
calls of external functions stop it, are answered in Python and become calls on a `Device`.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from trainer.cuda.device import Device
from trainer.cuda.host_graph_calls import GraphCalls
from trainer.cuda.host_launch_calls import LaunchCalls
from trainer.cuda.host_memory_calls import MemoryCalls
from trainer.cuda.host_output_calls import Exited, OutputCalls
from trainer.cuda.host_state import HOST_BASE, Arguments, Handler, HostState, KernelShape
from trainer.cuda.host_tensor_calls import TensorCalls
from trainer.cuda.includes import FILE_NAME
from trainer.cuda.model import Program
from trainer.cuda.plan import HostRun
from trainer.errors import DeviceFault, Location, TimeLimitError, UnsupportedError

if TYPE_CHECKING:
    from trainer.ptx.engine import Engine, Event, LaunchState, TrapCall
    from trainer.ptx.memory import Memory

HOST_BYTES = 8 << 30  # of addresses; memory is committed as it is touched
MAX_LIVE_BYTES = 2 << 30  # a host function that wants more is stopped
DEFAULT_BUDGET_S = 10.0
MAX_STEPS = 100_000


def run_host(
    program: Program,
    device: Device,
    arguments: Sequence[int | float],
    *,
    budget_s: float = DEFAULT_BUDGET_S,
) -> HostRun:
    """Calls the host function with device addresses and scalars, in the order of its parameters.

    `budget_s` bounds the wall time, the device's included. Raises DeviceFault for what a real
    program would crash or fail on, TimeLimitError when it does not end, and what `device` raises.
    """
    with closing(HostProcess(program, device)) as process:
        return process.call(arguments, device, budget_s=budget_s)


@lru_cache(maxsize=64)  # a submission and the rungs of its ladder, each 50 ms to make
def _engine(host_ptx: str) -> Engine:
    from trainer.ptx.engine import Engine
    from trainer.ptx.parse import parse_module

    return Engine(parse_module(host_ptx, FILE_NAME), width=1)


@dataclass
class _HostMemory:
    """Heap and globals lie in `arena`; the stack can be reached during a trapped call only."""

    arena: Memory
    call: TrapCall | None = None
    live_bytes: int = 0

    def _on_stack(self, address: int) -> bool:
        return self.call is not None and address < HOST_BASE

    def read(self, address: int, nbytes: int) -> bytes:
        if self.call is not None and self._on_stack(address):
            return self.call.read(0, address, nbytes)
        return self.arena.read(address, nbytes)

    def write(self, address: int, data: bytes) -> None:
        if self.call is not None and self._on_stack(address):
            self.call.write(0, address, data)
        else:
            self.arena.write(address, data)

    def allocate(self, nbytes: int) -> int:
        self.live_bytes += nbytes
        if self.live_bytes > MAX_LIVE_BYTES:
            raise DeviceFault(
                f"The host function holds more than {MAX_LIVE_BYTES >> 30} GiB of host memory.",
                where=Location(FILE_NAME),
                hint="Does a loop allocate without end?",
            )
        return self.arena.allocate(max(nbytes, 1), align=256, name="host memory")

    def release(self, address: int) -> bool:
        block = self.arena.find(address)
        if block is None or block.address != address or not block.alive:
            return False
        self.arena.free(address)
        self.live_bytes -= block.nbytes
        return True

    def contains(self, address: int, nbytes: int) -> bool:
        if self.arena.holds(address, nbytes):
            return True
        if self.call is None or not self._on_stack(address):
            return False
        try:
            self.call.host_address(0, address, nbytes)
        except DeviceFault:
            return False
        return True


class HostProcess:
    """A program that was started. What its host function keeps lasts from one call to the next, as it does
    in a process of its own: static variables, the heap, streams, managed memory."""

    def __init__(self, program: Program, device: Device) -> None:
        from trainer.ptx.memory import Memory

        self.program = program
        self.engine = engine = _engine(program.host_ptx)
        arena = Memory(HOST_BYTES, base=HOST_BASE)
        self.memory = _HostMemory(arena)
        self.deadline = self.budget_s = 0.0
        self.instructions = 0
        addresses = engine.load(arena)
        variables = {address: name for name, address in addresses.items()}
        self.state = HostState(
            device=device,
            memory=self.memory,
            kernels=_kernel_shapes(engine),
            resources={k.symbol: k for k in program.kernels},
            function_at=engine.function_at,
            variable_at=variables.get,
        )
        memory_calls, tensor_calls = MemoryCalls(self.state), TensorCalls(self.state)
        managed = [name for name, variable in engine.module.variables.items() if variable.managed]
        memory_calls.mirror_variables({name: addresses[name] for name in managed})
        self.output = OutputCalls(self.state)
        handlers = {
            **memory_calls.handlers(),
            **tensor_calls.handlers(),
            **LaunchCalls(self.state, memory_calls, tensor_calls).handlers(),
            **GraphCalls(self.state).handlers(),
            **self.output.handlers(),
        }
        self.traps = {name: self._trap(handler) for name, handler in handlers.items()}

    def close(self) -> None:
        self.engine.unload(self.memory.arena)

    def call(
        self, arguments: Sequence[int | float], device: Device, *, budget_s: float = DEFAULT_BUDGET_S
    ) -> HostRun:
        """See `run_host`. After an exception the process is of no further use. `device` may be another than
        that of the call before, as long as everything has the same addresses on it."""
        self.deadline, self.budget_s, self.instructions = time.monotonic() + budget_s, budget_s, 0
        self.state.begin(device)
        self.output.begin()
        function = self.engine.module.functions[self.program.entry]
        sizes = [p.nbytes for p in function.parameters]
        packed = [_pack(value, size) for value, size in zip(arguments, sizes, strict=True)]
        exit_code: int | None = None
        try:
            self.engine.call(
                self.program.entry,
                packed,
                self.memory.arena,
                traps=self.traps,
                hooks=self,
                on_slice=self._slice,
            )
        except Exited as exited:
            exit_code = exited.code
            if exit_code:
                raise self._exit_fault(exited) from None
        except UnsupportedError as error:
            if error.where and error.where.file == "source":  # the engine does not know the file
                error.where = Location(FILE_NAME, error.where.line)
            raise
        self._raise_unread()
        return HostRun(
            steps=tuple(self.state.recorder.steps),
            printed=self.output.text,
            synchronizations=self.state.recorder.synchronizations,
            data_dependent=self.state.recorder.data_dependent,
            exit_code=exit_code,
            failures=tuple(self.state.failures),
            empty_launch=next(iter(self.state.empty_launches), None),
            instructions=self.instructions,
        )

    # ---- calls that leave the host function

    def _trap(self, handler: Handler) -> Callable[[TrapCall], None]:
        def answer(call: TrapCall) -> None:
            self._check_limits(call.instruction.line)
            self.memory.call = call
            raw = tuple(call.argument_bytes(0, k) for k in range(len(call.argument_places)))
            try:
                result = handler(Arguments(raw, call.instruction.line))
            except (LookupError, ValueError, OverflowError, struct.error) as error:
                raise self.state.fault(
                    f"{call.name} was called with arguments that make no sense", call.instruction.line
                ) from error
            if result is not None:
                call.set_result(0, int(result))
            self._refresh(call)

        return answer

    def _refresh(self, call: TrapCall) -> None:
        """Generated code looks allocations up in a table: it may have to see a new one."""
        env = call.state.env
        env.allocations, env.allocation_count = self.memory.arena.table()

    def _slice(self, executed: int) -> None:
        self.instructions = executed
        self._check_limits(0)

    def _check_limits(self, line: int) -> None:
        where = Location(FILE_NAME, line or None)
        if time.monotonic() > self.deadline:
            raise TimeLimitError(
                f"The host function did not end within {self.budget_s:.3g} s.",
                where=where,
                hint="Look for a loop in it that never ends, or that starts too much work.",
            )
        if len(self.state.recorder.steps) > MAX_STEPS:
            raise TimeLimitError(
                f"The host function made more than {MAX_STEPS:,} calls to the device.",
                where=where,
                hint="Look for a loop of launches or copies that never ends.",
            )

    # ---- events of generated code (trainer.ptx.engine.Hooks)

    def on_launch(self, launch: LaunchState) -> None:
        return None

    def on_event(self, event: Event) -> bool:
        raise self._fault(event)

    def _fault(self, event: Event) -> DeviceFault:
        from trainer.ptx.layout import EventKind

        line = event.line
        if event.kind == EventKind.STACK_OVERFLOW:
            return self.state.fault(
                "The host function's stack is used up", line, "Does a recursion never end?"
            )
        if event.kind == EventKind.BAD_CALL:
            return self.state.fault("The host function calls through an invalid function pointer", line)
        if not event.addresses:
            return self.state.fault(
                "The host function stops at a trap",
                line,
                "The compiler puts one where a program cannot go on: a null pointer used, say.",
            )
        address = event.addresses[0]
        if address < 4096:
            return self.state.fault("The host function used a null pointer", line)
        if self.state.device.owns(address):
            return self.state.fault(
                "The host function read or wrote device memory through a pointer",
                line,
                "Only kernels can use device pointers; copy with cudaMemcpy first.",
            )
        if event.kind == EventKind.ALIGNMENT:
            return self.state.fault("The host function used a misaligned pointer", line)
        what = self.memory.arena.describe(address, 1)
        return self.state.fault(f"The host function used memory that is not its own ({what})", line)

    # ---- failures

    def _raise_unread(self) -> None:
        """A program that never asks for errors would go on as if nothing had happened."""
        if self.state.unread_failures:
            sentence, line = self.state.unread_failures[0]
            raise self.state.fault(sentence, line, self._said())

    def _exit_fault(self, exited: Exited) -> DeviceFault:
        unread = self.state.unread_failures or self.state.empty_launches
        reasons = [sentence for sentence, _ in unread] or self.state.failures
        because = f" after: {reasons[0]}" if reasons else ""
        return self.state.fault(
            f"The host function called exit({exited.code}){because}", exited.line, self._said()
        )

    def _said(self) -> str:
        text = self.output.text.strip()
        return f"It printed: {text[-500:]}" if text else ""


def _kernel_shapes(engine: Engine) -> dict[str, KernelShape]:
    return {
        f.name: KernelShape(
            tuple((f.parameter_offset(p.name), p.nbytes) for p in f.parameters), f.parameter_bytes
        )
        for f in engine.module.functions.values()
        if f.is_entry
    }


def _pack(value: int | float, nbytes: int) -> bytes:
    """A scalar or address as the parameter's bytes; its size tells int from size_t, float from double."""
    if isinstance(value, float):
        return struct.pack("<f" if nbytes == 4 else "<d", value)
    return (int(value) & ((1 << 8 * nbytes) - 1)).to_bytes(nbytes, "little")
