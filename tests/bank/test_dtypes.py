from __future__ import annotations

import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

from trainer.bank import draw
from trainer.bank.dtypes import dtype_of, is_float, limits, name_of


@pytest.mark.parametrize("name", ["float32", "float16", "bfloat16", "int8", "uint64"])
def test_a_dtype_is_found_again_under_its_name(name: str) -> None:
    assert dtype_of(name_of(dtype_of(name))) == dtype_of(name)
    assert is_float(dtype_of(name)) == ("float" in name)


@pytest.mark.parametrize("kind", [np.float32, np.float16, ml_dtypes.bfloat16])
def test_limits_are_what_the_type_says(kind: type) -> None:
    info = ml_dtypes.finfo(kind)
    assert limits(np.dtype(kind)) == (float(info.tiny), float(info.max))


def test_whole_numbers_to_256_survive_the_rounding_to_bfloat16() -> None:
    numbers = np.arange(-256, 257, dtype=np.float32)
    assert np.array_equal(draw.narrow(numbers, "bfloat16").astype(np.float32), numbers)


def test_bfloat16_is_only_brought_in_when_it_is_asked_for() -> None:
    code = "import sys, trainer.bank.dtypes, trainer.worker.wire; sys.exit('ml_dtypes' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
