"""Print the extra of pyproject.toml that fits this machine: "cuda13" or "cuda12".

Runs before anything is installed, so it uses the standard library only. A driver newer than CUDA 13
also runs CUDA 13 code. Without a driver, or with one older than CUDA 12, the simulator grades, and
its compiler is that of CUDA 13.
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
    return "cuda12" if major == 12 else "cuda13"


if __name__ == "__main__":
    print(extras(cuda_major()))
