"""Tensor maps: encoded by the device, under whichever name; mistakes become sentences."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.cuda.fake_device import FakeDevice
from trainer.cuda.compile import compile_submission
from trainer.cuda.host import run_host
from trainer.cuda.model import Parameter, Signature
from trainer.cuda.plan import HostRun
from trainer.cuda.tensor_map import TensorMap
from trainer.errors import DeviceFault

TASK = Signature("solve", (Parameter("a", "const float*"), Parameter("n", "int")))

HEAD = """
#include <cuda.h>
#include <cudaTypedefs.h>
__global__ void k(const __grid_constant__ CUtensorMap map, int n) { if (n < 0) ((const char**)&map)[0] = 0; }
"""
ENCODE = """
    CUtensorMap map;
    cuuint64_t extent[2] = {64, (cuuint64_t)n}, pitch[1] = {256};
    cuuint32_t box[2] = {32, BOX_ROWS}, step[2] = {1, 1};
    CUresult status = ENCODE(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, (void*)a, extent, pitch, box, step,
        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
"""
LAUNCH = "k<<<1, 32>>>(map, n);"
BY_NAME = """
    PFN_cuTensorMapEncodeTiled_v12000 encode = nullptr;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void**)&encode, 12000, 0, &found);
"""
BY_OLD_NAME = """
    void* encode_address = nullptr;
    cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &encode_address, cudaEnableDefault);
    auto encode = (PFN_cuTensorMapEncodeTiled_v12000)encode_address;
"""


def call(
    device: FakeDevice, body: str, encode: str = "cuTensorMapEncodeTiled", box_rows: int = 16
) -> HostRun:
    defines = f"#define ENCODE {encode}\n#define BOX_ROWS {box_rows}\n"
    program = compile_submission(
        f'{defines}{HEAD}extern "C" void solve(const float* a, int n) {{ {body} }}\n', TASK
    )
    return run_host(program, device, [device.allocate(256 * 100), 100])


@pytest.mark.parametrize(
    ("before", "encode"), [("", "cuTensorMapEncodeTiled"), (BY_NAME, "encode"), (BY_OLD_NAME, "encode")]
)
def test_the_device_encodes_a_map_and_the_kernel_gets_it(before: str, encode: str) -> None:
    device = FakeDevice()
    call(device, before + ENCODE + LAUNCH, encode)
    (described,) = device.maps
    assert described == TensorMap(7, described.address, (64, 100), (256,), (32, 16), (1, 1), 0, 3, 3, 0)
    assert described.nbytes == 256 * 100 and described.mistake() == ""
    (launch,) = device.launched
    assert launch.parameters[:128] == b"\x01" * 128 and launch.offsets == (0, 128)


def test_a_driver_function_that_is_not_there_is_not_found() -> None:
    ask = 'cudaGetDriverEntryPointByVersion("cuNothing", (void**)&f, 12000, 0, &found);'
    body = f'cudaDriverEntryPointQueryResult found; int* f; {ask} printf("%d %d", found, !f);'
    assert call(FakeDevice(), body).printed == "1 1"


def test_a_launch_with_a_map_that_breaks_a_rule_names_the_rule_and_the_line_that_made_it() -> None:
    with pytest.raises(DeviceFault) as caught:
        call(FakeDevice(), ENCODE + LAUNCH, box_rows=512)
    assert "boxDim[1] is 512, which should be 1 to 256" in str(caught.value)
    assert caught.value.where is not None and caught.value.where.line == 11


def test_a_program_that_looks_at_the_result_may_do_something_else() -> None:
    body = ENCODE + 'if (status == CUDA_SUCCESS) k<<<1, 32>>>(map, n); else printf("plan B %d", (int)status);'
    run = call(FakeDevice(), body, box_rows=512)
    assert run.printed == "plan B 1" and not run.launches


GOOD = TensorMap(9, 0x7F00_0000_0000, (100, 50), (208,), (64, 64), (1, 1), 0, 3)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"type": 99}, "no element type 99"),
        ({"address": 0x7F00_0000_0008}, "not a multiple of 16"),
        ({"extents": (0, 50)}, "globalDim[0] is 0"),
        ({"pitches": (200,)}, "globalStrides[0] is 200 bytes"),
        ({"box": (64, 257)}, "boxDim[1] is 257"),
        ({"steps": (1, 9)}, "elementStrides[1] is 9"),
        ({"box": (4, 64)}, "a row of the box has 8 bytes"),
        ({"box": (128, 64)}, "256 bytes, but its swizzle spans 128"),
        ({"swizzle": 17}, "none that there is"),
    ],
)
def test_the_rules_of_the_driver(change: dict[str, object], rule: str) -> None:
    assert GOOD.mistake() == ""
    assert rule in replace(GOOD, **change).mistake()  # type: ignore[arg-type]
