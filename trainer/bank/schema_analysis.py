"""The fields of an analysis: a kernel with marked lines, and what is measured at each of them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from trainer.bank.model import Text
from trainer.bank.quiz import Analysis, Form, Measure, Provenance, Quiz, QuizFile
from trainer.bank.source import Value

_REQUIRED = (
    "kind", "level", "title", "source", "statement", "kernel", "measure", "grid", "block", "floats",
    "answers", "explanation",
)  # fmt: skip
_OPTIONAL = ("followups", "hints", "n")
_ASKED: Mapping[Measure, Text] = {
    Measure.SECTORS: {
        "en": "How many 32-byte sectors does a request of a warp touch at each marked line?",
        "zh": "每个标记行上，一个 warp 的一次请求涉及多少个 32 字节扇区？",
    },
    Measure.WAVEFRONTS: {
        "en": "How many wavefronts does a request of a warp take at each marked line?",
        "zh": "每个标记行上，一个 warp 的一次请求需要多少次 wavefront？",
    },
    Measure.LANES: {
        "en": "How many lanes of a warp are active when it executes the branch at each marked line?",
        "zh": "一个 warp 执行每个标记行上的分支时，有多少个线程处于活跃状态？",
    },
    Measure.DIVERGENT: {
        "en": "How many divergent branches are there at each marked line: over the whole launch, how often "
        "do some active lanes of a warp go one way and some the other?",
        "zh": "每个标记行上有多少次发散分支：整个启动过程中，有多少次同一 warp 的活跃线程走向不同的方向？",
    },
}
_MARK = re.compile(r"// (\d+)$", re.MULTILINE)
_NAME = re.compile(r"__global__ void (\w+)\(const float\* x, float\* y, int n\)")


def fields_of(value: Value) -> dict[str, Value]:
    return value.fields((*_REQUIRED, *_OPTIONAL), required=_REQUIRED)


def quiz_file(fields: Mapping[str, Value]) -> QuizFile:
    analysis = analysis_of(fields)
    code = code_of(fields)
    said, asked = fields["statement"].text(), _ASKED[analysis.measure]
    prompt = {key: f"{words}\n\n{code}\n\n{asked.get(key, asked['en'])}" for key, words in said.items()}
    quiz = Quiz(Form.LINES, prompt, fields["explanation"].text(), analysis=analysis)
    followups = tuple(v.string() for v in fields["followups"].items()) if "followups" in fields else ()
    return QuizFile(Provenance(fields["source"].choice(list(Provenance))), followups, quiz=quiz)


def code_of(fields: Mapping[str, Value]) -> str:
    """The kernel as a code block of Markdown."""
    return "\n".join(f"    {line}".rstrip() for line in fields["kernel"].string().strip("\n").splitlines())


def analysis_of(fields: Mapping[str, Value]) -> Analysis:
    """The kernel, how to run it, and what is counted at its marked lines."""
    kernel = fields["kernel"].string()
    name = _NAME.search(kernel)
    if name is None:
        fields["kernel"].fail("should hold `__global__ void NAME(const float* x, float* y, int n)`")
    costs = tuple(item.integer() for item in fields["answers"].items())
    marks = [int(mark) for mark in _MARK.findall(kernel)]
    if marks != list(range(1, len(costs) + 1)):
        fields["answers"].fail(
            f"{len(costs)} answers for the marked lines {marks}", "Mark lines // 1, // 2 ..."
        )
    floats = fields["floats"].integer()
    launch = f"{name[1]}<<<{fields['grid'].expression()}, {fields['block'].expression()}>>>(x, y, n);"
    host = f'extern "C" void solve(const float* x, float* y, int n) {{ {launch} }}'
    return Analysis(
        source=f"{kernel.strip()}\n\n{host}\n",
        measure=Measure(fields["measure"].choice(list(Measure))),
        costs=costs,
        floats=floats,
        n=fields["n"].integer() if "n" in fields else floats,
    )
