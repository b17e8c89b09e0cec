"""What a CUDA error means for a submission, in words; and which errors leave the context dead."""

from __future__ import annotations

from trainer.cuda.device import Launch
from trainer.cuda.includes import FILE_NAME
from trainer.cuda.limits import shape_text
from trainer.errors import DeviceFault, Location
from trainer.gpu.driver import DriverError

OUT_OF_MEMORY = 2
_INVALID_VALUE = 1

# code -> (what happened, what to look at)
_RUNTIME = {
    700: (
        "illegal memory access",
        "An index runs past the end of a buffer, or a pointer is null. "
        "The simulator (backend sim) names the line, block and thread.",
    ),
    702: ("the kernel ran too long for this display driver", "Look for a loop that never ends."),
    710: ("an assert() in the kernel failed", "The printed output says which."),
    714: ("hardware stack error", "Recursion or a large local array has used up the stack."),
    715: (
        "illegal instruction",
        "An index that leaves a shared array for certain, __trap() or damaged inline PTX does this.",
    ),
    716: (
        "misaligned address",
        "A float4 access needs a 16-byte aligned address: an odd offset or a pointer cast breaks that.",
    ),
    717: ("access to the wrong address space", "Look at casts between shared and global pointers."),
    718: ("invalid program counter", "A function pointer or the stack was overwritten."),
    719: (
        "the kernel failed",
        "Usually an access outside shared memory, or __trap(). "
        "The simulator (backend sim) names line, block and thread.",
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
    shape = f"<<<{shape_text(launch.grid)}, {shape_text(launch.block)}>>>"
    return DeviceFault(f"{what} in {kernel}{shape}{line} ({error.name})", hint=hint, where=place(launch))


def place(launch: Launch) -> Location | None:
    """Where the host function launches, if that is known."""
    return Location(FILE_NAME, launch.line) if launch.line else None
