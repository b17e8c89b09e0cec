"""The fields of an analysis: a kernel with marked lines, and what a request at each of them costs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from trainer.bank.model import Text
from trainer.bank.quiz import Analysis, Form, Provenance, Quiz, QuizFile
from trainer.bank.source import Value

_REQUIRED = (
    "kind", "level", "title", "source", "statement", "kernel", "measure", "grid", "block", "floats",
    "answers", "explanation",
)  # fmt: skip
_OPTIONAL = ("followups", "hints", "n")
_SPACES = {"sectors": "global", "wavefronts": "shared"}
_ASKED: Mapping[str, Text] = {
    "global": {
        "en": "How many 32-byte sectors does a request of a warp touch at each marked line?",
        "zh": "每个标记行上，一个 warp 的一次请求涉及多少个 32 字节扇区？",
    },
    "shared": {
        "en": "How many wavefronts does a request of a warp take at each marked line?",
        "zh": "每个标记行上，一个 warp 的一次请求需要多少次 wavefront？",
    },
}
_MARK = re.compile(r"// (\d+)$", re.MULTILINE)
_NAME = re.compile(r"__global__ void (\w+)\(const float\* x, float\* y, int n\)")


def fields_of(value: Value) -> dict[str, Value]:
    return value.fields((*_REQUIRED, *_OPTIONAL), required=_REQUIRED)


def quiz_file(fields: Mapping[str, Value]) -> QuizFile:
    analysis = _analysis(fields)
    code = "\n".join(f"    {line}".rstrip() for line in fields["kernel"].string().strip("\n").splitlines())
    said, asked = fields["statement"].text(), _ASKED[analysis.space]
    prompt = {key: f"{words}\n\n{code}\n\n{asked.get(key, asked['en'])}" for key, words in said.items()}
    quiz = Quiz(Form.LINES, prompt, fields["explanation"].text(), analysis=analysis)
    followups = tuple(v.string() for v in fields["followups"].items()) if "followups" in fields else ()
    return QuizFile(Provenance(fields["source"].choice(list(Provenance))), followups, quiz=quiz)


def _analysis(fields: Mapping[str, Value]) -> Analysis:
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
        space=_SPACES[fields["measure"].choice(_SPACES)],
        costs=costs,
        floats=floats,
        n=fields["n"].integer() if "n" in fields else floats,
    )
