"""Clock, temperature and throttling from NVML. All optional: None where NVML or a number is missing."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_char_p, c_int, c_uint, c_ulonglong, c_void_p
from dataclasses import dataclass

_LIBRARIES = ("libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1")
_CLOCK_SM = 1
_TEMPERATURE_GPU = 0

# nvmlClocksEventReasons; "idle" and what users set themselves are not throttling.
_REASONS = {
    0x4: "power cap",
    0x8: "hardware slowdown",
    0x20: "temperature",
    0x40: "hardware temperature limit",
    0x80: "power brake",
}


@dataclass(frozen=True)
class Reading:
    sm_clock_mhz: int | None = None
    temperature_c: int | None = None
    throttled: tuple[str, ...] = ()


class Nvml:
    """One device. `problem` says why there are no readings; reading never raises."""

    def __init__(self, uuid: str) -> None:
        self.problem = ""
        self._device = c_void_p()
        library = _load()
        if library is None:
            self.problem = "libnvidia-ml.so.1 cannot be loaded"
            self._nvml = None
            return
        self._nvml = library
        status = library.nvmlInit_v2()
        if not status:
            status = library.nvmlDeviceGetHandleByUUID(c_char_p(uuid.encode()), byref(self._device))
        if status:
            library.nvmlErrorString.restype = c_char_p
            self.problem = (library.nvmlErrorString(c_int(status)) or b"").decode() or f"NVML error {status}"
            self._nvml = None

    def read(self) -> Reading:
        if self._nvml is None:
            return Reading()
        clock = self._ask("nvmlDeviceGetClockInfo", c_int(_CLOCK_SM))
        temperature = self._ask("nvmlDeviceGetTemperature", c_int(_TEMPERATURE_GPU))
        return Reading(clock, temperature, self._throttled())

    def _ask(self, name: str, which: c_int) -> int | None:
        value = c_uint()
        function = getattr(self._nvml, name, None)
        if function is None or function(self._device, which, byref(value)):
            return None
        return value.value

    def _throttled(self) -> tuple[str, ...]:
        mask = c_ulonglong()
        for name in ("nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"):
            function = getattr(self._nvml, name, None)
            if function is not None and not function(self._device, byref(mask)):
                return tuple(text for bit, text in _REASONS.items() if mask.value & bit)
        return ()


def _load() -> ctypes.CDLL | None:
    for name in _LIBRARIES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None
