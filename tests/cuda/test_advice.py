"""Advice beside a compiler's message."""

from __future__ import annotations

import pytest

from trainer.cuda.advice import advice, lacking, library_part
from trainer.cuda.includes import MissingHeader


@pytest.mark.parametrize(
    ("log", "words"),
    [
        ('identifier "cudaDeviceSyncronize" is undefined', "Did you mean cudaDeviceSynchronize?"),
        ('identifier "cudaGraphAddNode" is undefined', "cudaGraphAddNode is not available"),
        ('namespace "std" has no member "vector"', "needs #include <vector>"),
        ('namespace "std" has no member "map"', "std::map is not available"),
        ("expression must have a constant value", "std::vector"),
        ("dynamic initialization is not supported for a __device__ variable", "file scope"),
        ("device-side kernel launch could not be processed", "launch from the host function"),
    ],
)
def test_advice(log: str, words: str) -> None:
    assert words in advice(log, ())


def test_an_ordinary_mistake_needs_no_advice() -> None:
    assert advice('identifier "x" is undefined', (MissingHeader("solve.h", 1),)) == ""


def test_a_header_left_out_is_mentioned() -> None:
    assert "line 3" in advice("", (MissingHeader("mine.cuh", 3),))


def test_what_cuda_has_and_we_lack_is_told_from_what_nobody_has() -> None:
    assert lacking('identifier "cudaGraphAddNode" is undefined') == "cudaGraphAddNode"
    assert lacking('identifier "cudaGraffAddNode" is undefined') == ""
    assert lacking('identifier "x" is undefined') == ""


def test_what_the_cpp_library_has_and_we_lack_is_told_from_what_nobody_has() -> None:
    assert lacking('namespace "std" has no member "map"') == "std::map"
    assert lacking('namespace "std" has no member "mapp"') == ""
    assert lacking('identifier "fopen" is undefined') == "fopen"
    assert lacking('class "std::vector<int>" has no member "rbegin"') == "std::vector::rbegin"
    assert lacking('namespace "cub" has no member "DeviceMerge"') == "cub::DeviceMerge"


def test_the_first_host_header_of_thrust_or_cub_that_we_lack_is_found() -> None:
    source = "#include <thrust/sort.h>\n#include <cub/cub.cuh>\n#include <thrust/binary_search.h>\n"
    assert library_part(source) == "thrust/binary_search.h"
    assert library_part("#include <thrust/sort.h>\n#include <cub/block/block_scan.cuh>\n") == ""
