"""Print the extras of pyproject.toml that fit this machine: "gpu13", "gpu12" or "cuda13".

Runs before anything is installed, so it uses the standard library only. A driver newer than
CUDA 13 also runs CUDA 13 code; one older than CUDA 12 gets the simulator.
"""

from __future__ import annotations

import ctypes

DRIVER_NAMES = ("libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1")


def cuda_major() -> int | None:
    """The CUDA major version of a driver that has at least one GPU, else None."""
    for name in DRIVER_NAMES:
        try:
            driver = ctypes.CDLL(name)
        except OSError:
            continue
        version, count = ctypes.c_int(0), ctypes.c_int(0)
        if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)) or not count.value:
            continue
        if driver.cuDriverGetVersion(ctypes.byref(version)) == 0:
            return version.value // 1000
    return None


def extras(major: int | None) -> str:
    if major is None or major < 12:
        return "cuda13"
    return "gpu13" if major >= 13 else "gpu12"


if __name__ == "__main__":
    print(extras(cuda_major()))
