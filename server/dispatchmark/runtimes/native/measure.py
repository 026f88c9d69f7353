"""The timed loop of native runs, and the ladder around it."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import Any

from dispatchmark.contract.base import WaitMode
from dispatchmark.contract.submission import Sample, Series
from dispatchmark.contract.suite import Case, SuiteFile

from .library import Library, Wait
from .plan import Coarseness, Limits, Rounds, choose_rungs, next_climb, target_span
from .timestamps import GpuTimer
from .workload import Issue, Tally

WARM_UP = (1, 1, 32)
CONFIRMATIONS = 3

Meter = Callable[[int, int], Sample]
"""Times a span of n operations in round rep."""


@dataclass(slots=True)
class Conditions:
    """What the controls found out about this run and the later cases rely on. Microseconds."""

    quantum_us: float = 0.0
    floor_us: float = 0.0
    wait: WaitMode = WaitMode.DONE


@dataclass(slots=True)
class Result:
    """What a case hands back, filled as it is measured, so that a failure keeps what was there before it."""

    series: list[Series] = field(default_factory=list)
    values: dict[str, float | int | bool | str | None] = field(default_factory=dict)
    verified: bool | None = None


@dataclass(slots=True)
class Context:
    """Everything a kind of case works with."""

    library: Library
    file: SuiteFile
    case: Case
    limits: Limits
    conditions: Conditions
    result: Result
    origin_ns: int
    rng: random.Random
    open: Callable[[], Any]
    """A fresh adapter and device, destroyed after the case."""
    progress: Callable[[float], None]

    def wait(self, device: Any) -> Wait:
        """The wait of the run's mode."""
        return self.library.waits(device)[self.conditions.wait]


def meter(
    context: Context,
    device: Any,
    issue: Issue,
    *,
    wait: WaitMode | None = None,
    tally: Tally | None = None,
    timer: GpuTimer | None = None,
) -> Meter:
    """Times spans of one operation on one device."""
    mode = wait or context.conditions.wait
    done = context.library.waits(device)[mode]
    origin = context.origin_ns

    def measure(n: int, rep: int) -> Sample:
        # The timed region: the API calls and three readings of the clock, the last one as the wait returns.
        start = perf_counter_ns()
        issue(n)
        encoded = perf_counter_ns()
        done()
        ended = perf_counter_ns()

        if tally is not None:
            tally.add(n)
        gpu_us = timer.read_span() if timer is not None and n > 0 else None
        return Sample(
            n=n,
            rep=rep,
            wait=mode,
            start_us=(start - origin) / 1000,
            encoded_us=(encoded - start) / 1000,
            done_us=(ended - start) / 1000,
            gpu_us=gpu_us,
        )

    return measure


def run_ladder(context: Context, measure: Meter, limits: Limits, label: str | None) -> dict[str, float | int]:
    """Times one operation over a ladder of N; the series is added to the result. Returns what the plan came to."""
    samples: list[Sample] = []
    bend: int | None = None
    stopped: str | None = None
    begun = perf_counter_ns()

    def spent_us() -> float:
        return (perf_counter_ns() - begun) / 1000

    try:
        for n in WARM_UP:
            measure(min(n, limits.max_n), 0)
        coarse = Coarseness(context.conditions.quantum_us, context.conditions.floor_us)
        target_us = target_span(coarse, limits)
        climbed = _climb(measure, target_us, limits)
        rungs, n_low = choose_rungs(climbed, target_us, coarse, limits)
        rounds = Rounds(rungs, n_low, coarse)
        while stopped is None:
            spans: dict[int, float] = {}
            for n in rounds.order(context.rng):
                sample = measure(n, rounds.count)
                samples.append(sample)
                spans[n] = sample.done_us
            rounds.add(spans)
            found = rounds.bend()
            if found is not None:
                bend = found
                rounds.drop_from(found)
            stopped = rounds.stop(spent_us(), limits)
            context.progress(min(1.0, max(spent_us() / limits.budget_us, rounds.count / limits.max_rounds)))
    finally:
        # Kept even when the ladder is broken off.
        context.result.series.append(Series(label=label, samples=samples, n_bend=bend, stopped=stopped))
    return {"n_low": n_low, "n_top": rungs[-1], "target_us": round(target_us), "rounds": rounds.count}


def _climb(measure: Meter, target_us: float, limits: Limits) -> list[tuple[int, float]]:
    """Doubles N until the span is long enough.

    A span that would end the climb is timed again, and the shortest counts: one interruption by the system must not
    leave the whole ladder too low.
    """
    climbed: list[tuple[int, float]] = []
    n: int | None = 1
    while n is not None:
        span_us = math.inf
        for _ in range(CONFIRMATIONS):
            span_us = min(span_us, measure(n, 0).done_us)
            if next_climb(n, span_us, target_us, limits) is not None:
                break
        climbed.append((n, span_us))
        n = next_climb(n, span_us, target_us, limits)
    return climbed
