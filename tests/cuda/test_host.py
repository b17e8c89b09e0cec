"""A host function's calls become calls on a device, and its mistakes become sentences."""

from __future__ import annotations

import struct
from functools import cache

import pytest

from tests.cuda.fake_device import FakeDevice
from trainer.cuda.compile import compile_submission
from trainer.cuda.device import Launch
from trainer.cuda.host import run_host
from trainer.cuda.model import Parameter, Program, Signature
from trainer.cuda.plan import Copy, Fill, HostRun, Read, Write
from trainer.errors import DeviceFault, TimeLimitError

TASK = Signature("solve", (Parameter("a", "const float*"), Parameter("b", "float*"), Parameter("n", "int")))
KERNEL = "__global__ void k(const float* a, float* b, int n) { if (n > 0) b[threadIdx.x] = 2 * a[0]; }\n"


@cache
def program(body: str, before: str) -> Program:
    source = f'{before}{KERNEL}extern "C" void solve(const float* a, float* b, int n) {{ {body} }}\n'
    return compile_submission(source, TASK)


class Session:
    """One device with two buffers of 1,000 floats: 0, 1, 2, ... and poison."""

    def __init__(self, run: object = None) -> None:
        self.device = FakeDevice(run=run)
        self.a, self.b = self.device.allocate(4000), self.device.allocate(4000)
        self.device.write(self.a, struct.pack("<1000f", *range(1000)))

    def call(self, body: str, before: str = "", n: int = 1000, budget_s: float = 10.0) -> HostRun:
        return run_host(program(body, before), self.device, [self.a, self.b, n], budget_s=budget_s)

    def floats(self, address: int, count: int) -> tuple[float, ...]:
        return struct.unpack(f"<{count}f", self.device.read(address, 4 * count))


def say(body: str, before: str = "", **options: object) -> str:
    return Session().call(body, before, **options).printed  # type: ignore[arg-type]


def fault(body: str, before: str = "") -> DeviceFault:
    with pytest.raises(DeviceFault) as caught:
        Session().call(body, before)
    return caught.value


# ---- launches


def test_a_launch_carries_grid_block_shared_memory_parameters_and_line() -> None:
    session = Session()
    run = session.call("\n\nk<<<dim3(4, 2), 128, 512>>>(a, b, n); cudaDeviceSynchronize();")
    (launch,) = session.device.launched
    assert run.launches == (launch,)
    assert launch == Launch(
        "_Z1kPKfPfi",
        (4, 2, 1),
        (128, 1, 1),
        512,
        struct.pack("<QQi", session.a, session.b, 1000),
        line=4,
        offsets=(0, 8, 16),
    )
    assert run.synchronizations == session.device.synchronizations == 1
    assert not run.data_dependent


def test_loops_and_conditions_of_the_host_function_are_run() -> None:
    run = Session().call("for (int s = n; s > 1; s /= 2) if (s % 4 == 0) k<<<s, 32>>>(a, b, s);")
    assert [launch.grid[0] for launch in run.launches] == [1000, 500]


def test_by_pointer_cooperative_and_configured_launches_are_launches_too() -> None:
    body = (
        "void* args[] = {&a, &b, &n}; cudaLaunchKernel((void*)k, dim3(2), dim3(64), args, 0, 0);"
        "cudaLaunchCooperativeKernel((void*)k, dim3(3), dim3(64), args, 0, 0);"
        "cudaLaunchConfig_t c = {}; c.gridDim = dim3(4); c.blockDim = dim3(32); c.dynamicSmemBytes = 64;"
        "cudaLaunchAttribute at[1]; at[0].id = cudaLaunchAttributeClusterDimension;"
        "at[0].val.clusterDim.x = 2; at[0].val.clusterDim.y = 1; at[0].val.clusterDim.z = 1;"
        "c.attrs = at; c.numAttrs = 1;"
        "cudaLaunchKernelEx(&c, k, a, b, n);"
    )
    plain, together, configured = Session().call(body).launches
    assert plain.grid == (2, 1, 1) and plain.parameters == together.parameters == configured.parameters
    assert together.cooperative and not plain.cooperative
    assert (configured.shared_bytes, configured.cluster) == (64, (2, 1, 1))


def test_a_host_function_that_launches_nothing_is_fine() -> None:
    assert Session().call("n = 0;").steps == ()


@pytest.mark.parametrize(
    ("shape", "code", "why"),
    [
        ("0, 256", "cudaErrorInvalidConfiguration", "a dimension is 0"),
        ("1, 1025", "cudaErrorInvalidConfiguration", "1,025 threads"),
        ("1, dim3(1, 1, 65)", "cudaErrorInvalidConfiguration", "z up to 64"),
        ("dim3(1, 65536), 1", "cudaErrorInvalidConfiguration", "65535"),
        ("1, 32, 49153", "cudaErrorInvalidValue", "cudaFuncSetAttribute"),
    ],
)
def test_a_launch_beyond_the_limits_fails_with_cudas_error(shape: str, code: str, why: str) -> None:
    run = Session().call(f'k<<<{shape}>>>(a, b, n); printf("%s", cudaGetErrorName(cudaGetLastError()));')
    assert run.printed == code and run.launches == ()
    assert why in run.failures[0]
    if shape != "0, 256":
        assert why in str(fault(f"k<<<{shape}>>>(a, b, n);"))


def test_a_launch_of_no_blocks_that_nobody_asks_about_is_told_and_stops_nothing() -> None:
    run = Session().call("k<<<dim3(1, 0), 256>>>(a, b, n); k<<<1, 32>>>(a, b, n);")
    assert [launch.block for launch in run.launches] == [(32, 1, 1)]
    assert run.empty_launch is not None and "a dimension is 0" in run.empty_launch[0]
    assert Session().call("k<<<0, 32>>>(a, b, n); cudaGetLastError();").empty_launch is None


def test_the_last_error_is_cleared_by_reading_but_not_by_peeking() -> None:
    body = "k<<<1, 2000>>>(a, b, n); int p = cudaPeekAtLastError();"
    body += "int g = cudaGetLastError(), h = cudaGetLastError();"
    assert say(body + ' printf("%d %d %d", p, g, h);') == "9 9 0"


def test_more_dynamic_shared_memory_needs_the_attribute_and_has_an_end() -> None:
    attribute = "cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, {});"
    session = Session()
    session.call(attribute.format(100000) + "k<<<1, 32, 100000>>>(a, b, n);")
    assert session.device.dynamic_shared == {"_Z1kPKfPfi": 100000}
    assert session.device.launched[0].shared_bytes == 100000
    assert "232,448" in str(fault(attribute.format(300000)))


def test_launch_bounds_limit_the_block() -> None:
    bounded = "__global__ void __launch_bounds__(64) small(float* b) { b[0] = 1; }\n"
    assert "64 threads a block" in str(fault("small<<<1, 65>>>(b);", bounded))


def test_a_cooperative_grid_must_fit_on_the_device_at_once() -> None:
    body = (
        "void* args[] = {&a, &b, &n}; cudaLaunchCooperativeKernel((void*)k, dim3(100000), dim3(1024), args);"
    )
    assert "fit at once" in str(fault(body))


# ---- memory


def test_scratch_memory_is_allocated_filled_copied_and_freed() -> None:
    session = Session()
    body = (
        "float* s; cudaMalloc(&s, 400); cudaMemset(s, 0, 400);"
        "cudaMemcpy(s, a, 16, cudaMemcpyDeviceToDevice);"
        "cudaMemcpyAsync(b, s, 32, cudaMemcpyDefault); cudaFree(s); cudaFree(nullptr);"
    )
    run = session.call(body)
    assert session.floats(session.b, 8) == (0, 1, 2, 3, 0, 0, 0, 0)
    assert len(session.device.memory) == 2
    assert [type(s) for s in run.steps][1:4] == [Fill, Copy, Copy]
    assert run.allocations[0].nbytes == 400


def test_copies_go_to_and_from_the_host_stack_and_heap() -> None:
    body = (
        "float h[4]; cudaMemcpy(h, a, 16, cudaMemcpyDeviceToHost); for (float& x : h) x += 0.5f;"
        "float* p = (float*)malloc(16); memcpy(p, h, 16);"
        "cudaMemcpy(b, p, 16, cudaMemcpyHostToDevice); free(p);"
    )
    session = Session()
    run = session.call(body)
    assert session.floats(session.b, 4) == (0.5, 1.5, 2.5, 3.5)
    assert isinstance(run.steps[0], Read) and isinstance(run.steps[1], Write)


def test_reading_a_result_before_more_work_makes_the_plan_data_dependent() -> None:
    read = "float h; cudaMemcpy(&h, a, 4, cudaMemcpyDeviceToHost);"
    assert Session().call(read + "if (h == 0) k<<<1, 1>>>(a, b, n);").data_dependent
    assert not Session().call("k<<<1, 1>>>(a, b, n);" + read).data_dependent


def test_two_dimensional_copies_and_fills_respect_the_pitch() -> None:
    session = Session()
    body = (
        "size_t pitch; char* p; cudaMallocPitch(&p, &pitch, 8, 3); cudaMemset2D(p, pitch, 0, 8, 3);"
        "cudaMemcpy2D(p, pitch, a, 40, 8, 3, cudaMemcpyDeviceToDevice);"
        "cudaMemcpy2D(b, 8, p, pitch, 8, 3, cudaMemcpyDeviceToDevice);"
    )
    session.call(body)
    assert session.floats(session.b, 6) == (0, 1, 10, 11, 20, 21)


def test_symbols_are_written_read_and_addressed() -> None:
    before = "__constant__ float c[4]; __device__ volatile float d[4];\n"
    body = (
        "cudaMemcpyToSymbol(c, a, 16, 0, cudaMemcpyDeviceToDevice); float h[2] = {7, 8};"
        "cudaMemcpyToSymbol(d, h, 8, 8); float g[4]; cudaMemcpyFromSymbol(g, c, 16); float* p; size_t s;"
        'cudaGetSymbolAddress((void**)&p, d); cudaGetSymbolSize(&s, d); printf("%g %g %zu", g[1], g[3], s);'
        "cudaMemcpy(b, p + 2, 8, cudaMemcpyDefault);"
    )
    session = Session()
    assert session.call(body, before).printed == "1 3 16"
    assert session.floats(session.b, 2) == (7, 8)


def test_managed_memory_is_seen_by_both_sides() -> None:
    def double(device: object, launch: Launch) -> None:
        source, to, count = struct.unpack("<QQi", launch.parameters)
        values = struct.unpack(f"<{count}f", device.read(source, 4 * count))  # type: ignore[attr-defined]
        device.write(to, struct.pack(f"<{count}f", *(2 * v for v in values)))  # type: ignore[attr-defined]

    body = (
        "float* m; cudaMallocManaged(&m, 64); for (int i = 0; i < 8; ++i) m[i] = i + 1;"
        "k<<<1, 8>>>(m, m + 8, 8); cudaDeviceSynchronize();"
        'printf("%g %g", m[8], m[15]); cudaFree(m);'
    )
    assert Session(run=double).call(body).printed == "2 16"


def test_managed_memory_keeps_what_a_kernel_left_for_the_next_one() -> None:
    def increment(device: object, launch: Launch) -> None:
        (at,) = struct.unpack_from("<Q", launch.parameters)
        (value,) = struct.unpack("<i", device.read(at, 4))  # type: ignore[attr-defined]
        device.write(at, struct.pack("<i", value + 1))  # type: ignore[attr-defined]

    body = (
        "int* m; cudaMallocManaged(&m, 8); m[0] = 5; m[1] = 7;"
        "k<<<1, 1>>>((float*)m, nullptr, 0); k<<<1, 1>>>((float*)m, nullptr, 0); cudaDeviceSynchronize();"
        'printf("%d %d", m[0], m[1]);'
    )
    assert Session(run=increment).call(body).printed == "7 7"


def test_a_managed_variable_is_seen_by_both_sides_and_outlives_the_run() -> None:
    def increment(device: object, launch: Launch) -> None:
        at, _ = device.symbol("m")  # type: ignore[attr-defined]
        (value,) = struct.unpack("<i", device.read(at, 4))  # type: ignore[attr-defined]
        device.write(at, struct.pack("<i", value + 1))  # type: ignore[attr-defined]

    body = 'if (n) m[0] = 5; k<<<1, 1>>>(a, b, n); cudaDeviceSynchronize(); printf("%d ", m[0]);'
    session = Session(run=increment)
    assert session.call(body, "__managed__ int m[16];\n", n=1).printed == "6 "
    assert session.call(body, "__managed__ int m[16];\n", n=0).printed == "7 "


def test_waiting_for_a_kernel_keeps_what_was_copied_into_pinned_memory_meanwhile() -> None:
    body = (
        "float* h; cudaMallocHost(&h, 12); k<<<1, 1>>>(b, b, 0);"
        "cudaMemcpyAsync(h, a, 12, cudaMemcpyDeviceToHost);"
        'h[0] = 9; cudaDeviceSynchronize(); printf("%g %g %g", h[0], h[1], h[2]);'
    )
    assert Session(run=lambda device, launch: None).call(body).printed == "9 1 2"


def test_an_allocation_beyond_the_gpu_fails_like_cudas() -> None:
    body = "float* p = nullptr; int e = cudaMalloc(&p, 100ull << 30);"
    assert say(body + ' cudaGetLastError(); printf("%d %d", e, p == nullptr);') == "2 1"
    assert "107,374,182,400" in str(fault(body)) and "out of memory" in str(fault(body))


def test_a_copy_that_contradicts_its_direction_fails() -> None:
    error = fault("float h[4]; cudaMemcpy(h, a, 16, cudaMemcpyHostToDevice);")
    assert "says host to device, but copies device to host" in str(error)


def test_the_direction_of_a_copy_between_two_device_pointers_does_not_matter() -> None:
    session = Session()
    session.call("cudaMemcpy(b, a, 12, cudaMemcpyDeviceToHost);")
    assert session.floats(session.b, 3) == (0, 1, 2)


def test_a_copy_from_nowhere_fails_like_cudas() -> None:
    body = "float h; int e = cudaMemcpy(&h, a + 100000000, 4, cudaMemcpyDeviceToHost);"
    assert say(body + ' cudaGetLastError(); printf("%d", e);') == "1"
    assert "neither device nor host memory" in str(fault(body))


def test_freeing_twice_is_told() -> None:
    assert "freed already" in str(fault("float* p; cudaMalloc(&p, 4); cudaFree(p); cudaFree(p);"))


def test_a_copy_past_the_end_of_host_memory_is_told() -> None:
    assert "host memory that is smaller" in str(
        fault("float* p = (float*)malloc(16); cudaMemcpy(p, a, 32, cudaMemcpyDeviceToHost);")
    )


# ---- the device, streams, events


def test_properties_attributes_and_occupancy_come_from_the_device() -> None:
    body = (
        "cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); int v, d, count;"
        "cudaGetDevice(&d); cudaGetDeviceCount(&count);"
        "cudaDeviceGetAttribute(&v, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0); int blocks, grid, block;"
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 1024, 0);"
        "cudaOccupancyMaxPotentialBlockSize(&grid, &block, k);"
        "cudaFuncAttributes f; cudaFuncGetAttributes(&f, k);"
        "size_t free, total; cudaMemGetInfo(&free, &total);"
        'printf("%s|%d.%d|%d|%d|", p.name, p.major, p.minor, p.multiProcessorCount, p.warpSize);'
        'printf("%zu|%d|%d %d|", p.totalGlobalMem, v, d, count);'
        'printf("%d %d %d|%d|%d|", blocks, grid, block, f.numRegs > 0, f.maxThreadsPerBlock);'
        'printf("%d", free == total);'
    )
    assert say(body) == "Test GPU|9.0|132|32|85899345920|232448|0 1|2 264 1024|1|1024|1"


def test_a_wrong_device_number_is_an_error() -> None:
    assert say('printf("%d", cudaSetDevice(1));') == "101"


def test_settings_that_change_nothing_here_are_accepted() -> None:
    body = (
        "size_t v; cudaStreamAttrValue s = {}; int e = cudaDeviceSetLimit(cudaLimitStackSize, 1 << 16);"
        "e += cudaDeviceGetLimit(&v, cudaLimitStackSize) + cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);"
        "e += cudaStreamSetAttribute(0, cudaStreamAttributeAccessPolicyWindow, &s) + cudaSetDeviceFlags(0);"
        "e += cudaFuncSetCacheConfig(k, cudaFuncCachePreferShared) + cudaDeviceReset() + cudaStreamQuery(0);"
        'printf("%d", e);'
    )
    assert say(body) == "0"


def test_a_captured_graph_does_its_work_at_each_launch_and_not_before() -> None:
    body = (
        "cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphExec_t e;"
        "cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);"
        "k<<<1, 7, 0, s>>>(a, b, n); cudaMemcpyAsync(b, a + 5, 4, cudaMemcpyDeviceToDevice, s);"
        "cudaMemsetAsync(b + 1, 0, 4, s); cudaStreamCaptureStatus c; cudaStreamIsCapturing(s, &c);"
        "cudaStreamEndCapture(s, &g); cudaGraphInstantiate(&e, g, nullptr, nullptr, 0);"
        'float x; cudaMemcpy(&x, b, 4, cudaMemcpyDeviceToHost); printf("%d %d,", c, x == 5);'
        "cudaGraphLaunch(e, s); cudaGraphLaunch(e, s); cudaStreamSynchronize(s); cudaGraphExecDestroy(e);"
    )
    session = Session()
    assert session.call(body).printed == "1 0,"
    assert [launch.block[0] for launch in session.device.launched] == [7, 7]
    assert session.floats(session.b, 2) == (5, 0)


def test_a_graph_that_was_never_made_is_told() -> None:
    assert "what is no graph" in fault("cudaGraphExec_t e = nullptr; cudaGraphLaunch(e, 0);").message


def test_streams_and_events_work() -> None:
    session = Session()
    body = (
        "cudaStream_t s; cudaStreamCreate(&s); cudaEvent_t x, y; cudaEventCreate(&x); cudaEventCreate(&y);"
        "cudaEventRecord(x, s); k<<<1, 1, 0, s>>>(a, b, n); cudaEventRecord(y, s); cudaEventSynchronize(y);"
        'float ms; cudaEventElapsedTime(&ms, x, y); printf("%d", ms > 0); cudaStreamSynchronize(s);'
        "cudaEventDestroy(x); cudaEventDestroy(y); cudaStreamDestroy(s);"
    )
    assert session.call(body).printed == "1"
    assert session.device.launched[0].stream != 0


# ---- host code itself


def test_printing_goes_through_printf_and_cout() -> None:
    body = (
        'printf("%5d|%-3s|%.2f|%c%%\\n", n, "ab", 1.5, 65);'
        "std::cout << \"x=\" << 2.5f << ' ' << n << std::endl;"
        "std::cout << std::fixed << std::setprecision(2) << 3.14159 << '\\n';"
    )
    assert say(body, "#include <iostream>\n") == " 1000|ab |1.50|A%\nx=2.5 1000\n3.14\n"


def test_a_printf_flood_is_cut() -> None:
    text = say('for (int i = 0; i < 20000; ++i) printf("line %d\\n", i);')
    assert len(text) < 70_000 and "more output dropped" in text


def test_the_standard_library_works_on_the_host() -> None:
    before = "#include <vector>\n#include <algorithm>\n#include <numeric>\n#include <string>\n"
    body = (
        "std::vector<int> v; for (int i = 0; i < 500; ++i) v.push_back(i * i % 17);"
        "std::sort(v.begin(), v.end());"
        'std::string s = std::to_string(std::accumulate(v.begin(), v.end(), 0)) + ",";'
        "s += std::to_string(v.back());"
        'printf("%s", s.c_str());'
    )
    values = sorted(i * i % 17 for i in range(500))
    assert say(body, before) == f"{sum(values)},{values[-1]}"


def test_tuples_pairs_and_arrays_come_apart() -> None:
    before = "#include <tuple>\n#include <array>\n#include <utility>\n#include <cstdio>\n"
    before += "std::tuple<int, float, double> three() { return {1, 2.5f, 3.25}; }\n"
    body = (
        'auto [c, d, e] = three(); printf("%d %g %g,", c, d, e);'
        'int x; float y; std::tie(x, y, std::ignore) = three(); printf("%d %g,", x, y);'
        'auto [p, q] = std::make_pair(7, 8.5f); printf("%d %g,", p, q);'
        'std::array<int, 2> r{4, 5}; auto [s, t] = r; printf("%d %d,", s, std::get<1>(r) + 0 * t);'
        'printf("%d %d", (int)std::apply([](int u, float v, double w) { return u + v + w; }, three()),'
        "std::exchange(x, 5));"
    )
    assert say(body, before) == "1 2.5 3.25,1 2.5,7 8.5,4 5,6 1"


def test_vectors_and_strings_are_edited() -> None:
    before = "#include <vector>\n#include <string>\n#include <functional>\n#include <cinttypes>\n"
    body = (
        "std::vector<int> w{3, 1, 2, 2}; std::sort(w.begin(), w.end());"
        "w.erase(std::unique(w.begin(), w.end()), w.end());"
        "w.insert(w.end(), w.begin(), w.begin() + 1); w.insert(w.begin(), 2, 9);"
        "std::rotate(w.begin(), w.begin() + 1, w.end());"
        "w.erase(std::remove(w.begin(), w.end(), 3), w.end());"
        'for (int e : w) printf("%d", e);'
        'printf(",%d,", *std::max_element(w.begin(), w.end(), std::less_equal<>()));'
        'std::string h = "hello"; printf("%zu %s %d ", h.find("ll"), h.substr(1, 3).append("x").c_str(),'
        'std::stoi("42")); printf("%" PRIu64, (uint64_t)5);'
    )
    assert say(body, before) == "91219,9,2 ellx 42 5"


def test_traits_of_types_are_those_of_cpp() -> None:
    before = "#include <type_traits>\n#include <limits>\nenum class E : short {};\n"
    before += "template <class T, class = void> struct has : std::false_type {};\n"
    before += "template <class T> struct has<T, std::void_t<typename T::x>> : std::true_type {};\n"
    before += "template <size_t... I> int digits(std::index_sequence<I...>) { int v = 0;"
    before += " return ((v = 10 * v + int(I)), ...), v; }\n"
    body = """
        static_assert(std::is_void_v<const void> && std::is_array_v<int[3]> && !std::is_class_v<int>);
        static_assert(std::is_same_v<std::common_type_t<int, float>, float>);
        static_assert(std::is_same_v<std::underlying_type_t<E>, short> && std::is_enum_v<E>);
        static_assert(std::is_same_v<std::make_unsigned_t<long>, unsigned long> && !has<int>::value);
        static_assert(std::is_convertible_v<int, float> && !std::is_convertible_v<int*, float>);
        static_assert(std::is_base_of_v<std::true_type, std::is_pointer<int*>>);
        static_assert(std::is_invocable_v<int (*)(int), int> && !std::is_invocable_v<int (*)(int), int*>);
        static_assert(std::is_function_v<void()> && !std::is_function_v<int> && std::is_reference_v<int&&>);
        static_assert(std::is_trivially_copyable_v<E> && std::is_constructible_v<float, int>);
        static_assert(std::numeric_limits<int>::digits10 == 9);
        printf("%d", digits(std::make_index_sequence<7>{}));"""
    assert say(body, before) == "123456"


def test_host_arithmetic_is_that_of_a_cpu() -> None:
    """No flush to zero, no fused multiply-add."""
    body = 'volatile float t = 1e-40f, x = 1.0000001f; float y = x * x - 1.0f; printf("%d %.9g", t > 0, y);'
    assert say(body) == "1 2.38418579e-07"


def test_exit_zero_ends_the_run_and_another_code_fails_it() -> None:
    assert Session().call("k<<<1, 1>>>(a, b, n); exit(0); k<<<1, 1>>>(a, b, n);").exit_code == 0
    error = fault('fprintf(stderr, "sorry"); exit(3);')
    assert "exit(3)" in str(error) and "It printed: sorry" in error.hint


def test_a_check_macro_that_exits_shows_the_cause() -> None:
    before = (
        "#define CHECK(x) do { int e = (x); if (e) { puts(cudaGetErrorString((cudaError_t)e)); exit(1); } } "
    )
    before += "while (0)\n"
    error = fault("k<<<1, 4096>>>(a, b, n); CHECK(cudaGetLastError());", before)
    assert "4,096 threads" in str(error) and "invalid configuration argument" in error.hint


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("b[0] = 1;", "device memory through a pointer"),
        ('float x = a[n - 1]; printf("%g", x);', "device memory through a pointer"),
        ("throw 1;", "threw an exception"),
        ("assert(n < 10);", "assert(n < 10) failed"),
        ("volatile int* p = (int*)(size_t)(n - 1000); *p = 1;", "null pointer"),
        ("int* p = (int*)malloc(4); p[n] = 1;", "not its own"),
        ("int* p = (int*)malloc(4); free(p + 1);", "free()"),
        ("((void (*)())(size_t)n)();", "function pointer"),
        ("cudaLaunchKernel((void*)a, dim3(1), dim3(1), nullptr);", "not a kernel"),
    ],
)
def test_what_would_crash_a_program_is_a_fault_with_its_line(body: str, words: str) -> None:
    error = fault("\n" + body)
    assert words in str(error)
    assert error.where is not None and error.where.line == 3


def test_calling_our_own_functions_with_nonsense_is_a_fault_too() -> None:
    assert "make no sense" in str(fault("wd_malloc((void**)&b, 4, 99);"))


def test_a_loop_that_allocates_without_end_is_stopped() -> None:
    body = "volatile int x = 0; while (true) { char* p = (char*)malloc(1 << 28); p[0] = 1; x = x + 1; }"
    assert "host memory" in str(fault(body))


def test_unbounded_recursion_is_a_fault() -> None:
    before = "__noinline__ int r(int n) { volatile int q[8]; q[n % 8] = n; return r(n + 1) + q[3]; }\n"
    assert "stack" in str(fault('printf("%d", r(n));', before))


@pytest.mark.parametrize("inside", ["x = x + 1;", "cudaDeviceSynchronize();", "k<<<1, 1>>>(a, b, n);"])
def test_a_loop_without_end_is_stopped(inside: str) -> None:
    with pytest.raises(TimeLimitError):
        Session().call(f"volatile int x = 0; while (true) {{ {inside} }}", budget_s=0.3)


def test_nothing_is_kept_from_one_run_to_the_next() -> None:
    before = "static int calls = 0;\n"
    session = Session()
    body = 'printf("%d", ++calls);'
    assert session.call(body, before).printed == session.call(body, before).printed == "1"
