"""Every wrong answer in circulation that our study lists is what some question is about.

The wrong claim stands in the statement, in a wrong option, or among the known mistakes of a number.
"""

from __future__ import annotations

import re

import pytest

from trainer.bank.library import Library

LIBRARY = Library.open(environ={})
CLAIMS = {
    "fp32 vector add moves 24 bytes an element": ("exam-vector-add-bytes", "24 bytes are right for fp64"),
    "peak over bandwidth is arithmetic intensity": ("exam-intensity-or-balance", "^arithmetic intensity$"),
    "pad 16 x 16 product tiles, +20 to 40 %": ("gemm-tile-of-sixteen-padding", "20 to 40 % more speed"),
    "[TILE][TILE + 1] frees any tile": ("plus-one-for-every-tile", "^every TILE$"),
    "padding is always safe": ("is-padding-always-safe", "^both become free$"),
    "s[tid] and s[tid + 128] conflict": ("two-loads-far-apart", "a 2-way conflict"),
    "interleaved reduction is 32-way": ("interleaved-worst-conflict", "32-way"),
    "float4 cuts transactions four times": ("what-float4-saves", "the number of sectors"),
    "one instruction adds two float4": ("four-wide-arithmetic", "GPUs compute on vectors of four"),
    "traffic falls to 1/2 (1/BM) (1/BN)": ("traffic-of-rectangular-tiles", r"1 / \(2 · BM · BN\)"),
    "wmma 16 x 16 x 16 is one instruction": ("wmma-is-one-instruction", "^one instruction$"),
    "cp.async is a DMA": ("is-cp-async-a-dma", "without any thread"),
    "warp tiling shares registers by shuffles": ("what-warp-tiling-is-for", "__shfl_sync"),
    "registers have no latency": ("are-registers-free", "registers have zero latency"),
    "lanes of a warp are always in step": ("are-warps-always-in-step", "keeps a warp in step"),
    "early return makes a barrier hang": ("exam-early-return-and-barrier", "it always hangs"),
    "8-byte banks help": ("eight-byte-banks", "doubles shared-memory bandwidth"),
    "20 MB of SRAM per core": ("sram-of-an-a100", "20 MB of fast SRAM per core"),
    "64 KB of registers": ("register-file-bytes", "64K is the number of registers"),
    "memory throughput is bandwidth utilisation": ("bound-and-peak-ratio", "as the profiler says"),
    "7 to 40 times faster than PyTorch": ("faster-than-the-library-by-forty", "7 to 40 times faster"),
    "LayerNorm is latency-bound": ("is-layernorm-latency-bound", "it is latency-bound as well"),
    "rescale by exp(m_new - m_old)": ("rescale-factor", r"exp\(m' - m\)"),
    "1979 TFLOP/s in bf16": ("nineteen-hundred-teraflops", "1979"),
    "reversed access is uncoalesced": ("reversed-access", "32 sectors, since the order is descending"),
    "an offset halves bandwidth": ("does-an-offset-halve-bandwidth", "it doubles"),
    "a Gaussian blur is memory-bound": ("exam-blur-is-it-memory-bound", "true for every K"),
    "4000 atomics dominate a reduction": ("do-four-thousand-atomics-matter", "they take most of the time"),
    "maximise occupancy": ("is-more-occupancy-better", "as high as possible"),
    "diagonal block order speeds up transposes": ("diagonal-block-order", "the same gain"),
}


def test_all_thirty_are_here() -> None:
    assert len(CLAIMS) == 30


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_question_deals_with_the_claim(claim: str) -> None:
    question_id, words = CLAIMS[claim]
    question = LIBRARY.question(question_id)
    assert question.quiz is not None and question.quiz.quiz is not None
    quiz = question.quiz.quiz
    said = [question.title["en"], *question.statement["en"].split("\n\n")]
    said += [option.text["en"] for option in quiz.options if not option.correct]
    said += [mistake.why["en"] for mistake in quiz.numeric.mistakes] if quiz.numeric else []
    plain = [" ".join(text.split()) for text in said]
    assert any(re.search(words, text) for text in plain), plain
