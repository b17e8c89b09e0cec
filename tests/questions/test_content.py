"""The built-in questions are sound: every lint finding is a failure here."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from trainer.bank.expressions import names
from trainer.bank.library import Library
from trainer.bank.lint import lint_question
from trainer.bank.model import CaseSpec, KernelTask, Question, Role
from trainer.bank.rounding import BOUND
from trainer.cuda.compile import compile_submission
from trainer.grade.cases import build_case

LIBRARY = Library.open(environ={})
TASKS = [e.id for e in LIBRARY.index.entries if e.kind == "kernel"]
SIGNATURES = {
    "vector-addition": "const float* A, const float* B, float* C, int N",
    "matrix-addition": "const float* A, const float* B, float* C, int N",
    "relu": "const float* input, float* output, int N",
    "matrix-transpose": "const float* input, float* output, int rows, int cols",
    "matrix-multiplication": "const float* A, const float* B, float* C, int M, int N, int K",
    "reduction": "const float* input, float* output, int N",
    "dot-product": "const float* A, const float* B, float* result, int N",
    "softmax": "const float* input, float* output, int N",
    "layer-normalization": "const float* input, const float* weight, const float* bias, float* output, "
    "int N, int C, float eps",
    "gaussian-blur": "const float* input, const float* kernel, float* output, int input_rows, "
    "int input_cols, int kernel_rows, int kernel_cols",
    "histogramming": "const int* input, int* histogram, int N, int num_bins",
    "prefix-sum": "const float* input, float* output, int N",
    "argmax": "const float* input, int* output, int N",
    "reverse-array": "float* input, int N",
    "color-inversion": "unsigned char* image, int width, int height",
    "matrix-copy": "const float* A, float* B, int N",
    "row-sums": "const float* input, float* output, int rows, int cols",
    "leaky-relu": "const float* input, float* output, int N",
    "value-clipping": "const float* input, float* output, float lo, float hi, int N",
    "jacobi-stencil": "const float* input, float* output, int rows, int cols",
    "interleave-arrays": "const float* A, const float* B, float* output, int N",
    "nchw-to-nhwc": "const float* input, float* output, int N, int C, int H, int W",
    "convolution-2d": "const float* input, const float* kernel, float* output, int input_rows, "
    "int input_cols, int kernel_rows, int kernel_cols",
    "sigmoid": "const float* X, float* Y, int N",
    "kth-of-two-sorted-arrays": "const float* A, const float* B, float* output, int M, int N, int k",
    "silu": "const float* input, float* output, int N",
    "swiglu": "const float* input, float* output, int N",
    "stream-compaction": "const float* A, int N, float* out",
    "geglu": "const float* input, float* output, int N",
    "sparse-matrix-vector": "const int* row_ptr, const int* col_idx, const float* values, "
    "const float* x, float* y, int M, int N, int nnz",
    "rgb-to-grayscale": "const float* input, float* output, int width, int height",
    "split-k-matrix-multiplication": "const float* A, const float* B, float* C, int M, int N, int K",
    "batched-matrix-multiplication": "const float* A, const float* B, float* C, "
    "int BATCH, int M, int N, int K",
    "bf16-matrix-multiplication": "const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C, "
    "int M, int N, int K",
    "rotary-embedding": "const float* Q, const float* cos, const float* sin, float* output, int M, int D",
    "weight-dequantization": "const float* X, const float* S, float* Y, int M, int N, int TILE_SIZE",
    "top-k": "const float* input, float* output, int N, int k",
    "int8-quantized-matmul": "const signed char* A, const signed char* B, signed char* C, int M, "
    "int N, int K, float scale_A, float scale_B, float scale_C, int zero_point_A, int zero_point_B, "
    "int zero_point_C",
    "gaussian-blur-rgb": "const unsigned char* image, unsigned char* output, int width, int height",
    "video-preprocess": "const unsigned char* frames, const float* mean, const float* std, "
    "float* output, int batch, int in_height, int in_width, int out_height, int out_width",
    "radix-sort-pass": "const unsigned int* input, unsigned int* output, int N, int shift",
    "radix-sort": "const unsigned int* input, unsigned int* output, int N",
}
LARGEST_CASE = 1 << 17  # elements of any one array: a kernel of one thread has to finish


def task_of(question_id: str) -> tuple[Question, KernelTask]:
    question = LIBRARY.question(question_id)
    assert question.task is not None
    return question, question.task


def test_no_file_of_the_bank_is_broken() -> None:
    assert [str(p) for p in LIBRARY.index.problems] == []


@pytest.mark.parametrize("question_id", TASKS)
@pytest.mark.parametrize("seed", [1, 2026])
def test_a_task_passes_its_lint(question_id: str, seed: int) -> None:
    findings = [f"{f.where}: {f.message}" for f in lint_question(LIBRARY.question(question_id), seed)]
    assert findings == []


@pytest.mark.parametrize("question_id", TASKS)
def test_error_models_are_in_units_of_the_bound_that_they_assume(question_id: str) -> None:
    tolerance = task_of(question_id)[1].tolerance
    assert tolerance.kind != "terms" or tolerance.bound == BOUND


@pytest.mark.parametrize(("question_id", "parameters"), SIGNATURES.items())
def test_files_from_elsewhere_fit_the_signature(question_id: str, parameters: str) -> None:
    assert str(task_of(question_id)[1].signature) == f'extern "C" void solve({parameters})'


@pytest.mark.parametrize("question_id", TASKS)
def test_a_starter_compiles_with_the_right_signature(question_id: str) -> None:
    task = task_of(question_id)[1]
    program = compile_submission(task.starter.read_text(), task.signature)
    assert program.kernels, "a starter shows a kernel to fill in"


def is_smallest(task: KernelTask, spec: CaseSpec) -> bool:
    """Whether every extent of an array is the least that the statement allows."""
    extents = {name for a in task.arguments for expression in a.shape for name in names(expression)}
    return all(spec.sizes[name] == task.limits[name][0] for name in extents)


@pytest.mark.parametrize("question_id", TASKS)
def test_small_cases_are_small_and_reach_the_least_sizes(question_id: str) -> None:
    _, task = task_of(question_id)
    cases = [build_case(task, spec, 1) for spec in task.cases]
    arrays = [a for c in cases for a in c.arguments if a.role is not Role.SCALAR]
    assert max(np.prod(a.shape) for a in arrays) <= LARGEST_CASE
    assert any(is_smallest(task, spec) for spec in task.cases)
    assert len({spec.values for spec in task.cases}) > 1, "values of more than one kind"


@pytest.mark.parametrize("question_id", TASKS)
def test_a_task_has_three_hints_an_example_and_limits(question_id: str) -> None:
    question, task = task_of(question_id)
    assert len(question.hints) == 3
    least = max(build_case(task, spec, 1).elements for spec in task.cases[:1])
    assert task.examples or least > 64, "what does not fit a line may be left out"
    assert set(task.limits) == {a.name for a in task.arguments if a.dtype == "int32" and not a.shape}


@pytest.mark.parametrize("question_id", TASKS)
def test_a_statement_says_what_the_outputs_hold_at_the_start(question_id: str) -> None:
    question, task = task_of(question_id)
    words = r"starts\s+with\s+arbitrary\s+contents"
    if any(a.zeroed for a in task.arguments):
        words = r"is zero before each run"
    elif any(a.role is Role.INOUT for a in task.arguments):
        words = r"in\s+place"
    assert re.search(words, question.statement["en"])


@pytest.mark.parametrize("question_id", TASKS)
def test_every_line_fits_a_terminal(question_id: str) -> None:
    question, task = task_of(question_id)
    for text in (question.statement["en"], task.starter.read_text()):
        assert max(map(len, text.splitlines())) <= 108


def test_wrong_kernels_name_their_mistake_and_verdicts() -> None:
    known = {"wrong_answer", "timed_out", "hazard", "rejected", "runtime_error"}
    folder = Path(__file__).parent.parent / "wrong"
    for question_id in TASKS:
        files = sorted((folder / question_id).glob("*.cu"))
        assert len(files) >= 6
        for path in files:
            mistake = re.fullmatch(r"// (.+\.) -> ([a-z_, ]+)", path.read_text().splitlines()[0])
            assert mistake, path
            assert set(mistake[2].split(", ")) <= known, path
