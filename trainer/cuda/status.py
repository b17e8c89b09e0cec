"""CUDA's error codes: number, name and sentence, as cudaGetErrorName and cudaGetErrorString give them."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """The part of cudaError_t that a host function can meet here (driver_types.h)."""

    SUCCESS = 0
    INVALID_VALUE = 1
    MEMORY_ALLOCATION = 2
    INVALID_CONFIGURATION = 9
    INVALID_SYMBOL = 13
    INVALID_DEVICE_POINTER = 17
    INVALID_MEMCPY_DIRECTION = 21
    INVALID_DEVICE_FUNCTION = 98
    NO_DEVICE = 100
    INVALID_DEVICE = 101
    INVALID_RESOURCE_HANDLE = 400
    NOT_READY = 600
    ILLEGAL_ADDRESS = 700
    LAUNCH_OUT_OF_RESOURCES = 701
    COOPERATIVE_LAUNCH_TOO_LARGE = 720
    NOT_SUPPORTED = 801
    UNKNOWN = 999


_TEXTS = {
    Status.SUCCESS: ("cudaSuccess", "no error"),
    Status.INVALID_VALUE: ("cudaErrorInvalidValue", "invalid argument"),
    Status.MEMORY_ALLOCATION: ("cudaErrorMemoryAllocation", "out of memory"),
    Status.INVALID_CONFIGURATION: ("cudaErrorInvalidConfiguration", "invalid configuration argument"),
    Status.INVALID_SYMBOL: ("cudaErrorInvalidSymbol", "invalid device symbol"),
    Status.INVALID_DEVICE_POINTER: ("cudaErrorInvalidDevicePointer", "invalid device pointer"),
    Status.INVALID_MEMCPY_DIRECTION: (
        "cudaErrorInvalidMemcpyDirection",
        "invalid copy direction for memcpy",
    ),
    Status.INVALID_DEVICE_FUNCTION: ("cudaErrorInvalidDeviceFunction", "invalid device function"),
    Status.NO_DEVICE: ("cudaErrorNoDevice", "no CUDA-capable device is detected"),
    Status.INVALID_DEVICE: ("cudaErrorInvalidDevice", "invalid device ordinal"),
    Status.INVALID_RESOURCE_HANDLE: ("cudaErrorInvalidResourceHandle", "invalid resource handle"),
    Status.NOT_READY: ("cudaErrorNotReady", "device not ready"),
    Status.ILLEGAL_ADDRESS: ("cudaErrorIllegalAddress", "an illegal memory access was encountered"),
    Status.LAUNCH_OUT_OF_RESOURCES: (
        "cudaErrorLaunchOutOfResources",
        "too many resources requested for launch",
    ),
    Status.COOPERATIVE_LAUNCH_TOO_LARGE: (
        "cudaErrorCooperativeLaunchTooLarge",
        "too many blocks in cooperative launch",
    ),
    Status.NOT_SUPPORTED: ("cudaErrorNotSupported", "operation not supported"),
    Status.UNKNOWN: ("cudaErrorUnknown", "unknown error"),
}


def error_name(code: int) -> str:
    return _TEXTS[Status(code)][0] if code in _TEXTS else "unrecognized error code"


def error_string(code: int) -> str:
    return _TEXTS[Status(code)][1] if code in _TEXTS else "unrecognized error code"
