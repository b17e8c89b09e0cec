"""The same hardware patterns once more, through NVRTC, PTX and the engine: nothing is lost on the way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.sim.submissions import given, run, wanted
from tests.sim.test_hardware_patterns import is_named_exception, load, of_kind
from trainer.sim.report import Access, Space

HEAD = """#include <cuda_runtime.h>
#include <cuda_pipeline.h>
"""


def observe(body: str, block: list[int], *, before: str = "") -> list[Access]:
    """Accesses of one block of `body`, which has `t` and float buffers `in` and `out`."""
    shape = ", ".join(map(str, block))
    source = f"""{HEAD}{before}
__global__ void k(const char* in, char* out) {{
  int t = threadIdx.y * blockDim.x + threadIdx.x;
{body}
}}
extern "C" void solve(const unsigned char* in, unsigned char* out) {{
  k<<<1, dim3({shape})>>>((const char*)in, (char*)out); }}
"""
    outcome = run(
        source, given("in", np.zeros(1 << 20, dtype=np.uint8)), wanted("out", 1 << 20, "uint8", zeroed=True),
        hazards=False,
    )  # fmt: skip
    assert outcome.verdict is None, outcome.message
    assert outcome.report is not None
    return list(outcome.report.access)


SAMPLE = [p for p in load("access_patterns.json") if p["space"] == "global" and p["type"] == "float"][::13]


@pytest.mark.parametrize("pattern", SAMPLE, ids=str)
def test_global_patterns_survive_the_whole_path(pattern: dict[str, Any]) -> None:
    index, active = pattern["index"], pattern["active"]
    if pattern["op"] == "ld":
        body = f"if ({active}) {{ float v = ((volatile const float*)in)[{index}]; (void)v; }}"
    else:
        body = f"if ({active}) ((volatile float*)out)[{index}] = 1.0f;"
    op = {"ld": "load", "st": "store"}[pattern["op"]]
    (row,) = [a for a in observe(body, pattern["block"]) if a.space is Space.GLOBAL and a.op == op]
    assert (row.requests, row.sectors) == (pattern["requests"], pattern["sectors"])


SHARED = [
    p for p in load("access_patterns.json") if p["space"] == "shared" and not is_named_exception(p)
][::41]  # fmt: skip


@pytest.mark.parametrize("pattern", SHARED, ids=str)
def test_shared_patterns_survive_the_whole_path(pattern: dict[str, Any]) -> None:
    index, active, kind = pattern["index"], pattern["active"], pattern["type"]
    before = f"extern __shared__ __align__(128) char raw[];\n#define S ((volatile {kind}*)raw)\n"
    vector = {"float2": "v2.f32 {%0, %1}", "float4": "v4.f32 {%0, %1, %2, %3}"}.get(kind)
    if vector:
        count = int(kind[-1])
        place = f"(unsigned)__cvta_generic_to_shared((const {kind}*)raw + ({index}))"
        if pattern["op"] == "ld":
            outs = ", ".join(f'"=f"(v[{k}])' for k in range(count))
            access = f'float v[4]; asm volatile("ld.shared.{vector}, [%{count}];" : {outs} : "r"({place}));'
        else:
            ins = ", ".join(['"f"(1.0f)'] * count)
            access = f'asm volatile("st.shared.{vector.split()[0]} [%{count}], '
            access += f'{" ".join(vector.split()[1:])};" :: {ins}, "r"({place}));'
    elif pattern["op"] == "ld":
        access = f"{kind} v = S[{index}]; (void)v;"
    else:
        access = f"S[{index}] = 1;"
    shape = ", ".join(map(str, pattern["block"]))
    source = f"""{HEAD}{before}
__global__ void k() {{ int t = threadIdx.y * blockDim.x + threadIdx.x; if ({active}) {{ {access} }} }}
extern "C" void solve(const float* in, float* out) {{
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024);
  k<<<1, dim3({shape}), 200 * 1024>>>(); }}
"""
    zeros = np.zeros(1, dtype=np.float32)
    outcome = run(source, given("in", zeros), wanted("out", 1, zeroed=True), hazards=False)
    assert outcome.verdict is None, outcome.message
    assert outcome.report is not None
    (row,) = outcome.report.access
    assert (row.requests, row.wavefronts) == (pattern["requests"], pattern["wavefronts"])
    assert (row.hardware_requests, row.hardware_wavefronts) == (row.requests, row.wavefronts)


@pytest.mark.parametrize("pattern", of_kind("cp.async")[::17], ids=str)
def test_async_copies_survive_the_whole_path(pattern: dict[str, Any]) -> None:
    size = pattern["size"]
    body = f"""  __shared__ __align__(128) char s[40960];
  __pipeline_memcpy_async(s + ({pattern["dst"]}) * {size}, in + ({pattern["src"]}) * {size}, {size});
  __pipeline_commit(); __pipeline_wait_prior(0);"""
    rows = {a.space: a for a in observe(body, [32, 1]) if a.op == "async_copy"}
    got = (rows[Space.GLOBAL].sectors, rows[Space.SHARED].wavefronts)
    assert got == (pattern["sectors"], pattern["shared_wavefronts"])


ATOMIC = {
    "add.u32": "atomicAdd((unsigned*)p, {value})",
    "add.f32": "atomicAdd((float*)p, 1.0f)",
    "add.u64": "atomicAdd((unsigned long long*)p, 1ull)",
    "max.s32": "atomicMax((int*)p, t)",
    "inc.u32": "atomicInc((unsigned*)p, {value})",
    "or.b32": "atomicOr((unsigned*)p, 1u)",
    "cas.b32": "atomicCAS((unsigned*)p, 0u, 1u)",
}
BYTES = {"add.u64": 8}


@pytest.mark.parametrize("pattern", of_kind("shared_atomic")[::7], ids=str)
def test_shared_atomics_survive_the_whole_path(pattern: dict[str, Any]) -> None:
    op, value = pattern["op"], pattern.get("value")
    call = ATOMIC[op].format(value="t + 1u" if value is None else f"{value % 2**32}u")
    if pattern.get("result_used"):
        call = f"((volatile int*)out)[65536 + t] = (int){call}"
    body = f"""  __shared__ __align__(128) char s[40960];
  char* p = s + ({pattern["index"]}) * {BYTES.get(op, 4)}; {call};"""
    rows = [a for a in observe(body, [32, 1]) if a.op == "atomic"]
    assert sum(a.wavefronts or 0 for a in rows) == pattern["wavefronts"]
    assert sum(a.hardware_requests or 0 for a in rows) == pattern["instructions"]


@pytest.mark.parametrize("pattern", of_kind("global_atomic")[::7], ids=str)
def test_global_atomics_survive_the_whole_path(pattern: dict[str, Any]) -> None:
    op = pattern["op"]
    use = "((volatile int*)out)[65536 + t] = (int)" if pattern["result_used"] else ""
    call = ATOMIC[op].format(value="1u")
    body = f"  char* p = out + ({pattern['index']}) * {BYTES.get(op, 4)}; {use}{call};"
    (row,) = [a for a in observe(body, [32, 1]) if a.op == "atomic"]
    assert (row.requests, row.sectors) == (pattern["requests"], pattern["sectors"])


@pytest.mark.parametrize("pattern", of_kind("ldmatrix")[::9], ids=str)
def test_matrix_loads_survive_the_whole_path(pattern: dict[str, Any]) -> None:
    count, pitch = pattern["x"], pattern["row_pitch_bytes"]
    trans = ".trans" if pattern["trans"] else ""
    row = f"(t % {8 * count})"
    chunk = f"({row} % {pitch // 16}) * 16" if pattern["xor_swizzle"] else "0"
    registers = ", ".join(f"%{k}" for k in range(count))
    outs = ", ".join(f'"=r"(r[{k}])' for k in range(count))
    load = f"ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {{{registers}}}, [%{count}];"
    body = f"""  __shared__ __align__(128) char s[16384]; int r[4];
  unsigned a = (unsigned)__cvta_generic_to_shared(s + {row} * {pitch} + {chunk});
  asm volatile("{load}" : {outs} : "r"(a));"""
    (found,) = [a for a in observe(body, [32, 1]) if a.op == "ldmatrix"]
    assert (found.requests, found.wavefronts) == (1, pattern["wavefronts"])
