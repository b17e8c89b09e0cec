from __future__ import annotations

import ctypes
from typing import Any

import pytest

from trainer.errors import MissingToolError
from trainer.gpu import driver, nvml, probe
from trainer.gpu.nvml import Nvml, Reading


def set_int(pointer: Any, value: int) -> None:
    pointer._obj.value = value


class FakeCuda:
    """As much of libcuda as a probe calls."""

    def __init__(self, *, init: int = 0, devices: int = 1, version: int = 13000, major: int = 9) -> None:
        self.init, self.devices, self.version, self.major = init, devices, version, major

    def cuInit(self, flags: int) -> int:
        return self.init

    def cuGetErrorName(self, code: object, out: Any) -> int:
        set_int(out, b"CUDA_ERROR_X")  # type: ignore[arg-type]
        return 0

    def cuGetErrorString(self, code: object, out: Any) -> int:
        set_int(out, b"some words")  # type: ignore[arg-type]
        return 0

    def cuDeviceGetCount(self, out: Any) -> int:
        set_int(out, self.devices)
        return 0

    def cuDeviceGet(self, out: Any, ordinal: int) -> int:
        return 0

    def cuDriverGetVersion(self, out: Any) -> int:
        set_int(out, self.version)
        return 0

    def cuDeviceGetAttribute(self, out: Any, which: Any, device: object) -> int:
        set_int(out, self.major if which.value == driver.Attribute.CAPABILITY_MAJOR else 0)
        return 0

    def cuDeviceGetUuid_v2(self, out: Any, device: object) -> int:
        return 0

    def cuDeviceGetName(self, buffer: Any, size: object, device: object) -> int:
        buffer.value = b"NVIDIA Fake"
        return 0

    def cuDeviceTotalMem_v2(self, out: Any, device: object) -> int:
        set_int(out, 1 << 34)
        return 0


def probe_with(monkeypatch: pytest.MonkeyPatch, cuda: object) -> probe.GpuProbe:
    monkeypatch.setattr(probe, "load_library", lambda: cuda)
    return probe.probe.__wrapped__()


def test_a_gpu_is_described(monkeypatch: pytest.MonkeyPatch) -> None:
    found = probe_with(monkeypatch, FakeCuda())
    assert found.usable and (found.name, found.cuda_version) == ("NVIDIA Fake", (13, 0))
    assert found.compute_capability == (9, 0) and found.memory_bytes == 1 << 34
    assert found.nvml_problem and "Grading works" in found.nvml_hint


@pytest.mark.parametrize(
    ("cuda", "problem"),
    [
        (FakeCuda(init=100), "sees no GPU"),
        (FakeCuda(init=999), "does not start: cuInit: CUDA_ERROR_X"),
        (FakeCuda(init=803), "does not start"),
        (FakeCuda(devices=0), "sees no GPU"),
        (FakeCuda(version=11080), "knows CUDA 11.8; 12.0 is needed"),
        (FakeCuda(major=6), "compute capability 6.0; 7.5 is needed"),
    ],
)
def test_what_is_wrong_is_said_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch, cuda: FakeCuda, problem: str
) -> None:
    found = probe_with(monkeypatch, cuda)
    assert not found.usable and problem in found.problem and found.hint


def test_under_wsl_the_advice_is_about_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "is_wsl", lambda: True)
    assert "wsl --shutdown" in probe_with(monkeypatch, FakeCuda(init=999)).hint
    assert "Under WSL this is common" in probe_with(monkeypatch, FakeCuda()).nvml_hint


def test_no_driver_is_a_missing_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "_LIBRARIES", ("libnothing.so.0",))
    with pytest.raises(MissingToolError, match="no NVIDIA driver"):
        driver.load_library()
    found = probe.probe.__wrapped__()
    assert not found.usable and "no NVIDIA driver" in found.problem


class FakeNvml:
    def __init__(self, init: int = 0) -> None:
        self.init = init
        self.nvmlErrorString = ctypes.CDLL(None).strerror  # any function with a restype

    def nvmlInit_v2(self) -> int:
        return self.init

    def nvmlDeviceGetHandleByUUID(self, uuid: object, out: object) -> int:
        return 0

    def nvmlDeviceGetClockInfo(self, device: object, which: object, out: Any) -> int:
        set_int(out, 1980)
        return 0

    def nvmlDeviceGetTemperature(self, device: object, which: object, out: Any) -> int:
        return 3  # not supported

    def nvmlDeviceGetCurrentClocksThrottleReasons(self, device: object, out: Any) -> int:
        set_int(out, 0x4 | 0x1)
        return 0


def test_missing_numbers_are_none_and_the_rest_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvml, "_load", FakeNvml)
    assert Nvml("GPU-x").read() == Reading(1980, None, ("power cap",))


def test_nvml_that_does_not_start_gives_empty_readings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvml, "_load", lambda: FakeNvml(init=18))
    broken = Nvml("GPU-x")
    assert broken.problem and broken.read() == Reading()
    monkeypatch.setattr(nvml, "_load", lambda: None)
    assert "cannot be loaded" in Nvml("GPU-x").problem
