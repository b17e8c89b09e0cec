"""Runs compiled kernels: sets a launch up, calls native code in slices, hands events on."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from trainer.errors import DeviceFault, Location, TimeLimitError, UnsupportedError
from trainer.ptx import barriers
from trainer.ptx.compiled import CompiledKernel, compile_kernel
from trainer.ptx.events import Event, access_bytes, fault_of
from trainer.ptx.launch import Hooks, LaunchResult, LaunchState, NoHooks, Trap, TrapCall
from trainer.ptx.layout import (
    FUNCTION_BASE,
    Dim3,
    Env,
    EventKind,
    Frame,
    Site,
    Slot,
    Status,
    Warp,
)
from trainer.ptx.memory import Memory, load_globals
from trainer.ptx.module import CallTarget, Instruction, Module, Symbol
from trainer.ptx.residents import Residents

PARAMETER_BYTES = 32 << 10  # the most that a kernel may have
HOST_ARGUMENT_BYTES = 8 << 10
RETURN_EVERY = 1_000_000  # warp instructions between returns to Python (some tens of milliseconds)
CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int64,
    ctypes.c_int64,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_int64,
    ctypes.c_int64,
    ctypes.c_void_p,
)


class Engine:
    """Runs the kernels (width 32) or host functions (width 1) of one PTX module.

    `access` chooses the instrumentation (see trainer.ptx.lower.access); kernels are translated when first
    launched. `traps` are Python functions for external functions: vprintf, malloc, ... or API shims.
    """

    def __init__(
        self, module: Module, width: int = 32, *, access: Any = None, traps: Mapping[str, Trap] | None = None
    ) -> None:
        self.module = module
        self.width = width
        self.access = access
        self.traps = dict(traps or {})
        self.functions = {name: FUNCTION_BASE + 16 * k for k, name in enumerate(module.functions)}
        self._kernels: dict[str, CompiledKernel] = {}
        self._symbols: WeakKeyDictionary[Memory, dict[str, int]] = WeakKeyDictionary()
        self._slots: dict[tuple[Any, ...], Residents] = {}
        self._launches = 0

    def function_at(self, address: int) -> str | None:
        """Name of the device function or kernel whose address this is."""
        number, rest = divmod(address - FUNCTION_BASE, 16)
        names = list(self.module.functions)
        return names[number] if rest == 0 and 0 <= number < len(names) else None

    def kernel(self, name: str) -> CompiledKernel:
        """Translate and compile a kernel (once). Raises UnsupportedError."""
        found = self._kernels.get(name)
        if found is None:
            if name not in self.module.functions:
                raise UnsupportedError(f"there is no kernel `{name}` in this program")
            found = self._kernels[name] = compile_kernel(self.module, name, self.width, self.access)
        return found

    def load(self, memory: Memory) -> dict[str, int]:
        """Place the module's variables in `memory` (once per memory); returns name -> address."""
        if memory not in self._symbols:
            values: dict[str, int] = {}
            load_globals(memory, self.module, self.functions, values)
            self._symbols[memory] = values
        return self._symbols[memory]

    def unload(self, memory: Memory) -> None:
        """Forget the module's variables in `memory` (it was reset)."""
        self._symbols.pop(memory, None)

    def launch(
        self,
        kernel: str,
        grid: Dim3,
        block: Dim3,
        dynamic_shared_bytes: int,
        parameters: bytes,
        memory: Memory,
        *,
        hooks: Hooks | None = None,
        budget: int | None = None,
        resident_blocks: int | None = None,
        on_slice: Callable[[int], None] | None = None,
        cooperative: bool = False,
    ) -> LaunchResult:
        """Run a kernel to its end.

        `cooperative` keeps all blocks resident and gives them the workspace of `grid.sync()`.

        `budget` limits warp instructions (TimeLimitError names the line); `on_slice` is called with the
        number executed every few tens of milliseconds and may raise. Faults raise DeviceFault unless
        `hooks` chooses to go on.
        """
        compiled = self.kernel(kernel)
        observer = hooks or NoHooks()
        workspace = _grid_workspace(memory) if cooperative else 0
        if cooperative:
            resident_blocks = grid[0] * grid[1] * grid[2]
        state = self._prepare(
            compiled, grid, block, dynamic_shared_bytes, parameters, memory, resident_blocks
        )
        state.env.envreg[1], state.env.envreg[2] = workspace >> 32, workspace & 0xFFFFFFFF
        callback = CALLBACK(lambda *a: self._on_event(state, observer, a))
        state.env.callback = ctypes.cast(callback, ctypes.c_void_p).value
        observer.on_launch(state)
        try:
            self._run(state, observer, budget, on_slice)
        finally:
            state.env.callback = None
        counters = state.counters
        lengths = compiled.block_lengths
        return LaunchResult(
            compiled, counters, int((counters[:, 0] * lengths).sum()), int((counters[:, 1] * lengths).sum())
        )

    def call(
        self,
        function: str,
        arguments: Sequence[bytes],
        memory: Memory,
        *,
        budget: int | None = None,
        traps: Mapping[str, Trap] | None = None,
        hooks: Hooks | None = None,
        on_slice: Callable[[int], None] | None = None,
    ) -> bytes:
        """Host mode: call a `.func` (or `.entry`) with argument bytes; returns the bytes of its result."""
        saved = self.traps
        if traps is not None:
            self.traps = dict(traps)
        try:
            compiled = self.kernel(function)
            state = self._prepare(compiled, (1, 1, 1), (1, 1, 1), 0, b"", memory, 1)
            places = self._place_arguments(state, compiled, arguments)
            observer = hooks or NoHooks()
            callback = CALLBACK(lambda *a: self._on_event(state, observer, a))
            state.env.callback = ctypes.cast(callback, ctypes.c_void_p).value
            self._run(state, observer, budget, on_slice)
            offset, nbytes = places
            warp = Warp.from_address(int(Slot.from_address(state.env.slots).warps))
            return ctypes.string_at(int(warp.local) + offset, nbytes) if nbytes else b""
        finally:
            self.traps = saved

    # setting up

    def _place_arguments(
        self, state: LaunchState, compiled: CompiledKernel, arguments: Sequence[bytes]
    ) -> tuple[int, int]:
        """Put arguments of a `.func` behind its depot; returns place and size of the result."""
        function = self.module.functions[compiled.name]
        if function.is_entry:
            raise UnsupportedError("host entries are functions, not kernels")
        if sum(v.nbytes + v.align for v in (*function.returns, *function.parameters)) > HOST_ARGUMENT_BYTES:
            raise UnsupportedError(f"`{compiled.name}` has too many arguments ({HOST_ARGUMENT_BYTES} bytes)")
        warp = Warp.from_address(int(Slot.from_address(state.env.slots).warps))
        frame = Frame.from_address(int(warp.frame))
        cursor = int(state.env.local_stride) - HOST_ARGUMENT_BYTES
        places = []
        for k, variable in enumerate((*function.returns, *function.parameters)):
            cursor = -(-cursor // max(variable.align, 8)) * max(variable.align, 8)
            places.append((cursor, variable.nbytes))
            frame.arguments[k] = cursor
            if k >= len(function.returns):
                raw = arguments[k - len(function.returns)]
                ctypes.memmove(int(warp.local) + cursor, raw, min(len(raw), variable.nbytes))
            cursor += variable.nbytes
        return places[0] if function.returns else (0, 0)

    def _prepare(
        self,
        compiled: CompiledKernel,
        grid: Dim3,
        block: Dim3,
        dynamic: int,
        parameters: bytes,
        memory: Memory,
        resident: int | None,
    ) -> LaunchState:
        symbols = self.load(memory)
        env = Env()
        self._launches += 1
        env.launch_id = self._launches
        env.run_warp = compiled.address
        env.delta = memory.delta
        env.grid_x, env.grid_y, env.grid_z = grid
        env.block_x, env.block_y, env.block_z = block
        env.dynamic_shared = dynamic
        env.static_shared = compiled.shared_bytes
        env.shared_bytes = compiled.shared_bytes + dynamic
        env.slice_length = 20_000 if compiled.may_spin else 1_000_000
        env.waits = compiled.may_spin
        env.block_count = grid[0] * grid[1] * grid[2]
        counters = np.zeros((max(len(compiled.blocks), 1), 4), dtype=np.int64)
        sites = (Site * max(len(compiled.sites), 1))()
        names = list(self.module.variables)
        addresses = (ctypes.c_int64 * max(len(names), 1))(*[symbols.get(n, 0) for n in names])
        buffer = ctypes.create_string_buffer(parameters, max(len(parameters), 1) + 64)
        env.counters = counters.ctypes.data
        env.sites = ctypes.addressof(sites)
        env.symbols = ctypes.addressof(addresses)
        env.functions = ctypes.addressof(compiled.function_table)
        env.function_frames = ctypes.addressof(compiled.frame_table)
        env.function_count = len(self.functions)
        env.parameters = ctypes.addressof(buffer)
        state = LaunchState(env, compiled, grid, block, memory, counters, sites, [addresses, buffer])
        if compiled.takes_parameter_address:
            self._expose_parameters(state, parameters)
        env.allocations, env.allocation_count = memory.table()
        residents = self._residents(compiled, block, env, resident)
        env.slots = ctypes.addressof(residents.slots)
        env.slot_count = len(residents.slots)
        residents.attach(env)
        state.keep.append(residents)
        return state

    def _expose_parameters(self, state: LaunchState, parameters: bytes) -> None:
        """Some kernels take the address of a parameter: keep a copy where addresses can reach."""
        name = "kernel parameters"
        block = next((b for b in state.memory.blocks if b.name == name), None)
        memory = state.memory
        address = block.address if block else memory.allocate(PARAMETER_BYTES, name=name, read_only=True)
        state.memory.write(address, parameters)
        state.env.parameters_address = address

    def _residents(self, compiled: CompiledKernel, block: Dim3, env: Env, resident: int | None) -> Residents:
        blocks = int(env.block_count)
        wanted = min(blocks, resident or (2048 if compiled.may_spin else 256))
        key = (compiled.name, block, int(env.shared_bytes), wanted)
        found = self._slots.get(key)
        if found is None:
            found = Residents(compiled, block, int(env.shared_bytes), wanted, self.width)
            if len(self._slots) > 8:
                self._slots.clear()
            self._slots[key] = found
        env.local_stride = found.local_stride
        return found

    # running

    def _run(
        self, state: LaunchState, hooks: Hooks, budget: int | None, on_slice: Callable[[int], None] | None
    ) -> None:
        env = state.env
        run_grid = state.kernel.run_grid
        pointer = ctypes.addressof(env)
        while True:
            left = RETURN_EVERY if budget is None else min(RETURN_EVERY, budget - int(env.executed))
            if left <= 0:
                raise self._out_of_time(state)
            env.budget = left
            status = run_grid(pointer)
            if state.failure is not None:
                raise state.failure
            if status == Status.DONE:
                return
            if status == Status.DEADLOCK:
                self._deadlock(state, hooks)
                return
            if status == Status.STOPPED:
                raise DeviceFault("the kernel was stopped")
            if on_slice is not None:
                on_slice(int(env.executed))

    def _current(self, state: LaunchState) -> tuple[Slot, Warp, Instruction, str]:
        """A slot, warp and instruction that are running (or waiting) now."""
        env = state.env
        index = min(int(env.current_slot), max(int(env.active_slots) - 1, 0))
        slot = Slot.from_address(int(env.slots) + index * ctypes.sizeof(Slot))
        warps = barriers.warps(slot)
        ready = [w for w in warps if w.alive & ~w.waiting] or [w for w in warps if w.alive] or warps
        warp = ready[0]
        frame = Frame.from_address(int(warp.frame))
        lanes = [k for k in range(self.width) if frame.live >> k & 1] or [0]
        pc = min(frame.pc[k] for k in lanes)
        if frame.pending:
            pc = frame.pending - 1
        info = state.kernel.blocks[min(pc, len(state.kernel.blocks) - 1)]
        if frame.pending or not warp.waiting or pc == 0:
            instruction = info.instructions[0]
        else:
            same = [b for b in state.kernel.blocks if b.function == info.function]
            instruction = next((b for b in same if b.block.following == pc), info).instructions[-1]
        return slot, warp, instruction, info.function

    def running(self, state: LaunchState) -> tuple[Instruction, Dim3, Dim3]:
        """An instruction that some warp of the launch executes (or waits at) now; its block and a thread."""
        slot, warp, instruction, _ = self._current(state)
        lane = next((k for k in range(self.width) if warp.alive & ~warp.waiting & 1 << k), 0)
        return instruction, (slot.x, slot.y, slot.z), (warp.x[lane], warp.y[lane], warp.z[lane])

    def _out_of_time(self, state: LaunchState) -> TimeLimitError:
        _, _, instruction, function = self._current(state)
        where = Location("source", instruction.line) if instruction.line else None
        return TimeLimitError(
            f"`{function}` is still running after {int(state.env.executed):,} warp instructions",
            where=where,
            hint="look for a loop that does not end, or one that waits for another thread",
        )

    def _deadlock(self, state: LaunchState, hooks: Hooks) -> None:
        slot, warp, instruction, function = self._current(state)
        warp = next((w for w in barriers.warps(slot) if w.waiting), warp)
        mask, barrier = barriers.held(state.kernel, slot, warp)
        instruction = barrier or instruction
        lanes = tuple(barriers.lanes_of(mask))
        threads = tuple((warp.x[k], warp.y[k], warp.z[k]) for k in lanes)
        event = Event(
            EventKind.DEADLOCK,
            state.kernel.name,
            function,
            instruction,
            (slot.x, slot.y, slot.z),
            warp.index,
            lanes,
            threads,
            text="threads wait at a barrier that the others never reach",
            others=(
                barriers.outside(slot)
                or barriers.elsewhere(state.kernel, slot, instruction)
                or barriers.gone(state.kernel, slot)
            ),
        )
        if not hooks.on_event(event):
            raise fault_of(event, state.memory)

    # events

    def _on_event(self, state: LaunchState, hooks: Hooks, raw: tuple[int, ...]) -> int:
        """Called from generated code. Nothing may be raised through it: failures stop the launch."""
        try:
            return self._handle(state, hooks, *raw)
        except BaseException as error:  # noqa: BLE001  (KeyboardInterrupt too: it is raised again after the launch)
            state.failure = state.failure or error
            state.env.stop = 1
            return 0

    def _handle(
        self,
        state: LaunchState,
        hooks: Hooks,
        kind: int,
        warp_at: int,
        frame_at: int,
        mask: int,
        site: int,
        data: int,
    ) -> int:
        info = state.kernel.sites[site]
        lanes = tuple(k for k in range(self.width) if mask >> k & 1)
        if kind == EventKind.HOOK:
            self._python_hook(state, mask, data)
            return 0
        if kind == EventKind.CALL:
            self._trap(state, warp_at, frame_at, lanes, info.function, info.instruction)
            return 0
        warp = Warp.from_address(warp_at)
        slot = Slot.from_address(warp.slot)
        walked_past = kind == EventKind.LEFT_BARRIER
        others = None
        if walked_past:
            if not barriers.passed_by(state.kernel, warp, frame_at, mask):
                return 0
            kind = EventKind.BARRIER_DIVERGENCE
            others = barriers.left(state.kernel, warp, list(lanes))
            lanes = tuple(barriers.lanes_of(warp.waiting))
        elif kind == EventKind.BARRIER_DIVERGENCE:
            if not barriers.differs(state.kernel, slot, site):
                return 0
            others = barriers.elsewhere(state.kernel, slot, info.instruction)
        addresses: tuple[int, ...] = ()
        if kind in (EventKind.BOUNDS, EventKind.ALIGNMENT, EventKind.READ_ONLY) and data:
            table = (ctypes.c_uint64 * self.width).from_address(data)
            addresses = tuple(table[k] for k in lanes)
        absent: tuple[int, ...] = ()
        readers: tuple[int, ...] = ()
        if kind == EventKind.ABSENT_LANE and data:
            masks = (ctypes.c_uint32 * 2).from_address(data)
            absent, readers = (tuple(k for k in range(self.width) if m >> k & 1) for m in masks)
        waiters: tuple[int, ...] = ()
        waiters_at = None
        if kind == EventKind.WARP_DEADLOCK:
            others = warp.askers & warp.alive & ~mask
            waiters = tuple(k for k in range(self.width) if others >> k & 1)
            waiters_at = state.kernel.sites[warp.asked_at].instruction
        known = EventKind(kind) if kind in EventKind._value2member_map_ else kind
        event = Event(
            known,
            state.kernel.name,
            info.function,
            info.instruction,
            (slot.x, slot.y, slot.z),
            warp.index,
            lanes,
            tuple((warp.x[k], warp.y[k], warp.z[k]) for k in lanes),
            addresses,
            absent=absent,
            readers=readers,
            waiters=waiters,
            waiters_at=waiters_at,
            walked_past=walked_past,
            others=others,
        )
        if not hooks.on_event(event) or kind == EventKind.STACK_OVERFLOW:
            state.failure = fault_of(event, state.memory)
            state.env.stop = 1
        return 0

    def _python_hook(self, state: LaunchState, mask: int, data: int) -> None:
        number = ctypes.c_int64.from_address(data).value
        hook = state.kernel.hooks[number]
        arrays = []
        for k, dtype in enumerate((*hook.inputs, *hook.outputs)):
            kind = np.dtype(dtype)
            raw = (ctypes.c_char * (kind.itemsize * self.width)).from_address(data + 64 + 8 * self.width * k)
            arrays.append(np.frombuffer(raw, dtype=kind))
        count = len(hook.inputs)
        hook.function(mask, arrays[:count], arrays[count:])

    def _trap(
        self,
        state: LaunchState,
        warp_at: int,
        frame_at: int,
        lanes: tuple[int, ...],
        function: str,
        instruction: Instruction,
    ) -> None:
        target = instruction.operands[0]
        assert isinstance(target, CallTarget) and isinstance(target.callee, str)
        trap = self.traps.get(target.callee)
        if trap is None:
            where = Location("source", instruction.line)
            raise UnsupportedError(f"the simulator has no `{target.callee}`", where=where)
        frame = Frame.from_address(frame_at)
        depot = state.kernel.depots[function]
        variables = state.kernel.variables[function]

        def place(name: str) -> tuple[int, int]:
            return int(frame.local_base) + depot[name], variables[name].nbytes

        arguments = tuple(place(a.name) for a in target.arguments if isinstance(a, Symbol))
        returns = tuple(place(n) for n in target.returns)
        trap(TrapCall(target.callee, lanes, self, state, warp_at, instruction, arguments, returns))


def _grid_workspace(memory: Memory) -> int:
    """Where cooperative groups keep the barrier of a grid: 64 zeroed bytes; %envreg1, 2: its address."""
    name = "grid barrier"
    block = next((b for b in memory.blocks if b.name == name and b.alive), None)
    address = block.address if block else memory.allocate(64, name=name)
    memory.fill(address, 0, 64)
    return address


__all__ = [
    "Engine",
    "Event",
    "Hooks",
    "LaunchResult",
    "LaunchState",
    "NoHooks",
    "Trap",
    "TrapCall",
    "access_bytes",
]
