"""The arguments of one call of `solve`, placed in simulated memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trainer.bank.dtypes import dtype_of
from trainer.bank.model import Array, Role
from trainer.errors import WorkerError
from trainer.grade.backend import ArgumentValue
from trainer.sim.memory import SimMemory


class BoundArguments:
    """`values` is what `solve` is called with, in its order: addresses and numbers."""

    def __init__(self, memory: SimMemory, arguments: Sequence[ArgumentValue]) -> None:
        self._memory = memory
        self._inputs: list[tuple[str, int, Array]] = []
        self._outputs: list[tuple[int, ArgumentValue]] = []
        self.values = tuple(self._bind(argument) for argument in arguments)

    def outputs(self) -> dict[str, Array]:
        """Copies of all outputs."""
        return {a.name: self._read(address, a) for address, a in self._outputs}

    def changed_inputs(self) -> tuple[str, ...]:
        """Names of inputs that no longer hold what they were given, compared bit for bit."""
        return tuple(
            name
            for name, address, given in self._inputs
            if not np.array_equal(self._memory.array(address, given.nbytes), _bytes(given))
        )

    def release(self) -> None:
        """The caller's buffers are freed: who uses them in a later call is told so."""
        for address in [a for _, a, _ in self._inputs] + [a for a, _ in self._outputs]:
            self._memory.free(address)

    def _bind(self, argument: ArgumentValue) -> int | float:
        element = dtype_of(argument.dtype).itemsize
        if argument.role is Role.OUTPUT:
            nbytes = element * int(np.prod(argument.shape, dtype=np.int64))
            address = self._memory.create(argument.name, nbytes, element=element)
            self._outputs.append((address, argument))
            if argument.zeroed:
                self._memory.fill(address, 0, nbytes)
                self._memory.mark_written(address, nbytes)
            return address
        value = argument.value
        if isinstance(value, np.ndarray):
            data = np.ascontiguousarray(value, dtype=dtype_of(argument.dtype))
            address = self._memory.create(argument.name, data.nbytes, element=element)
            self._memory.array(address, data.nbytes)[:] = _bytes(data)
            self._memory.mark_written(address, data.nbytes)
            if argument.role.is_written:
                self._outputs.append((address, argument))
            else:
                self._inputs.append((argument.name, address, data))
            return address
        if value is None:
            raise WorkerError(f"the argument {argument.name} has no value")
        return value

    def _read(self, address: int, argument: ArgumentValue) -> Array:
        dtype = dtype_of(argument.dtype)
        nbytes = dtype.itemsize * int(np.prod(argument.shape, dtype=np.int64))
        return self._memory.array(address, nbytes).copy().view(dtype).reshape(argument.shape)


def _bytes(array: Array) -> Array:
    return array.reshape(-1).view(np.uint8)
