"""A kernel in an interview: 100 points.

    correct       40   all regular sizes right; wrong there means nothing counts
    boundary      10   odd sizes right as well, and no hazard
    performance   30   on the ladder: full within 1/0.9 of its best time, or at 80 % of the floor
    access        10   sectors 5 and bank conflicts 3 by their useful share, no spills 2
    explanation   10   bound, operations, bytes, and how far the follow-ups went

What cannot be judged - time without a GPU - is left out, and the rest makes 100.
"""

from __future__ import annotations

from collections.abc import Mapping

from trainer.bank.expressions import evaluate
from trainer.bank.model import KernelTask
from trainer.bank.quiz import Numeric
from trainer.bank.strategy import NumberAsked
from trainer.errors import UsageError
from trainer.grade.ladder import SAME_WITHIN
from trainer.interview.facts import Facts
from trainer.interview.result import Part
from trainer.sim.devices import find
from trainer.strategy.judge import parse_number
from trainer.strategy.walk import Walk

CORRECT, BOUNDARY, PERFORMANCE, ACCESS, EXPLANATION = 40.0, 10.0, 30.0, 10.0, 10.0
OF_BEST, OF_FLOOR = 0.9, 0.8
DEVICE = "H200"
_SECTORS, _CONFLICTS, _SPILLS = 5.0, 3.0, 2.0
_FLOP_FACTOR = 2.0
"""Operations are counted in more than one way: an exponential as one or as several."""
_BYTES_SHARE = 0.1
_NOTHING_US = 0.1
"""Work that takes less than this does not bound a kernel: waiting does."""
_LATENCY_WORDS = ("latenc", "延迟")
_BOUND_WORDS = {
    "memory": ("mem", "dram", "hbm", "bandwidth", "存", "带宽"),
    "compute": ("comput", "arithmetic", "计算", "算力"),
}


def kernel_parts(
    task: KernelTask, facts: Facts | None, answers: Mapping[str, str], walk: Walk
) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """Parts and what was missed. `facts` is None where nothing was handed in."""
    if facts is None:
        parts = _nothing("nothing was written")
        return parts, ("nothing was handed in",)
    correct = _correct(facts)
    if not correct.got:
        return (correct, *_nothing("0 without a right answer")[1:]), (_what_failed(facts),)
    boundary = _boundary(facts)
    if facts.accepted:
        performance, access = _performance(facts), _access(facts)
    else:
        performance = Part("performance", 0.0, PERFORMANCE, "not timed: some sizes are wrong")
        access = Part("access", 0.0, ACCESS, "not counted: some sizes are wrong")
    explanation, wrong = _explanation(task, answers, walk)
    parts = (correct, boundary, performance, access, explanation)
    missed = [] if facts.accepted else [_what_failed(facts)]
    for part in (boundary, performance, access):
        if facts.accepted and part.got is not None and part.got < part.of:
            missed.append(f"{part.name}: {part.how}")
    return parts, (*missed, *wrong)


def _nothing(why: str) -> tuple[Part, ...]:
    of = {
        "correct": CORRECT, "boundary": BOUNDARY, "performance": PERFORMANCE, "access": ACCESS,
        "explanation": EXPLANATION,
    }  # fmt: skip
    return tuple(Part(name, 0.0, points, why) for name, points in of.items())


def _what_failed(facts: Facts) -> str:
    return f"{facts.verdict.replace('_', ' ')}: {facts.message}"


def _correct(facts: Facts) -> Part:
    """A task all of whose sizes are odd has its edges for regular cases."""
    right, total = facts.regular if facts.regular[1] else facts.edges
    good = facts.accepted or (0 < total == right and facts.verdict != "rejected")
    how = f"{right} of {total} regular cases right: {CORRECT if good else 0:g}"
    return Part("correct", CORRECT if good else 0.0, CORRECT, how)


def _boundary(facts: Facts) -> Part:
    right, total = facts.edges
    if total and right < total:
        return Part("boundary", 0.0, BOUNDARY, f"{right} of {total} odd sizes right: 0")
    if facts.hazards:
        half = BOUNDARY / 2
        return Part("boundary", half, BOUNDARY, f"all odd sizes right, {facts.hazards} hazards: {half:g}")
    return Part("boundary", BOUNDARY, BOUNDARY, f"all {total} odd sizes right, no hazard: {BOUNDARY:g}")


def _performance(facts: Facts) -> Part:
    """Full marks near the best rung or the floor; else the share of the rungs that were reached."""
    if facts.median_us is None:
        return Part("performance", None, PERFORMANCE, "not measured: no GPU")
    time = facts.median_us
    goals = [min(us for _, us in facts.rungs) / OF_BEST] if facts.rungs else []
    if facts.floor_us:
        goals.append(facts.floor_us / OF_FLOOR)
    if not goals:
        return Part("performance", None, PERFORMANCE, "no ladder to compare with")
    if time <= max(goals):
        how = f"{time:.2f} us, full marks up to {max(goals):.2f} us: {PERFORMANCE:g}"
        return Part("performance", PERFORMANCE, PERFORMANCE, how)
    if not facts.rungs:
        got = round(PERFORMANCE * max(goals) / time, 1)
        return Part("performance", got, PERFORMANCE, f"{PERFORMANCE:g} x {max(goals):.2f} / {time:.2f} us")
    reached = sum(time <= us * (1 + SAME_WITHIN) for _, us in facts.rungs)
    got = round(PERFORMANCE * reached / len(facts.rungs), 1)
    how = (
        f"{time:.2f} us: {reached} of {len(facts.rungs)} rungs reached: "
        f"{PERFORMANCE:g} x {reached}/{len(facts.rungs)} = {got:g}"
    )
    return Part("performance", got, PERFORMANCE, how)


def _access(facts: Facts) -> Part:
    if facts.sectors is None and facts.wavefronts is None:
        return Part("access", None, ACCESS, "not counted")
    sectors = _share(facts.ideal_sectors, facts.sectors)
    conflicts = _share(facts.ideal_wavefronts, facts.wavefronts)
    spills = 0.0 if facts.spill_bytes else 1.0
    got = round(_SECTORS * sectors + _CONFLICTS * conflicts + _SPILLS * spills, 1)
    how = (
        f"sectors {_SECTORS:g} x {sectors:.2f} + shared memory {_CONFLICTS:g} x {conflicts:.2f} + "
        f"no spills {_SPILLS:g} x {spills:g} = {got:g}"
    )
    return Part("access", got, ACCESS, how)


def _share(ideal: int | None, spent: int | None) -> float:
    """What is not used at all is not used badly."""
    return min(1.0, (ideal or 0) / spent) if spent else 1.0


# The explanation


def operations(task: KernelTask) -> int:
    """Of one call at the timed size, as `bytes_moved`."""
    return evaluate(task.cost.flops, task.timed.sizes)


def bytes_moved(task: KernelTask) -> int:
    return evaluate(task.cost.dram_bytes, task.timed.sizes)


def bound(task: KernelTask) -> str:
    """ "memory" or "compute" by the roofline of an H200 at the timed size, "latency" far below it."""
    gpu = find(DEVICE)
    half = any("16" in argument.dtype for argument in task.arguments)
    peak = (gpu.tensor_fp16_tflops if half else gpu.fp32_tflops) * 1e12
    computing_us = operations(task) / peak * 1e6
    moving_us = bytes_moved(task) / (gpu.dram_gbps * 1e9) * 1e6
    if max(computing_us, moving_us) < _NOTHING_US:
        return "latency"
    return "compute" if computing_us >= moving_us else "memory"


def bound_said(text: str) -> str:
    """What `text` names: "latency", else "memory" or "compute" if it is just one of them, else ""."""
    if any(word in text.lower() for word in _LATENCY_WORDS):
        return "latency"
    said = [bound for bound, words in _BOUND_WORDS.items() if any(word in text.lower() for word in words)]
    return said[0] if len(said) == 1 else ""


def number_asked(name: str, value: float) -> NumberAsked:
    """So that "1.2 GB" and "2.1e9" are read alike."""
    unit = "FLOP" if name == "flops" else "B"
    return NumberAsked({"en": name}, Numeric(float(value), {"en": unit}), {"en": ""})


def _explanation(task: KernelTask, answers: Mapping[str, str], walk: Walk) -> tuple[Part, tuple[str, ...]]:
    flops, moved, limit = operations(task), bytes_moved(task), bound(task)
    said_flops, said_bytes = _read("flops", answers, flops), _read("bytes", answers, moved)
    judged = {
        "bound": bound_said(answers.get("bound", "")) == limit,
        "operations": said_flops is not None and flops / _FLOP_FACTOR <= said_flops <= flops * _FLOP_FACTOR,
        "bytes": said_bytes is not None and abs(said_bytes - moved) <= _BYTES_SHARE * moved,
    }
    if limit == "latency":
        judged = {"bound": judged["bound"]}  # a handful of bytes is nothing to estimate
    each = EXPLANATION / (len(judged) + (1 if walk.length else 0))
    got = each * sum(judged.values())
    terms = [f"{name} {each if right else 0:.3g}" for name, right in judged.items()]
    if walk.length:
        got += each * walk.depth / walk.length
        terms.append(f"follow-ups {each:.3g} x {walk.depth}/{walk.length}")
    got = round(got, 1)
    truth = {"bound": f"{limit}-bound", "operations": f"{flops:,} FLOP", "bytes": f"{moved:,} bytes"}
    wrong = tuple(
        f"explanation: {name}: it is {truth[name]} at {task.timed.name}"
        for name, right in judged.items()
        if not right
    )
    return Part("explanation", got, EXPLANATION, f"{' + '.join(terms)} = {got:g}"), wrong


def _read(name: str, answers: Mapping[str, str], value: int) -> float | None:
    try:
        return parse_number(number_asked(name, value), answers.get(name, ""))
    except UsageError:
        return None
