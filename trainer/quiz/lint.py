"""Proof that a quiz is sound, and that the simulator agrees with what its template says.

For many seeds: the options differ in every language, right and wrong ones have their reasons, texts of
templates and exam questions are complete in both languages, an answer is accepted and every wrong one
refused. With a backend, the kernel of each draw is compiled and run, and what it counts must be the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trainer.bank.finding import Finding, Severity
from trainer.bank.model import Question, Text
from trainer.bank.quiz import Analysis, Form, Provenance, Sample
from trainer.bank.schema_quiz import same
from trainer.bank.source import nearest, place_of
from trainer.bank.time_limit import at_most
from trainer.errors import ContentError, Location
from trainer.grade.backend import Backend
from trainer.quiz.draw import Drawn, draw
from trainer.quiz.judge import judge, parse_answer, solution
from trainer.quiz.picture import cost_of, draw_picture
from trainer.quiz.run import accesses_at, marked_lines, run_sample

SEEDS = 50
DIFFERENT = 4
"""Draws that a template must be able to tell apart, at least."""

LANGUAGES = ("en", "zh")


def lint_quiz(
    question: Question, known: Iterable[str], backend: Backend | None = None, seeds: int = SEEDS
) -> Iterator[Finding]:
    """Everything wrong with a quiz that could be read; `known` are the ids that follow-ups may name."""
    file = question.quiz
    if file is None:
        return
    where = Location(question.path)
    known = set(known)
    for name in file.followups:
        if name not in known or name == question.id:
            message = f"the follow-up {name!r} is no other question"
            hint = nearest(name, known - {question.id})
            yield Finding(place_of(name, question.path), Severity.ERROR, message, hint)
    promised = file.template is not None or file.provenance is Provenance.EXAM
    drawn = []
    try:
        for seed in range(seeds if file.template else 1):
            with at_most():
                drawn.append(draw(question, seed))
        if file.template and draw(question, 0).quiz.prompt != drawn[0].quiz.prompt:
            message = "the same seed gives another question; draw with `rng` alone"
            yield Finding(Location(file.template), Severity.ERROR, message)
    except ContentError as problem:
        yield Finding(problem.where or where, Severity.ERROR, problem.message, problem.hint)
    told: dict[str, list[int]] = {}  # problem -> seeds of the draws that have it
    for one in drawn:
        for message in (
            *_problems(one, both_languages=promised),
            *(_told_by(one, backend) if backend is not None else ()),
        ):
            told.setdefault(message, []).append(one.seed)
    for message, (first, *others) in told.items():
        more = f" and {len(set(others) - {first})} more" if set(others) - {first} else ""
        of = f"seed {first}{more}: " if file.template else ""
        yield Finding(where, Severity.ERROR, of + message)
    if file.template and len(drawn) == seeds > DIFFERENT:
        prompts = {one.quiz.prompt["en"] for one in drawn}
        if len(prompts) < DIFFERENT:
            yield Finding(where, Severity.ERROR, f"{seeds} draws make only {len(prompts)} questions")


def _told_by(drawn: Drawn, backend: Backend) -> Iterator[str]:
    if drawn.quiz.sample is not None:
        yield from disagreement(drawn.quiz.sample, backend)
    if drawn.quiz.proof is not None:
        from trainer.quiz.proof import disproof  # needs NumPy

        yield from disproof(drawn.quiz.proof, backend)
    if drawn.quiz.analysis is not None:
        yield from analysis_disagreement(drawn.quiz.analysis, backend)


def _problems(drawn: Drawn, *, both_languages: bool) -> Iterator[str]:
    quiz = drawn.quiz
    for name, text in _texts(drawn):
        for language in LANGUAGES if both_languages else ("en",):
            if not text.get(language, "").strip():
                yield f"{name} has no text in {language!r}"
    if quiz.form is Form.NUMERIC:
        yield from _numeric_problems(drawn)
    elif quiz.form is not Form.LINES:
        for i, option in enumerate(drawn.options):
            if any(same(option.text, other.text) for other in drawn.options[:i]):
                yield f"two options are {option.text['en']!r}"
            if not option.correct and option.why is None:
                yield f"the wrong option {option.text['en']!r} does not say why"
        right = sum(option.correct for option in drawn.options)
        if right == 0 or (quiz.form is Form.SINGLE and right != 1):
            yield f"{right} options are right"
    if not judge(drawn, parse_answer(drawn, solution(drawn))).right:
        yield f"its own answer {solution(drawn)!r} is not accepted"
    if quiz.picture is not None:
        draw_picture(quiz.picture)
        if quiz.sample is not None and cost_of(quiz.picture) != quiz.sample.cost:
            yield "the picture shows another cost than the kernel has"


def _numeric_problems(drawn: Drawn) -> Iterator[str]:
    numeric = drawn.quiz.numeric
    if numeric is None:
        yield "has no number for an answer"
        return
    for mistake in numeric.mistakes:
        if numeric.accepts(mistake.value):
            yield f"the mistake {mistake.value:g} is accepted"


def _texts(drawn: Drawn) -> Iterator[tuple[str, Text]]:
    quiz = drawn.quiz
    yield "the title", drawn.question.title
    yield "the question", quiz.prompt
    yield "the explanation", quiz.explanation
    for option in drawn.options:
        yield "an option", option.text
        if option.why is not None:
            yield "a reason", option.why
    if quiz.numeric is not None:
        if any(quiz.numeric.unit.values()):
            yield "the unit", quiz.numeric.unit
        for mistake in quiz.numeric.mistakes:
            yield "a reason", mistake.why


def disagreement(sample: Sample, backend: Backend) -> Iterator[str]:
    """What the simulator counts otherwise than the template says."""
    try:
        report = run_sample(sample.source, sample.floats, sample.floats, backend)
    except ContentError as problem:
        yield problem.message
        return
    found = accesses_at(sample.source, "this", sample.space, report)
    if len(found) != 1 or found[0].op != sample.op:
        kinds = ", ".join(access.op for access in found)
        yield f"its kernel makes {len(found)} kinds of {sample.space} requests: {kinds}"
    for access in found:
        counted = (access.sectors if sample.space == "global" else access.wavefronts) or 0
        if counted != access.requests * sample.cost:
            told = f"the simulator counts {counted} for {access.requests} requests"
            yield f"{told}; the answer says {sample.cost} each"


def analysis_disagreement(analysis: Analysis, backend: Backend) -> Iterator[str]:
    """What the simulator counts otherwise than the answers say."""
    try:
        lines = marked_lines(analysis, backend)
    except ContentError as problem:
        yield problem.message
        return
    for line, cost in zip(lines, analysis.costs, strict=True):
        if line.cost != cost:
            told = f"the simulator counts {line.cost:g} {analysis.measure.unit} at line {line.mark}"
            yield f"{told}; the answer says {cost}"
