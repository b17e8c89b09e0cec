"""What a CUDA error means for a submission, in words; and which errors leave the context dead."""

from __future__ import annotations

from trainer.cuda.device import DeviceProperties, Launch
from trainer.errors import DeviceFault
from trainer.gpu.driver import DriverError

OUT_OF_MEMORY = 2
_INVALID_VALUE = 1

# code -> (what happened, what to look at)
_RUNTIME = {
    700: (
        "illegal memory access",
        "An index runs past the end of a buffer, or a pointer is null. "
        "`--backend sim` names the line, block and thread.",
    ),
    702: ("the kernel ran too long for this display driver", "Look for a loop that never ends."),
    710: ("an assert() in the kernel failed", "The printed output says which."),
    714: ("hardware stack error", "Recursion or a large local array has used up the stack."),
    715: ("illegal instruction", "__trap() or damaged inline PTX does this."),
    716: (
        "misaligned address",
        "A float4 access needs a 16-byte aligned address: an odd offset or a pointer cast breaks that.",
    ),
    717: ("access to the wrong address space", "Look at casts between shared and global pointers."),
    718: ("invalid program counter", "A function pointer or the stack was overwritten."),
    719: (
        "the kernel failed",
        "Usually an access outside shared memory. `--backend sim` names the line, block and thread.",
    ),
}
_LAUNCH = {
    1: ("the launch was refused as invalid", "Check grid, block, shared memory and the arguments."),
    701: (
        "the launch asks for more registers or shared memory than a multiprocessor has",
        "Use a smaller block, or __launch_bounds__ so that the compiler uses fewer registers.",
    ),
    720: (
        "the cooperative launch does not fit on the device at once",
        "A cooperative grid must be resident as a whole: use fewer blocks.",
    ),
    912: ("the cluster is larger than the device allows", "Eight blocks in a cluster are always allowed."),
}

# After these every call in the process fails: only a new process gets a working context.
_DEADLY = frozenset(_RUNTIME)


def is_deadly(error: DriverError) -> bool:
    return error.code in _DEADLY


def fault(error: DriverError, launch: Launch | None = None, kernel: str = "") -> DeviceFault:
    """The fault to report. `kernel` is the name to show for the launch that ran last."""
    what, hint = _RUNTIME.get(error.code) or _LAUNCH.get(error.code) or (error.text or error.name, "")
    if launch is None:
        return DeviceFault(f"{what} ({error.name})", hint=hint)
    line = f", launched in line {launch.line}" if launch.line else ""
    shape = f"<<<{_shape(launch.grid)}, {_shape(launch.block)}>>>"
    return DeviceFault(f"{what} in {kernel}{shape}{line} ({error.name})", hint=hint)


def check_shape(launch: Launch, limits: DeviceProperties, kernel: str) -> None:
    """Raises DeviceFault for a launch that no such GPU accepts, saying which number is too large."""
    where = f"{kernel}<<<{_shape(launch.grid)}, {_shape(launch.block)}, {launch.shared_bytes}>>>"
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


_GRID_HINT = "Only grid.x may exceed 65535: put the long dimension there, or let each thread do more."


def _shape(dims: tuple[int, int, int]) -> str:
    if dims[1:] == (1, 1):
        return str(dims[0])
    return "({}, {}, {})".format(*dims)
