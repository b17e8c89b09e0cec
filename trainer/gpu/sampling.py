"""Arithmetic of timing: how large a sample is, when there are enough, what they say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

# An event pair has a resolution of half a microsecond: 0.1 % of such a sample. On an H200, samples
# of 200 us spread by 1 to 3.5 % (p5 to p95), which half a millisecond about halves.
SAMPLE_US = 500.0

# The time of one launch wavers by a few percent even where it is far longer than that (a GEMM of
# 460 us: 5 %): samples hold this many, as long as that stays below LONG_SAMPLE_US. With eight, three
# of 56 rungs still spread by 2 to 4 % on an H200.
SAMPLE_ITERATIONS = 24
LONG_SAMPLE_US = 12000.0

# For baselines, of which only the place of the submission among them is asked.
LONG_BASELINE_SAMPLE_US = 2500.0

# Nodes of one graph. Beyond some thousands, instantiating takes longer than the measurement.
MAX_GRAPH_NODES = 4096

# The 95 % interval of the median, relative to it, that is narrow enough.
TARGET_INTERVAL = 0.005

# Baselines only serve to place the submission, where 3 % count as equal.
BASELINE_INTERVAL = 0.015

# 97.5 % quantile of the normal distribution.
_Z = 1.96


@dataclass(frozen=True)
class Summary:
    median: float
    p5: float
    p95: float
    count: int


def summarize(samples: Sequence[float]) -> Summary:
    ordered = sorted(samples)
    return Summary(_quantile(ordered, 0.5), _quantile(ordered, 0.05), _quantile(ordered, 0.95), len(ordered))


def interval(samples: Sequence[float]) -> float:
    """Width of the 95 % interval of the median over the median, from order statistics.

    The number of samples below the true median is binomial(n, 1/2), so ranks n/2 ± z·sqrt(n)/2
    enclose it; no assumption on how the times are distributed. Infinite for fewer than six.
    """
    count = len(samples)
    if count < 6:
        return math.inf
    ordered = sorted(samples)
    reach = _Z * math.sqrt(count) / 2
    low = max(0, math.floor(count / 2 - reach))
    high = min(count - 1, math.ceil(count / 2 + reach))
    return (ordered[high] - ordered[low]) / _quantile(ordered, 0.5)


def settled(samples: Sequence[float], least: int, target: float = TARGET_INTERVAL) -> bool:
    return len(samples) >= least and interval(samples) < target


def batch(
    iteration_us: float,
    sets: int,
    operations: int,
    *,
    once: bool = False,
    longest_us: float = LONG_SAMPLE_US,
) -> int:
    """How many iterations make a sample: enough of both time and number, in whole rounds over the sets;
    below `longest_us`; with `once`, no more than one round, because an iteration destroys its data.

    Either a multiple of `sets`, so that one graph holds a sample, or a divisor, so that
    sets / batch graphs take turns. Never more nodes than MAX_GRAPH_NODES, except that one
    iteration always fits.
    """
    iteration_us = max(iteration_us, 0.1)
    steady = min(SAMPLE_ITERATIONS, math.floor(longest_us / iteration_us))
    wanted = max(1, steady, math.ceil(SAMPLE_US / iteration_us))
    wanted = min(wanted, sets) if once else wanted
    most = max(1, MAX_GRAPH_NODES // max(1, operations))
    if wanted >= sets and most >= sets:
        return min(math.ceil(wanted / sets), most // sets) * sets
    divisors = [n for n in range(1, sets + 1) if sets % n == 0 and n <= most]
    return next((n for n in divisors if n >= wanted), divisors[-1])


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Linear between the two nearest samples, as numpy.quantile does."""
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
