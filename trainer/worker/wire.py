"""Dataclasses to bytes and back: msgpack for the structure, shared memory for large arrays.

msgspec encodes dataclasses itself but cannot decode a union of an array and a number, so the
second half of decoding, plain data to dataclasses, is here and follows the type hints.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import mmap
import os
import types
import typing
from typing import Any

import msgspec
import numpy as np

from trainer.bank.dtypes import dtype_of, name_of
from trainer.worker.limits import MAX_SHARED_ARRAYS, SHARED_ARRAY_BYTES

_ARRAY_KEY = "__array__"


def encode(value: object) -> tuple[bytes, list[int]]:
    """The message and the descriptors of its large arrays; the caller closes those after sending."""
    descriptors: list[int] = []

    def hook(item: object) -> object:
        if isinstance(item, np.ndarray):
            return _pack_array(item, descriptors)
        if isinstance(item, np.generic):
            return item.item()
        raise TypeError(f"{type(item).__name__} cannot cross a process boundary")

    try:
        return msgspec.msgpack.Encoder(enc_hook=hook).encode(value), descriptors
    except BaseException:
        for fd in descriptors:
            os.close(fd)
        raise


def decode(message: bytes, descriptors: list[int]) -> Any:
    """Plain dicts, lists and scalars; arrays are read-only views. Closes the descriptors."""
    try:
        return _unpack_arrays(msgspec.msgpack.decode(message), descriptors)
    finally:
        for fd in descriptors:
            os.close(fd)


def build(hint: Any, plain: Any) -> Any:
    """The value of type `hint` that `plain` stands for.

    Raises TypeError where the two do not fit.
    """
    hint = _without_alias(hint)
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return _build_union(typing.get_args(hint), plain)
    if origin is tuple:
        return _build_tuple(typing.get_args(hint), plain)
    if origin is dict:
        key, item = typing.get_args(hint)
        return {build(key, k): build(item, v) for k, v in plain.items()}
    if hint is Any:
        return plain
    kind = origin or hint
    if isinstance(kind, type):
        return _build_class(kind, plain)
    raise TypeError(f"no way to decode {hint}")


def _build_class(kind: type, plain: Any) -> Any:
    if dataclasses.is_dataclass(kind):
        if not isinstance(plain, dict):
            raise TypeError(f"{kind.__name__} expected, got {type(plain).__name__}")
        hints = _hints(kind)
        return kind(**{name: build(hints[name], value) for name, value in plain.items()})
    if issubclass(kind, enum.Enum):
        return kind(plain)
    if kind is float and isinstance(plain, int) and not isinstance(plain, bool):
        return float(plain)
    if isinstance(plain, kind) and (kind is bool or not isinstance(plain, bool)):
        return plain
    raise TypeError(f"{kind.__name__} expected, got {type(plain).__name__}")


def _build_union(members: tuple[Any, ...], plain: Any) -> Any:
    if plain is None:
        return None
    members = tuple(_without_alias(m) for m in members if m is not type(None))
    exact = [m for m in members if (typing.get_origin(m) or m) is type(plain)]
    for member in exact or members:
        try:
            return build(member, plain)
        except (TypeError, ValueError):
            continue
    raise TypeError(f"{type(plain).__name__} is none of {members}")


def _build_tuple(items: tuple[Any, ...], plain: Any) -> tuple[Any, ...]:
    if len(items) == 2 and items[1] is Ellipsis:
        return tuple(build(items[0], value) for value in plain)
    if len(items) != len(plain):
        raise TypeError(f"{len(items)} values expected, got {len(plain)}")
    return tuple(build(item, value) for item, value in zip(items, plain, strict=True))


def _without_alias(hint: Any) -> Any:
    """What a `type` alias stands for: from NumPy 2.5 on, `NDArray` is one."""
    while hasattr(typing.get_origin(hint) or hint, "__value__"):
        hint = (typing.get_origin(hint) or hint).__value__
    return hint


@functools.cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _pack_array(array: np.ndarray[Any, Any], descriptors: list[int]) -> dict[str, object]:
    packed: dict[str, object] = {_ARRAY_KEY: name_of(array.dtype), "shape": array.shape}
    array = np.ascontiguousarray(array)
    if array.nbytes < SHARED_ARRAY_BYTES or len(descriptors) >= MAX_SHARED_ARRAYS:
        packed["data"] = array.tobytes()
        return packed
    fd = os.memfd_create("warpdojo-array")
    descriptors.append(fd)
    view = memoryview(array.reshape(-1).view(np.uint8).data)
    written = 0
    while written < len(view):
        written += os.write(fd, view[written : written + (1 << 30)])
    packed["shared"] = len(descriptors) - 1
    return packed


def _unpack_arrays(plain: Any, descriptors: list[int]) -> Any:
    if isinstance(plain, dict):
        if _ARRAY_KEY in plain:
            return _unpack_array(plain, descriptors)
        return {key: _unpack_arrays(value, descriptors) for key, value in plain.items()}
    if isinstance(plain, list):
        return [_unpack_arrays(value, descriptors) for value in plain]
    return plain


def _unpack_array(packed: dict[str, Any], descriptors: list[int]) -> np.ndarray[Any, Any]:
    dtype = dtype_of(packed[_ARRAY_KEY])
    if dtype.hasobject:
        raise TypeError("arrays of Python objects are not accepted")
    data: bytes | mmap.mmap
    if "shared" in packed:
        data = mmap.mmap(descriptors[packed["shared"]], 0, access=mmap.ACCESS_READ)
    else:
        data = packed["data"]
    return np.frombuffer(data, dtype=dtype).reshape(packed["shape"])
