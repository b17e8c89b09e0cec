"""Launch shapes that no GPU accepts."""

from __future__ import annotations

from trainer.cuda.device import DeviceProperties, Dim3, Launch
from trainer.errors import DeviceFault

_GRID_HINT = "Only grid.x may exceed 65535: put the long dimension there, or let each thread do more."


def check_shape(launch: Launch, limits: DeviceProperties, kernel: str) -> None:
    """Raises DeviceFault for a launch that no such GPU accepts, saying which number is too large."""
    where = f"{kernel}<<<{shape_text(launch.grid)}, {shape_text(launch.block)}, {launch.shared_bytes}>>>"
    if 0 in launch.grid:
        raise DeviceFault(f"{where}: the grid is empty", hint="Round up: (N + block - 1) / block.")
    if 0 in launch.block:
        raise DeviceFault(f"{where}: the block is empty", hint="A block needs at least one thread.")
    for axis, count, most in zip("xyz", launch.grid, (2**31 - 1, 65535, 65535), strict=True):
        if not 0 <= count <= most:
            raise DeviceFault(f"{where}: grid.{axis} is {count}, the limit is {most}", hint=_GRID_HINT)
    for axis, count, most in zip("xyz", launch.block, (1024, 1024, 64), strict=True):
        if not 0 <= count <= most:
            raise DeviceFault(f"{where}: block.{axis} is {count}, the limit is {most}")
    threads = launch.block[0] * launch.block[1] * launch.block[2]
    if threads > limits.max_threads_per_block:
        most = limits.max_threads_per_block
        raise DeviceFault(f"{where}: {threads} threads in a block, the limit is {most}")
    if launch.shared_bytes > limits.shared_bytes_per_block_optin:
        most = limits.shared_bytes_per_block_optin
        raise DeviceFault(f"{where}: {launch.shared_bytes} bytes of shared memory, the limit is {most}")


def shape_text(dims: Dim3) -> str:
    """The shape as people write it: "8" or "(8, 2, 1)"."""
    if dims[1:] == (1, 1):
        return str(dims[0])
    return "({}, {}, {})".format(*dims)
