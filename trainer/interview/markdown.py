"""A report as Markdown. What people and compilers wrote is escaped or stands in code blocks."""

from __future__ import annotations

import re

from trainer.bank.model import localized
from trainer.interview.clock import in_words
from trainer.interview.report import QuestionReport, Report, SectionReport

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")


def markdown(report: Report, language: str = "en") -> str:
    """Ends with a newline."""
    mode = "strict" if report.strict else "practice"
    when = f"{report.started.astimezone():%Y-%m-%d %H:%M}"
    blocks = [
        f"# {escaped(localized(report.title, language))}: {report.total:g} of 100",
        f"{when}, {in_words(report.minutes * 60)} planned, {in_words(report.spent_s)} taken, {mode}, "
        f"{report.ended}. Interview {report.id}.",
        *_comparison(report),
        "## Sections",
        _table(
            ("section", "weight", "score", "time", "plan"),
            [_section_row(section, language) for section in report.sections],
        ),
        f"Total: {report.arithmetic}.",
        *_best(report),
        "## Topics",
        _table(
            ("topic", "score", "questions"), [(t.topic, f"{t.score:g}", t.questions) for t in report.topics]
        ),
        "## Questions",
        *[
            block
            for section in report.sections
            for q in section.questions
            for block in _question(q, language)
        ],
    ]
    if report.advice:
        blocks += ["## Practise next", _advice(report)]
    if report.notes.strip():
        blocks += ["## Your notes", _code(report.notes)]
    return "\n\n".join(blocks) + "\n"


def escaped(text: str) -> str:
    """Text on one line that Markdown takes as it is."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _code(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def _table(head: tuple[str, ...], rows: list[tuple[object, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)


def _section_row(section: SectionReport, language: str) -> tuple[object, ...]:
    score = f"{section.score:.1f}" if section.counts else "left out"
    title = escaped(localized(section.title, language))
    return title, f"{section.weight:g}", score, in_words(section.spent_s), in_words(section.planned_s)


def _comparison(report: Report) -> list[str]:
    if not report.earlier:
        return []
    totals = ", ".join(f"{e.total:g} ({e.started.astimezone():%Y-%m-%d})" for e in report.earlier)
    change = report.total - report.earlier[-1].total
    return [f"Earlier: {totals}. Since the last one: {change:+.1f}."]


def _best(report: Report) -> list[str]:
    if report.best_us is None:
        return []
    before = [earlier.best_us for earlier in report.earlier if earlier.best_us is not None]
    earlier = f", before {min(before):.2f} us" if before else ""
    return [f"Best time: {report.best_us:.2f} us{earlier}."]


def _question(question: QuestionReport, language: str) -> list[str]:
    title = escaped(localized(question.title, language))
    level = f", level {question.level}" if question.level else ""
    time = f"{in_words(question.spent_s)} of {in_words(question.planned_s)}"
    lines = [f"### {question.key} {title}: {question.score:g}{level}", f"{question.topic}, {time}"]
    parts = [
        f"- {part.name}: {'not judged' if part.got is None else f'{part.got:g}'} of {part.of:g} "
        f"({escaped(part.how)})"
        for part in question.parts
    ]
    missed = [f"- missed: {escaped(reason)}" for reason in question.missed]
    return [*lines, "\n".join(parts + missed)]


def _advice(report: Report) -> str:
    return "\n".join(
        f"{number}. {advice.topic}: {escaped(advice.why)}. `{advice.command}`"
        for number, advice in enumerate(report.advice, 1)
    )
