"""Proof that a strategy question, or a line of follow-ups, can be asked.

Right numbers are accepted as somebody would type them, every text is in every language of the file, the
points suffice for a level, and follow-ups name questions that exist and are graded at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from trainer.bank.finding import Finding, Severity
from trainer.bank.model import Kind, Question, Text
from trainer.bank.schema_quiz import same
from trainer.bank.schema_strategy import read_followups
from trainer.bank.source import nearest, place_of
from trainer.bank.strategy import EVIDENCE, Discussion, Followup, NumberAsked, QuizAsked, Strategy
from trainer.errors import Location
from trainer.grade.backend import Backend
from trainer.quiz.lint import analysis_disagreement
from trainer.quiz.number import write_number
from trainer.strategy.judge import judge_number, parse_number

LEAST_POINTS = 5
LEAST_IDEAS = 3
LEAST_EVIDENCE = 1
LEAST_NUMBERS = 1


def lint_strategy(
    question: Question, known: Mapping[str, Kind], backend: Backend | None = None
) -> Iterator[Finding]:
    """Everything wrong with a strategy question that could be read; `known`: questions there are. With a
    simulator as `backend` the kernel that it shows is run, and its counters are compared."""
    strategy = question.strategy
    if strategy is None:
        return
    yield from _about_names(question.path, strategy.followups, known)
    messages = [
        *_about_points(strategy),
        *(m for asked in strategy.numbers for m in _about_number(asked)),
        *_about_line(strategy.followups),
        *_untranslated([question.title, *_texts(strategy)]),
        *(analysis_disagreement(strategy.exhibit, backend) if strategy.exhibit and backend else ()),
    ]
    yield from _findings(question.path, messages)


def lint_followups(path: Path, known: Mapping[str, Kind], topics: set[str]) -> Iterator[Finding]:
    """Everything wrong with a file questions/followups/<name>.yaml. Raises ContentError if unreadable."""
    line = read_followups(path)
    yield from _about_names(path, line, known)
    messages = [*_about_line(line), *_untranslated(list(_texts_of(line)))]
    if path.stem not in topics and known.get(path.stem) is not Kind.KERNEL:
        messages.append(f"{path.stem!r} is neither a topic nor a kernel task")
    yield from _findings(path, messages)


def _findings(path: Path, messages: list[str]) -> Iterator[Finding]:
    yield from (Finding(Location(path), Severity.ERROR, message) for message in messages)


def _about_points(strategy: Strategy) -> Iterator[str]:
    evidence = sum(point.aspect in EVIDENCE for point in strategy.points)
    counts = (
        (len(strategy.points), LEAST_POINTS, "points"),
        (len(strategy.points) - evidence, LEAST_IDEAS, "points about the principle"),
        (evidence, LEAST_EVIDENCE, "points about work, magnitude, profile or plan"),
        (len(strategy.numbers), LEAST_NUMBERS, "numbers"),
    )
    for count, least, name in counts:
        if count < least:
            yield f"has {count} {name}; a level needs {least}"
    for number, point in enumerate(strategy.points):
        if any(same(point.text, earlier.text) for earlier in strategy.points[:number]):
            yield f"two points are {point.text['en']!r}"


def _about_number(asked: NumberAsked) -> Iterator[str]:
    """What is typed by somebody who is right has to be right."""
    value, unit = write_number(asked.answer.value), asked.answer.unit["en"]
    for typed in (value, f"{value} {unit}"):
        if not judge_number(asked, parse_number(asked, typed)).right:
            yield f"{typed!r} is not accepted as an answer to {asked.ask['en']!r}"


def _about_names(path: Path, line: tuple[Followup, ...], known: Mapping[str, Kind]) -> Iterator[Finding]:
    """Follow-ups by id name questions that are graded at once."""
    graded = [name for name, kind in known.items() if kind in (Kind.QUIZ, Kind.ANALYSIS)]
    for followup in _all(line):
        if isinstance(followup.item, QuizAsked) and (name := followup.item.id) not in graded:
            message = f"the follow-up {name!r} is no quiz or analysis"
            yield Finding(place_of(name, path), Severity.ERROR, message, nearest(name, graded))


def _about_line(line: tuple[Followup, ...]) -> Iterator[str]:
    seen: set[str] = set()
    for followup in _all(line):
        item = followup.item
        if isinstance(item, QuizAsked):
            if item.id in seen:
                yield f"the follow-up {item.id!r} is asked twice"
            seen.add(item.id)
        elif isinstance(item, NumberAsked):
            yield from _about_number(item)


def _all(line: tuple[Followup, ...]) -> Iterator[Followup]:
    for followup in line:
        yield followup
        yield from _all(followup.otherwise)


def _untranslated(texts: list[Text]) -> Iterator[str]:
    languages = sorted({language for text in texts for language in text})
    for text in texts:
        for language in languages:
            if language not in text:
                yield f"there is no {language!r} for {_start(text['en'])!r}"


def _texts(strategy: Strategy) -> Iterator[Text]:
    yield from (strategy.prompt, strategy.answer)
    yield from (point.text for point in strategy.points)
    yield from (text for asked in strategy.numbers for text in _texts_of_number(asked))
    yield from _texts_of(strategy.followups)


def _texts_of(line: tuple[Followup, ...]) -> Iterator[Text]:
    for item in (followup.item for followup in _all(line)):
        if isinstance(item, NumberAsked):
            yield from _texts_of_number(item)
        elif isinstance(item, Discussion):
            yield from (item.ask, item.answer, *item.points)


def _texts_of_number(asked: NumberAsked) -> Iterator[Text]:
    yield from (asked.ask, asked.why, *(mistake.why for mistake in asked.answer.mistakes))


def _start(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
