"""`warpdojo mock`: a timed interview. It opens the app; listing and reports need no terminal."""

from __future__ import annotations

import random
import sys
from argparse import Namespace
from datetime import UTC, datetime

from trainer.bank.library import Library
from trainer.bank.model import localized
from trainer.cli.output import Output
from trainer.errors import UsageError
from trainer.interview.archive import Summary, last_seen, report_of, summaries
from trainer.interview.blueprint import Blueprint, find_blueprint, load_blueprints
from trainer.interview.plan import Plan, draw_plan
from trainer.interview.unfinished import refuse_second
from trainer.store.history import History
from trainer.store.interviews import InterviewLog
from trainer.text import language


def run(args: Namespace, out: Output) -> int:
    library = Library.open(args.banks)
    if args.report is not None:
        return _report(args, out)
    here = _can_type() and not out.as_json
    if args.list:
        return _list(library, out)
    if args.blueprint is None and (args.minutes or args.practice or args.seed is not None):
        raise UsageError("say which interview", hint="`warpdojo mock --list` shows them")
    if args.blueprint is None:
        return _open_app(args, None) if here else _list(library, out)
    if here:
        with InterviewLog.existing() as log:
            refuse_second(log, datetime.now(UTC))
    plan = _draw(args, library, find_blueprint(library.roots, args.blueprint))
    return _open_app(args, plan) if here else _show_plan(plan, out)


def _can_type() -> bool:
    streams = (sys.stdin, sys.stdout)
    return all(stream is not None and not stream.closed and stream.isatty() for stream in streams)


def _draw(args: Namespace, library: Library, blueprint: Blueprint) -> Plan:
    seed = random.SystemRandom().randrange(2**32) if args.seed is None else args.seed
    with History.existing() as history, InterviewLog.existing() as log:
        seen = last_seen(history.attempts() if history else (), log)
    return draw_plan(
        blueprint,
        library.index.entries,
        seed=seed,
        now=datetime.now(UTC),
        last_seen=seen,
        minutes=args.minutes,
        strict=not args.practice,
    )


def _open_app(args: Namespace, plan: Plan | None) -> int:
    from trainer.tui import main

    return main(args.banks, lambda app: app.open_interviews(plan))


# What there is


def _list(library: Library, out: Output) -> int:
    blueprints, problems = load_blueprints(library.roots)
    for problem in problems:
        out.warn(str(problem))
    with InterviewLog.existing() as log:
        past = summaries(log)
    out.emit(
        {
            "schema": 1,
            "blueprints": [_blueprint_json(blueprint) for blueprint in blueprints],
            "interviews": [_summary_json(one) for one in past],
        }
    )
    if not out.as_json:
        _print_list(blueprints, past, out)
    return 0


def _blueprint_json(blueprint: Blueprint) -> dict[str, object]:
    return {
        "id": blueprint.id,
        "title": localized(blueprint.title, language()),
        "about": localized(blueprint.about, language()),
        "minutes": blueprint.minutes,
        "movement": blueprint.movement.value,
        "sections": [
            {
                "title": localized(section.title, language()),
                "minutes": section.minutes,
                "weight": section.weight,
                "questions": sum(draw.count for draw in section.draws),
                "optional": section.optional,
            }
            for section in blueprint.sections
        ],
    }


def _summary_json(one: Summary) -> dict[str, object]:
    return {
        "id": one.id,
        "blueprint": one.blueprint,
        "started": one.started.isoformat(),
        "minutes": one.minutes,
        "strict": one.strict,
        "phase": one.phase,
        "total": one.total,
    }


def _print_list(blueprints: tuple[Blueprint, ...], past: tuple[Summary, ...], out: Output) -> None:
    for blueprint in blueprints:
        title = localized(blueprint.title, language())
        about = localized(blueprint.about, language())
        out.say(f"{blueprint.id:<24}{blueprint.minutes:>4g} min  {title}")
        out.say(f"    {about}")
    if past:
        out.say("\nyour interviews")
    for one in past:
        score = f"{one.total:g} of 100" if one.total is not None else one.phase
        mode = "strict" if one.strict else "practice"
        out.say(f"{one.id}  {one.blueprint:<24}{one.minutes:>4g} min  {mode:<10}{score}")
    out.say("\nIn a terminal, `warpdojo mock ID` starts one; --minutes N makes it shorter or longer.")


def _show_plan(plan: Plan, out: Output) -> int:
    """What would be asked, without the questions themselves."""
    out.emit(
        {
            "schema": 1,
            "blueprint": plan.blueprint,
            "seed": plan.seed,
            "minutes": plan.minutes,
            "strict": plan.strict,
            "sections": [
                {
                    "title": localized(section.title, language()),
                    "minutes": section.minutes,
                    "weight": section.weight,
                    "questions": [
                        {"key": a.key, "id": a.question, "kind": a.kind.value, "minutes": a.minutes}
                        for a in section.asked
                    ],
                }
                for section in plan.sections
            ],
        }
    )
    if not out.as_json:
        out.say(f"{localized(plan.title, language())}, {plan.minutes:g} minutes, seed {plan.seed}")
        for section in plan.sections:
            kinds = [asked.kind.value for asked in section.asked]
            counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
            title = localized(section.title, language())
            out.say(f"  {title}: {section.minutes:g} min, weight {section.weight:g}: {counts}")
        print("\nAn interview needs a terminal: run this in one.", file=sys.stderr)
    return 0


# The report


def _report(args: Namespace, out: Output) -> int:
    with InterviewLog.existing() as log:
        if log is None:
            raise UsageError("there was no interview yet", hint="`warpdojo mock` starts one")
        wanted = args.report or _last_done(log)
        state = next((one for one in summaries(log) if one.id == wanted), None)
        if state is not None and state.phase != "done":
            words = "still running" if state.phase == "running" else "not graded yet"
            raise UsageError(f"interview {wanted} is {words}", hint="`warpdojo mock` goes on with it")
        report = report_of(log, wanted)
    from trainer.interview.markdown import markdown
    from trainer.interview.report import report_json

    out.emit(report_json(report))
    if not out.as_json:
        text = markdown(report, language())
        if args.format == "md":
            print(text, end="")
        else:
            from rich.markdown import Markdown

            out.console().print(Markdown(text))
    return 0


def _last_done(log: InterviewLog) -> str:
    for one in summaries(log):
        if one.phase == "done":
            return one.id
    raise UsageError("no interview is finished yet", hint="`warpdojo mock` starts one, or goes on with one")
