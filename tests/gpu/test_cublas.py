"""cuBLAS as a yardstick: the product that it is asked for, in the precision that it is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from trainer.bank.dtypes import dtype_of
from trainer.errors import MissingToolError
from trainer.gpu.cublas import Cublas, Product
from trainer.gpu.driver import Driver


@pytest.mark.gpu
@pytest.mark.parametrize("kind", ["float32", "bfloat16"])
def test_products_are_row_after_row_and_as_exact_as_the_type(kind: str) -> None:
    driver = Driver()
    try:
        cublas = Cublas(driver)
    except MissingToolError:
        pytest.skip("cuBLAS is not installed")
    rng = np.random.default_rng(1)
    dtype, (batch, rows, inner, columns) = dtype_of(kind), (3, 40, 24, 56)
    left = rng.uniform(-1, 1, (batch, rows, inner)).astype(dtype)
    right = rng.uniform(-1, 1, (batch, inner, columns)).astype(dtype)
    result = np.zeros((batch, rows, columns), dtype)
    places = [driver.allocate(each.nbytes) for each in (left, right, result)]
    for place, each in zip(places, (left, right), strict=False):
        driver.upload(place, each.view(np.uint8).data)
    cublas.multiply(Product(*places, rows, inner, columns, batch, kind, kind))
    driver.download(places[2], result.view(np.uint8).data)
    cublas.close()
    expected = left.astype(np.float64) @ right.astype(np.float64)
    # TF32 would be off by some 1e-3, bfloat16 by half of 2^-7 at most.
    allowed = 1e-5 if kind == "float32" else 2.0**-8 * np.abs(expected) + 1e-5
    assert (np.abs(result.astype(np.float64) - expected) <= allowed).all()
