"""Every rung is accepted by the simulator, without a hazard, and counts what its ladder quotes."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from trainer.bank.library import Library
from trainer.grade.grader import Options, grade
from trainer.grade.result import Grade
from trainer.grade.verdict import Verdict
from trainer.sim.backend import SimBackend
from trainer.sim.report import Space

LIBRARY = Library.open(environ={})
SOLUTIONS = Path(__file__).resolve().parents[2] / "solutions"
RUNGS = {f"{path.parent.name}/{path.stem}": path.read_text() for path in sorted(SOLUTIONS.glob("*/*.cu"))}
HOPPER = re.compile(r"wgmma\.mma_async|cp\.async\.bulk\.tensor")
GLOBAL, SHARED = Space.GLOBAL, Space.SHARED

# (rung, space, operation, requests, sectors or wavefronts), summed over all launches at the modelled size.
COUNTS = (
    ("vector-addition/01-chunk-per-thread", GLOBAL, "load", 16_384, 16_384 * 32),
    ("vector-addition/02-coalesced", GLOBAL, "load", 16_384, 16_384 * 4),
    ("vector-addition/03-float4", GLOBAL, "load", 4_096, 4_096 * 16),
    ("matrix-addition/01-lanes-down-a-column", GLOBAL, "store", 8_192, 8_192 * 32),
    ("matrix-addition/02-lanes-along-a-row", GLOBAL, "store", 8_192, 8_192 * 4),
    ("matrix-addition/04-float4", GLOBAL, "store", 2_048, 2_048 * 16),
    ("relu/02-one-thread-per-element", GLOBAL, "load", 8_192, 8_192 * 4),
    ("relu/03-float4", GLOBAL, "load", 2_048, 2_048 * 16),
    ("matrix-transpose/01-read-along-rows", GLOBAL, "store", 6_144, 6_144 * 32),
    ("matrix-transpose/02-write-along-rows", GLOBAL, "store", 6_144, 6_144 * 4),
    ("matrix-transpose/02-write-along-rows", GLOBAL, "load", 6_144, 6_144 * 32),
    ("matrix-transpose/03-shared-tile", SHARED, "load", 6_144, 6_144 * 32),
    ("matrix-transpose/04-padded-tile", SHARED, "load", 6_144, 6_144),
    ("matrix-transpose/05-swizzled-four-rows", SHARED, "load", 6_144, 6_144),
    ("matrix-transpose/06-float4-micro-tile", SHARED, "load", 1_536, 1_536 * 4),
    ("matrix-transpose/06-float4-micro-tile", SHARED, "store", 1_536, 1_536 * 4),
    ("matrix-transpose/06-float4-micro-tile", GLOBAL, "store", 1_536, 1_536 * 16),
    ("matrix-multiplication/01-lanes-down-a-column", GLOBAL, "load", 1_048_576, 524_288 * 33),
    ("matrix-multiplication/02-lanes-along-a-row", GLOBAL, "load", 1_048_576, 524_288 * 5),
    ("matrix-multiplication/03-shared-tiles", GLOBAL, "load", 32_768, 32_768 * 4),
    ("matrix-multiplication/03-shared-tiles", SHARED, "load", 1_048_576, 1_048_576),
    ("matrix-multiplication/04-register-column", SHARED, "load", 589_824, 589_824),
    ("matrix-multiplication/05-register-square", GLOBAL, "load", 8_192, 8_192 * 4),
    ("matrix-multiplication/05-register-square", SHARED, "store", 8_192, 4_096 * 8 + 4_096),
    ("matrix-multiplication/06-float4", SHARED, "load", 32_768, 8_192 * 12),
    ("matrix-multiplication/06-float4", SHARED, "store", 5_120, 4_096 + 1_024 * 4),
    ("matrix-multiplication/07-double-buffered", SHARED, "load", 32_768, 8_192 * 12),
    ("matrix-multiplication/08-warp-tile-async", SHARED, "load", 32_768, 8_192 * 8),
    ("reduction/01-interleaved-modulo", SHARED, "load", 1_029 * (94 + 1), 1_029 * (94 + 1)),
    ("reduction/02-interleaved-strided", SHARED, "load", 1_029 * (24 + 1), 1_029 * (94 + 1)),
    ("reduction/03-sequential", SHARED, "load", 1_029 * (24 + 1), 1_029 * (24 + 1)),
    ("reduction/04-first-add-on-load", SHARED, "store", 513 * 20, 513 * 20),
    ("reduction/05-warp-shuffle", SHARED, "store", 513 * 8, 513 * 8),
    ("reduction/05-warp-shuffle", SHARED, "load", 513, 513),
    ("reduction/06-grid-stride-float4", GLOBAL, "load", 2_048, 2_048 * 16),
    ("reduction/06-grid-stride-float4", GLOBAL, "atomic", 257, 257),
    ("dot-product/01-contiguous-share", GLOBAL, "load", 16_384 + 1, 16_384 * 32 + 4),
    ("dot-product/03-warp-shuffle", GLOBAL, "load", 16_384, 16_384 * 4),
    ("dot-product/04-float4-unrolled", GLOBAL, "load", 4_096, 4_096 * 16),
    ("softmax/01-one-block", GLOBAL, "load", 3 * 4_096 // 2, 3 * 4_096 * 2),
    ("layer-normalization/01-thread-per-row", GLOBAL, "store", 4_096, 4_096 * 32),
    ("layer-normalization/02-block-per-row", GLOBAL, "store", 4_096, 4_096 * 4),
    ("layer-normalization/04-row-in-registers", GLOBAL, "load", 3_072, 3_072 * 16),
    ("gaussian-blur/02-constant-weights", GLOBAL, "load", 99_680, 473_480),
    ("gaussian-blur/03-shared-tile", GLOBAL, "load", 5_536, 18_684),
    ("gaussian-blur/03-shared-tile", SHARED, "load", 49 * 2_048, 49 * 2_048),
    ("gaussian-blur/04-four-rows-per-thread", SHARED, "load", 35_840, 35_840),
    ("gaussian-blur/05-unrolled-sizes", SHARED, "load", 25_088, 25_088),
    ("prefix-sum/02-scan-then-propagate", GLOBAL, "load", 10_224, 16_416 + 2_040 + 16_320),
    ("prefix-sum/04-decoupled-look-back", GLOBAL, "store", 1_024 + 3, 16_384 + 17),
    ("argmax/01-value-then-index", GLOBAL, "load", 3 * 8_192, 8_192 * (4 + 4 + 1)),
    ("argmax/02-pairs-in-shared-memory", SHARED, "store", 39_458, 39_458),
    ("argmax/03-packed-words", GLOBAL, "load", 8_193, 8_192 * 4 + 1),
    ("argmax/04-last-block-float4", GLOBAL, "atomic", 129, 129),
    ("reverse-array/02-swap-in-place", GLOBAL, "load", 8_192, 8_192 * 4),
    ("reverse-array/03-float4", GLOBAL, "load", 2_048, 2_048 * 16),
    ("reverse-array/03-float4", GLOBAL, "store", 2_048, 2_048 * 16),
    ("color-inversion/01-byte-by-byte", GLOBAL, "load", 3 * 6_144, 3 * 6_144 * 4),
    ("color-inversion/02-pixel-as-a-word", GLOBAL, "load", 6_144, 6_144 * 4),
    ("color-inversion/03-four-pixels", GLOBAL, "store", 1_536, 1_536 * 16),
    ("row-softmax/01-thread-per-row", GLOBAL, "store", 2_048, 2_048 * 32),
    ("row-softmax/02-block-per-row", GLOBAL, "load", 3 * 2_048, 3 * 2_048 * 4),
    ("row-softmax/03-online", GLOBAL, "load", 2 * 2_048, 2 * 2_048 * 4),
    ("row-softmax/04-row-in-registers", GLOBAL, "load", 512, 512 * 16),
    ("row-softmax/04-row-in-registers", GLOBAL, "store", 512, 512 * 16),
    ("matrix-copy/01-lanes-down-a-column", GLOBAL, "store", 8_192, 8_192 * 32),
    ("matrix-copy/02-flat", GLOBAL, "load", 8_192, 8_192 * 4),
    ("matrix-copy/04-float4", GLOBAL, "store", 2_048, 2_048 * 16),
    ("row-sums/01-thread-per-row", GLOBAL, "load", 8_192, 8_192 * 32),
    ("row-sums/02-block-per-row", SHARED, "load", 6_400, 6_400),
    ("row-sums/03-warp-per-row", GLOBAL, "load", 8_192, 8_192 * 4),
    ("row-sums/04-float4-in-flight", GLOBAL, "load", 2_048, 2_048 * 16),
    ("rms-norm/01-two-kernels", GLOBAL, "load", 5 * 2_048, 5 * 2_048 * 4),
    ("rms-norm/01-two-kernels", GLOBAL, "store", 2 * 2_048, 2 * 2_048 * 4),
    ("rms-norm/02-fused", GLOBAL, "load", 5 * 2_048, 5 * 2_048 * 4),
    ("rms-norm/02-fused", GLOBAL, "store", 2_048, 2_048 * 4),
    ("rms-norm/03-row-in-registers", GLOBAL, "load", 3 * 512, 3 * 512 * 16),
    ("leaky-relu/01-chunk-per-thread", GLOBAL, "load", 8_192, 8_192 * 32),
    ("leaky-relu/02-grid-stride", GLOBAL, "load", 8_192, 8_192 * 4),
    ("leaky-relu/03-float4", GLOBAL, "store", 2_048, 2_048 * 16),
    ("value-clipping/01-two-kernels", GLOBAL, "load", 2 * 8_192, 2 * 8_192 * 4),
    ("value-clipping/02-fused", GLOBAL, "load", 8_192, 8_192 * 4),
    ("value-clipping/03-float4", GLOBAL, "store", 2_048, 2_048 * 16),
    ("jacobi-stencil/01-lanes-down-a-column", GLOBAL, "load", 33_692, 1_042_444),
    ("jacobi-stencil/02-lanes-along-a-row", GLOBAL, "load", 33_692, 147_008),
    ("jacobi-stencil/03-shared-tile", SHARED, "load", 33_820, 33_820),
    ("jacobi-stencil/04-float4-march", GLOBAL, "load", 5_376, 39_936),
    ("batch-norm-inference/01-as-written", GLOBAL, "load", 5 * 3_136, 3_136 * (4 + 4)),
    ("batch-norm-inference/02-folded", GLOBAL, "load", 3_136 + 4 * 256, 3_136 * 4 + 4 * 256),
    ("batch-norm-inference/03-float4", GLOBAL, "store", 32 * 25, 32 * 784 // 2),
    ("interleave-arrays/01-two-kernels", GLOBAL, "store", 8_192, 8_192 * 8),
    ("interleave-arrays/03-float2-store", GLOBAL, "store", 4_096, 4_096 * 8),
    ("interleave-arrays/04-float4-store", GLOBAL, "store", 2_048, 2_048 * 16),
    ("interleave-arrays/04-float4-store", GLOBAL, "load", 4_096, 4_096 * 8),
    ("nchw-to-nhwc/01-four-indices", GLOBAL, "store", 6_144, 6_144 * 32),
    ("nchw-to-nhwc/02-write-along-channels", GLOBAL, "load", 6_144, 6_144 * 32),
    ("nchw-to-nhwc/03-padded-tile", SHARED, "load", 6_144, 6_144),
    ("nchw-to-nhwc/04-float4-micro-tile", GLOBAL, "store", 1_536, 1_536 * 16),
    ("nchw-to-nhwc/04-float4-micro-tile", SHARED, "load", 1_536, 1_536 * 4),
    ("convolution-2d/01-naive", GLOBAL, "load", 691_200, 2_027_520),
    ("convolution-2d/02-shared-tile", SHARED, "load", 345_600, 345_600),
    ("sigmoid/02-single-precision", GLOBAL, "load", 8_192, 8_192 * 4),
    ("sigmoid/03-float4", GLOBAL, "store", 2_048, 2_048 * 16),
    ("kth-of-two-sorted-arrays/02-binary-search", GLOBAL, "load", 36, 36),
    ("silu/01-sigmoid-then-product", GLOBAL, "load", 3 * 8_192, 3 * 8_192 * 4),
    ("silu/02-fused", GLOBAL, "load", 8_192, 8_192 * 4),
    ("silu/04-float4", GLOBAL, "store", 2_048, 2_048 * 16),
    ("swiglu/01-two-kernels", GLOBAL, "load", 3 * 4_096, 3 * 4_096 * 4),
    ("swiglu/02-fused", GLOBAL, "load", 2 * 4_096, 2 * 4_096 * 4),
    ("swiglu/03-float4", GLOBAL, "load", 2_048, 2_048 * 16),
    ("stream-compaction/02-count-then-write", GLOBAL, "load", 16_898, 66_056),
    ("geglu/02-single-precision", GLOBAL, "load", 2 * 4_096, 2 * 4_096 * 4),
    ("geglu/03-float4", GLOBAL, "load", 2_048, 2_048 * 16),
    ("sparse-matrix-vector/02-warp-per-row", GLOBAL, "store", 16_384, 16_384),
    ("sparse-matrix-vector/03-lanes-that-fit", GLOBAL, "store", 4_096, 4_096),
    ("rgb-to-grayscale/02-pixel-per-thread", GLOBAL, "load", 3 * 4_096, 3 * 4_096 * 12),
    ("rgb-to-grayscale/01-staged-in-shared", GLOBAL, "load", 3 * 4_096, 3 * 4_096 * 4),
    ("rgb-to-grayscale/01-staged-in-shared", SHARED, "load", 3 * 4_096, 3 * 4_096),
    ("rgb-to-grayscale/03-four-pixels", GLOBAL, "load", 3 * 1_024, 3 * 1_024 * 32),
    ("rgb-to-grayscale/04-float4-staged", GLOBAL, "load", 3 * 1_024, 3 * 1_024 * 16),
    ("rgb-to-grayscale/04-float4-staged", SHARED, "load", 3 * 1_024, 3 * 1_024 * 4),
    ("rotary-embedding/01-row-per-thread", GLOBAL, "store", 4_096, 4_096 * 32),
    ("rotary-embedding/02-element-per-thread", GLOBAL, "load", 4 * 4_096, 4 * 4_096 * 4),
    ("rotary-embedding/03-pair-per-thread", GLOBAL, "load", 3 * 4_096, 3 * 4_096 * 4),
    ("rotary-embedding/04-float4", GLOBAL, "load", 3 * 1_024, 3 * 1_024 * 16),
    ("weight-dequantization/01-block-per-tile", GLOBAL, "store", 8_192, 8_192 * 32),
    ("weight-dequantization/02-element-per-thread", GLOBAL, "load", 2 * 8_192, 8_192 * 5),
    ("weight-dequantization/03-float4", GLOBAL, "store", 2_048, 2_048 * 16),
    ("softmax-attention/01-query-per-block", GLOBAL, "load", 32_896, 590_336),
    ("softmax-attention/02-online-tiles", SHARED, "load", 65_536, 65_536),
    ("softmax-attention/02-online-tiles", GLOBAL, "load", 2_176, 8_704),
    ("softmax-attention/03-register-tiles", SHARED, "load", 4_096, 12_288),
    ("softmax-attention/04-lanes-interleaved", SHARED, "load", 4_096, 8_192),
    ("causal-flash-attention/01-query-per-block", GLOBAL, "load", 74_496, 1_123_840),
    ("causal-flash-attention/01-query-per-block", SHARED, "load", 78_400, 78_400),
    ("causal-flash-attention/02-register-tiles", GLOBAL, "load", 256, 4_096),
    ("causal-flash-attention/02-register-tiles", SHARED, "load", 10_752, 21_504),
    ("causal-flash-attention/03-mma-sync", SHARED, "ldmatrix", 768, 3_072),
    ("top-k/01-k-maxima", GLOBAL, "load", 258_049, 651_272),
    ("top-k/02-sorted-tiles", GLOBAL, "load", 4_160, 16_640),
    ("int8-quantized-matmul/01-element-per-thread", GLOBAL, "load", 2 * 1_024 * 256, 1_024 * 256 * 2),
    ("int8-quantized-matmul/04-tensor-cores", SHARED, "load", 16 * 8 * 24 + 512, 16 * 8 * 24 + 512),
    ("int8-quantized-matmul/06-async-pipeline", SHARED, "ldmatrix", 8 * 8 * 4, 8 * 8 * 4 * 4),
    ("int8-quantized-matmul/06-async-pipeline", SHARED, "load", 8 * 8 * 16, 8 * 8 * 16),
    ("gaussian-blur-rgb/01-naive", GLOBAL, "load", 288_000, 1_079_040),
    ("gaussian-blur-rgb/02-two-passes", GLOBAL, "load", 115_200, 217_856),
    ("gaussian-blur-rgb/03-shared-tile", SHARED, "load", 122_880, 122_880),
    ("video-preprocess/02-fused", GLOBAL, "store", 4_494, 20_541),
    ("radix-sort-pass/01-bit-by-bit", GLOBAL, "load", 131_104, 327_808),
    ("radix-sort-pass/03-sorted-in-shared-memory", SHARED, "atomic", 4_096, 12_919),
    ("decode-attention/01-query-per-block", GLOBAL, "load", 16_400, 278_560),
    ("decode-attention/02-split-keys", GLOBAL, "load", 2_128, 33_020),
    ("decode-attention/03-shared-by-the-group", GLOBAL, "load", 592, 8_444),
    ("decode-attention/04-tensor-cores", GLOBAL, "load", 704, 8_760),
    ("mla-decode/01-head-per-block", GLOBAL, "load", 105_024, 1_868_928),
    ("mla-decode/02-heads-share-tiles", GLOBAL, "load", 6_080, 12_032),
    ("mla-decode/02-heads-share-tiles", SHARED, "load", 208_896, 208_896),
    ("mla-decode/03-mma-sync", SHARED, "ldmatrix", 2_240, 8_960),
    ("radix-sort/01-bitonic", GLOBAL, "load", 282_624, 1_499_136),
    ("radix-sort/02-four-passes", GLOBAL, "load", 18_436, 86_536),
    ("bf16-matrix-multiplication/01-one-thread-per-element", GLOBAL, "load", 524_288, 786_432),
    ("bf16-matrix-multiplication/02-shared-tiles", GLOBAL, "load", 16_384, 32_768),
    ("bf16-matrix-multiplication/02-shared-tiles", SHARED, "load", 524_288, 524_288),
    ("bf16-matrix-multiplication/03-register-square", GLOBAL, "load", 512, 8_192),
    ("bf16-matrix-multiplication/03-register-square", SHARED, "load", 16_384, 49_152),
    ("bf16-matrix-multiplication/05-mma-sync", SHARED, "ldmatrix", 1_024, 4_096),
    ("convolution-2d/03-register-strip", GLOBAL, "load", 2_760, 11_910),
    ("convolution-2d/04-weights-as-operands", SHARED, "load", 8_640, 34_560),
    ("kth-of-two-sorted-arrays/03-block-search", GLOBAL, "load", 74, 2_088),
    ("kth-of-two-sorted-arrays/04-warp-search", GLOBAL, "load", 10, 162),
    ("video-preprocess/03-rows-in-shared-memory", SHARED, "load", 17_976, 35_952),
    ("sparse-matrix-vector/04-equal-shares", SHARED, "store", 2_048, 8_192),
    ("stream-compaction/04-staged-float4", GLOBAL, "load", 2_111, 33_000),
    ("gaussian-blur-rgb/04-packed-words", GLOBAL, "load", 4_368, 19_824),
    ("prefix-sum/05-wide-look-back", GLOBAL, "atomic", 23, 23),
    ("gaussian-blur/06-march-in-registers", GLOBAL, "load", 1_532, 10_885),
)


@cache
def graded(rung: str) -> Grade:
    backend = SimBackend()
    try:
        source = (SOLUTIONS / f"{rung}.cu").read_text()
        return grade(LIBRARY.question(rung.partition("/")[0]), source, backend, options=Options(seed=5))
    finally:
        backend.close()


@pytest.mark.parametrize("rung", [name for name, source in RUNGS.items() if not HOPPER.search(source)])
def test_a_rung_is_accepted_without_hazards(rung: str) -> None:
    result = graded(rung)
    assert result.verdict is Verdict.ACCEPTED, result.message
    assert not result.hazards


@pytest.mark.parametrize("rung", [name for name, source in RUNGS.items() if HOPPER.search(source)])
def test_a_rung_that_only_a_hopper_gpu_runs_is_unsupported_and_says_what_for(rung: str) -> None:
    result = graded(rung)
    assert result.verdict is Verdict.UNSUPPORTED, result.message
    assert result.line and re.search(r"wgmma|tensor|cluster", result.message)


@pytest.mark.parametrize(("rung", "space", "op", "requests", "cost"), COUNTS)
def test_a_rung_counts_what_its_ladder_quotes(
    rung: str, space: Space, op: str, requests: int, cost: int
) -> None:
    accesses = [a for a in graded(rung).access if a.space is space and a.op == op]
    assert sum(a.requests for a in accesses) == requests
    assert sum((a.sectors if space is GLOBAL else a.wavefronts) or 0 for a in accesses) == cost


@pytest.mark.parametrize(
    ("rung", "wavefronts"),
    [
        ("03-shared-tiles", 786_432),
        ("04-register-column", 327_680),
        ("05-register-square", 163_840),
        ("06-float4", 98_304),
        ("07-double-buffered", 98_304),
        ("08-warp-tile-async", 65_536),
    ],
)
def test_each_tiled_product_reads_less_from_shared_memory_as_the_hardware_counts(
    rung: str, wavefronts: int
) -> None:
    loads = [
        a for a in graded(f"matrix-multiplication/{rung}").access if a.space is SHARED and a.op == "load"
    ]
    assert sum(a.hardware_wavefronts or a.wavefronts or 0 for a in loads) == wavefronts


def test_shared_atomics_of_random_values_meet_in_banks_and_a_bank_per_lane_ends_that() -> None:
    def wavefronts_per_request(rung: str) -> float:
        atomics = [a for a in graded(rung).access if a.space is SHARED and a.op == "atomic"]
        return sum(a.wavefronts or 0 for a in atomics) / sum(a.requests for a in atomics)

    assert 3.1 < wavefronts_per_request("histogramming/02-shared-counters") < 3.3
    assert 3.1 < wavefronts_per_request("histogramming/03-counters-per-warp") < 3.3
    assert wavefronts_per_request("histogramming/04-bank-per-lane") == 1


@pytest.mark.parametrize(
    ("rung", "values", "cost"),
    [
        ("01-global-atomics", "random", 22.3),
        ("01-global-atomics", "skewed", 31.6),
        ("01-global-atomics", "one-bin", 32.0),
        ("02-shared-counters", "skewed", 1.3),
        ("04-bank-per-lane", "skewed", 1.0),
        ("04-bank-per-lane", "one-bin", 1.0),
    ],
)
def test_skewed_values_cost_a_histogram_global_sectors_but_no_shared_wavefronts(
    rung: str, values: str, cost: float
) -> None:
    question = LIBRARY.question("histogramming")
    assert question.task is not None
    modelled = replace(question.task.modelled, values=values)
    task = replace(question.task, modelled=modelled, cases=question.task.cases[:1])
    backend = SimBackend()
    try:
        source = (SOLUTIONS / "histogramming" / f"{rung}.cu").read_text()
        result = grade(replace(question, task=task), source, backend, options=Options(seed=5))
    finally:
        backend.close()
    atomics = [a for a in result.access if a.op == "atomic" and a.requests >= 2_048]
    units = sum(a.wavefronts or a.sectors or 0 for a in atomics)
    assert units / sum(a.requests for a in atomics) == pytest.approx(cost, abs=0.15)
