"""Element types by NumPy name, bfloat16 included, which NumPy itself does not know.

`ml_dtypes` teaches it to NumPy, as a type of kind "V"; it is imported where an array of that type is
first handled. Ask here for dtypes by name, and whether they are floats and what they can hold.
"""

from __future__ import annotations

from typing import Any

import numpy as np

BFLOAT16 = "bfloat16"


def dtype_of(name: str) -> np.dtype[Any]:
    """The dtype called `name`: "float32", "int8", "bfloat16". Raises TypeError for an unknown one."""
    if name == BFLOAT16:
        from ml_dtypes import bfloat16

        known: np.dtype[Any] = np.dtype(bfloat16)
        return known
    return np.dtype(name)


def name_of(dtype: np.dtype[Any]) -> str:
    """What `dtype_of` takes; byte order included where there is one."""
    return BFLOAT16 if dtype.name == BFLOAT16 else dtype.str


def is_float(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "f" or dtype.name == BFLOAT16


def limits(dtype: np.dtype[Any]) -> tuple[float, float]:
    """Of a float type: the smallest normal number and the largest finite one."""
    if dtype.name == BFLOAT16:
        return 2.0**-126, 2.0**128 - 2.0**120  # eight exponent bits, as float32, and eight of mantissa
    info = np.finfo(dtype)
    return float(info.tiny), float(info.max)
