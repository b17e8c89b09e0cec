"""A question file as a `Question`: every field checked, every mistake at its line.

The schema is what this module and its neighbours, one for each kind, read; questions/README.md
describes it for authors.
"""

from __future__ import annotations

from pathlib import Path

from trainer.bank import schema_analysis, schema_kernel, schema_quiz, schema_strategy
from trainer.bank.index import read_entry
from trainer.bank.model import LEVELS, Entry, Kind, Question
from trainer.bank.roots import Root
from trainer.bank.source import read

_SCHEMAS = {
    Kind.KERNEL: schema_kernel,
    Kind.QUIZ: schema_quiz,
    Kind.ANALYSIS: schema_analysis,
    Kind.STRATEGY: schema_strategy,
}


def load_question(root: Root, entry: Entry) -> Question:
    """Read and check a whole question file. Raises ContentError at the first mistake."""
    fields = _SCHEMAS[entry.kind].fields_of(read(entry.path))
    fields["level"].choice(LEVELS)
    strategy = schema_strategy.strategy_of(fields) if entry.kind is Kind.STRATEGY else None
    statement = fields["statement"].text() if "statement" in fields else entry.title
    quiz = None
    if entry.kind is Kind.QUIZ:
        quiz = schema_quiz.quiz_file(fields, entry)
    elif entry.kind is Kind.ANALYSIS:
        quiz = schema_analysis.quiz_file(fields)
    return Question(
        id=entry.id,
        kind=entry.kind,
        topic=entry.topic,
        level=entry.level,
        title=entry.title,
        statement=strategy.prompt if strategy else statement,
        hints=tuple(hint.text() for hint in fields["hints"].items()) if "hints" in fields else (),
        path=entry.path,
        task=schema_kernel.kernel_task(fields, root, entry) if entry.kind is Kind.KERNEL else None,
        quiz=quiz,
        strategy=strategy,
    )


def load_file(root: Root, path: Path) -> Question:
    """Like `load_question`, for one file of the bank."""
    return load_question(root, read_entry(path))
