"""The arguments of one call of `solve`, placed in device memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trainer.bank.dtypes import dtype_of
from trainer.bank.model import Array, Role
from trainer.errors import WorkerError
from trainer.gpu.driver import Driver
from trainer.gpu.memory import Allocation, Memory
from trainer.grade.backend import ArgumentValue


class BoundArguments:
    """`values` is what `solve` is called with, in its order: addresses and numbers.

    What `solve` overwrites in place is kept a second time on the device, so that it can be put back.
    """

    def __init__(self, driver: Driver, memory: Memory, arguments: Sequence[ArgumentValue]) -> None:
        self._driver = driver
        self._memory = memory
        self._inputs: list[tuple[Allocation, Array]] = []
        self._outputs: list[tuple[Allocation, ArgumentValue]] = []
        self._kept: list[tuple[Allocation, Allocation]] = []  # what an in-place argument holds at the start
        self.values = tuple(self._bind(argument) for argument in arguments)

    @property
    def nbytes(self) -> int:
        return sum(a.nbytes for a, _ in self._inputs) + sum(a.nbytes for a, _ in self._outputs)

    @property
    def scalars(self) -> tuple[int | float, ...]:
        """The numbers among the values."""
        places = {a.address for a, _ in self._inputs} | {a.address for a, _ in self._outputs}
        return tuple(value for value in self.values if value not in places)

    @property
    def inputs(self) -> tuple[Allocation, ...]:
        """Where the data lies that `solve` is given; of in-place arguments, the copies that are kept."""
        return (*(allocation for allocation, _ in self._inputs), *(kept for kept, _ in self._kept))

    @property
    def in_place(self) -> bool:
        """Whether a call destroys the data that it was given."""
        return bool(self._kept)

    def release(self) -> None:
        """The caller's buffers are freed: who uses them in a later call reads garbage."""
        for allocation in [a for a, _ in self._inputs] + [a for a, _ in self._outputs]:
            self._memory.release(allocation)

    def reset_outputs(self, *, keep: bool = False) -> None:
        """Zeros where the task promises those, else poison; with `keep`, what is there stays instead.
        In-place arguments get their data back."""
        for allocation, argument in self._outputs:
            if argument.role.is_read:
                continue
            if argument.zeroed:
                self._driver.fill(allocation.address, 0, allocation.nbytes)
            elif not keep:
                self._memory.poison(allocation)
        self.restore()

    def restore(self) -> None:
        """Puts the data of in-place arguments back."""
        for kept, allocation in self._kept:
            self._driver.copy(allocation.address, kept.address, kept.nbytes)

    def outputs(self) -> dict[str, Array]:
        """Copies of all outputs; waits for the device."""
        return {
            argument.name: self._download(allocation, dtype_of(argument.dtype)).reshape(argument.shape)
            for allocation, argument in self._outputs
        }

    def changed_inputs(self) -> tuple[str, ...]:
        """Names of inputs that no longer hold what they were given, compared bit for bit."""
        return tuple(
            allocation.name
            for allocation, given in self._inputs
            if not np.array_equal(self._download(allocation, np.dtype(np.uint8)), _bytes(given))
        )

    def copy_inputs_from(self, other: BoundArguments) -> None:
        """The data of another call of the same shape, device to device."""
        for mine, theirs in zip(self.inputs, other.inputs, strict=True):
            self._driver.copy(mine.address, theirs.address, mine.nbytes)

    def _bind(self, argument: ArgumentValue) -> int | float:
        if argument.role is Role.OUTPUT:
            dtype = dtype_of(argument.dtype)
            nbytes = dtype.itemsize * int(np.prod(argument.shape, dtype=np.int64))
            allocation = self._memory.allocate(argument.name, nbytes)
            self._outputs.append((allocation, argument))
            if argument.zeroed:
                self._driver.fill(allocation.address, 0, nbytes)
            return allocation.address
        value = argument.value
        if isinstance(value, np.ndarray):
            data = np.ascontiguousarray(value, dtype=dtype_of(argument.dtype))
            allocation = self._memory.allocate(argument.name, data.nbytes)
            self._driver.upload(allocation.address, _bytes(data).data)
            if not argument.role.is_written:
                self._inputs.append((allocation, data))
                return allocation.address
            kept = self._memory.allocate(f"{argument.name} at the start", data.nbytes)
            self._driver.copy(kept.address, allocation.address, data.nbytes)
            self._kept.append((kept, allocation))
            self._outputs.append((allocation, argument))
            return allocation.address
        if value is None:
            raise WorkerError(f"the argument {argument.name} has no value")
        return value

    def _download(self, allocation: Allocation, dtype: np.dtype[np.generic]) -> Array:
        array = np.empty(allocation.nbytes // dtype.itemsize, dtype)
        self._driver.download(allocation.address, _bytes(array).data)
        return array


def _bytes(array: Array) -> Array:
    return array.reshape(-1).view(np.uint8)
