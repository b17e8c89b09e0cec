"""What GPU there is, without a CUDA context, CuPy or a child process: for `doctor` and `--backend auto`."""

from __future__ import annotations

import ctypes
import sys
from ctypes import byref, c_int, c_size_t
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from trainer.errors import MissingToolError
from trainer.gpu.driver import Attribute, error, format_uuid, load_library
from trainer.gpu.nvml import Nvml

# The oldest driver whose calls we use (cuLaunchKernelEx, graphs) and NVRTC 12 needs.
OLDEST_CUDA = (12, 0)

# NVRTC 13 compiles for Turing (7.5) and newer.
OLDEST_CAPABILITY = (7, 5)


@dataclass(frozen=True)
class GpuProbe:
    """`usable`, or `problem` and `hint` in words. `nvml_problem` is a lesser one: no clocks shown."""

    usable: bool
    problem: str = ""
    hint: str = ""
    name: str = ""
    uuid: str = ""
    cuda_version: tuple[int, int] | None = None
    compute_capability: tuple[int, int] | None = None
    memory_bytes: int = 0
    driver_version: str = ""
    nvml_problem: str = ""
    nvml_hint: str = ""


@cache
def probe() -> GpuProbe:
    """Looks once per process; calling cuInit takes up to 0.3 s where there is a GPU. Never raises."""
    try:
        cuda = load_library()
    except MissingToolError as missing:
        return GpuProbe(False, missing.message, _no_driver_hint())
    status = cuda.cuInit(0)
    if status:
        return GpuProbe(False, *_why_not_initialised(str(error(cuda, "cuInit", status)), status))
    return _look(cuda)


def require() -> GpuProbe:
    """The probe of a usable GPU. Raises MissingToolError saying what is missing and what to do."""
    found = probe()
    if not found.usable:
        raise MissingToolError(found.problem, hint=found.hint)
    return found


def _look(cuda: ctypes.CDLL) -> GpuProbe:
    count, device, version = c_int(), c_int(), c_int()
    cuda.cuDeviceGetCount(byref(count))
    if count.value == 0 or cuda.cuDeviceGet(byref(device), 0):
        return GpuProbe(
            False,
            "The NVIDIA driver sees no GPU.",
            "CUDA_VISIBLE_DEVICES may hide it; in a container, start it with --gpus all.",
        )
    cuda.cuDriverGetVersion(byref(version))
    cuda_version = (version.value // 1000, version.value % 1000 // 10)
    capability = (
        _attribute(cuda, device, Attribute.CAPABILITY_MAJOR),
        _attribute(cuda, device, Attribute.CAPABILITY_MINOR),
    )
    problem, hint = _too_old(cuda_version, capability)
    uuid = _uuid(cuda, device)
    nvml = Nvml(uuid)
    return GpuProbe(
        usable=not problem,
        problem=problem,
        hint=hint,
        name=_name(cuda, device),
        uuid=uuid,
        cuda_version=cuda_version,
        compute_capability=capability,
        memory_bytes=_memory(cuda, device),
        driver_version=driver_version(),
        nvml_problem=nvml.problem,
        nvml_hint=_nvml_hint(nvml.problem),
    )


def driver_version() -> str:
    """e.g. "580.159.04"; "" where the kernel module does not tell (WSL, gVisor)."""
    for path in ("/sys/module/nvidia/version", "/proc/driver/nvidia/version"):
        try:
            text = Path(path).read_text()
        except OSError:
            continue
        words = text.split()
        numbers = [word for word in words if word[0].isdigit() and "." in word]
        if numbers:
            return numbers[0]
    return ""


def is_wsl() -> bool:
    try:
        return "microsoft" in Path("/proc/version").read_text().lower()
    except OSError:
        return False


def _why_not_initialised(text: str, status: int) -> tuple[str, str]:
    if status == 100:
        return "The NVIDIA driver sees no GPU.", "CUDA_VISIBLE_DEVICES may hide it."
    if status == 803 or status == 804:
        hint = "The driver was updated while its old module is still loaded: reboot."
    elif is_wsl():
        hint = (
            "Under WSL the driver belongs to Windows: update it there, run `wsl --shutdown`, and make "
            "sure that no Linux NVIDIA driver is installed inside WSL."
        )
    else:
        hint = "`nvidia-smi` should work first; after a driver update, reboot."
    return f"The NVIDIA driver does not start: {text}.", hint


def _too_old(cuda_version: tuple[int, int], capability: tuple[int, int]) -> tuple[str, str]:
    if cuda_version < OLDEST_CUDA:
        have, need = ("{}.{}".format(*v) for v in (cuda_version, OLDEST_CUDA))
        return f"The driver knows CUDA {have}; {need} is needed.", "Update the NVIDIA driver."
    if capability < OLDEST_CAPABILITY:
        have, need = ("{}.{}".format(*v) for v in (capability, OLDEST_CAPABILITY))
        told = f"This GPU has compute capability {have}; {need} is needed."
        return told, "Grading works on the simulator (backend sim)."
    return "", ""


def _no_driver_hint() -> str:
    if sys.platform != "linux":
        return "CUDA needs Linux or WSL2; the simulator (backend sim) works everywhere."
    if is_wsl():
        return "Install the NVIDIA driver on Windows, not inside WSL; the simulator (backend sim) needs none."
    return "Install the NVIDIA driver; without one the simulator grades, which has no times."


def _nvml_hint(problem: str) -> str:
    if not problem:
        return ""
    if is_wsl():
        return "Under WSL this is common and harmless: grading works, clocks and temperature are not shown."
    return "Grading works; clocks and temperature are not shown. After a driver update, reboot."


def _attribute(cuda: ctypes.CDLL, device: c_int, which: Attribute) -> int:
    value = c_int()
    cuda.cuDeviceGetAttribute(byref(value), c_int(which), device)
    return value.value


def _name(cuda: ctypes.CDLL, device: c_int) -> str:
    buffer = ctypes.create_string_buffer(256)
    cuda.cuDeviceGetName(buffer, c_int(256), device)
    return buffer.value.decode()


def _uuid(cuda: ctypes.CDLL, device: c_int) -> str:
    raw = (ctypes.c_ubyte * 16)()
    if cuda.cuDeviceGetUuid_v2(byref(raw), device):
        return ""
    return format_uuid(bytes(raw))


def _memory(cuda: ctypes.CDLL, device: c_int) -> int:
    total = c_size_t()
    cuda.cuDeviceTotalMem_v2(byref(total), device)
    return total.value
