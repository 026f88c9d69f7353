"""The estimate of one series: marginal cost, synchronisation cost, intervals, and whether any of it can be seen.

Estimand: the marginal cost of one more operation under undisturbed execution, the slope b of the median of
T(N) = a + b N over the range of N in which that is a line. The intercept a is the synchronisation. docs/methodology.md
says why, and shows by simulation what the estimate is worth.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from . import bootstrap, drift, regime
from .fit import fit, per_call, variance_model
from .limits import RESOLVING_POLLS, RESOLVING_QUANTA, WIDEST, hidden_us, wait_step
from .regression import line
from .spans import Floats, Spans, tabulate

ESTIMATOR_VERSION = "1"

LEAST_ROUNDS = 3
LEAST_RUNGS = 3
PAPER_N = 100

Reason = Literal["clock", "poll", "noise", "too few", "bent"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one series tells. Times in microseconds, intervals of 95 %; the fields are the contract's."""

    verdict: Literal["resolved", "unresolved"]
    reason: Reason | None = None
    detail: str = ""
    slope_us: float | None = None
    slope_low_us: float | None = None
    slope_high_us: float | None = None
    intercept_us: float | None = None
    intercept_low_us: float | None = None
    intercept_high_us: float | None = None
    n_low: int | None = None
    n_high: int | None = None
    n_bend: int | None = None
    spans: int = 0
    rounds: int = 0
    residual_us: float | None = None
    encode_slope_us: float | None = None
    gpu_slope_us: float | None = None
    total_over_100_us: float | None = None
    estimator_version: str = ESTIMATOR_VERSION


def naive(done_us: Floats) -> float:
    """The naive figure: the median of dispatch and wait, each time, in microseconds."""
    return float(np.median(done_us))


def total_over_100(spans: Spans) -> float | None:
    """The reference paper's figure: median T(100) / 100 in microseconds, b + a / 100; None without such spans."""
    chosen = spans.done_us[spans.n == PAPER_N]
    return float(np.median(chosen)) / PAPER_N if len(chosen) else None


def estimate(
    spans: Spans,
    *,
    clock_quantum_us: float,
    wait_us: float | None = None,
    poll_us: float | None = None,
    rng: np.random.Generator,
) -> Estimate:
    """Estimates one series in one wait mode.

    `wait_us` is the median wait on an empty queue in that mode, None where spans end without a wait; `poll_us` the
    detected poll period of that mode. Everything random comes from `rng`.
    """
    good = spans.only((spans.n > 0) & np.isfinite(spans.done_us) & (spans.done_us >= 0))
    table = tabulate(good.n, good.rep, good.done_us)
    paper = total_over_100(good)

    def unresolved(reason: Reason, detail: str, bend: int | None = None) -> Estimate:
        return Estimate(
            "unresolved",
            reason,
            detail,
            n_bend=bend,
            spans=len(spans.n),
            rounds=table.rounds,
            total_over_100_us=paper,
        )

    if table.rounds < LEAST_ROUNDS:
        return unresolved("too few", f"{table.rounds} rounds; an interval needs {LEAST_ROUNDS}")
    if len(table.n) == 1 and wait_us is None:
        cost, half = per_call(table, clock_quantum_us, rng)
        only = int(table.n[0])
        if cost * only < RESOLVING_QUANTA * clock_quantum_us:
            return unresolved("clock", f"the span is shorter than {RESOLVING_QUANTA:g} quanta of the clock")
        if half > WIDEST * cost:
            return unresolved("noise", f"{cost:.3g} us, give or take {half:.3g} us")
        return Estimate(
            "resolved",
            detail=f"a span of {only} operations divided by {only}, without a wait",
            slope_us=cost,
            slope_low_us=cost - half,
            slope_high_us=cost + half,
            n_low=only,
            n_high=only,
            spans=len(spans.n),
            rounds=table.rounds,
        )
    if len(table.n) < LEAST_RUNGS:
        return unresolved("too few", f"{len(table.n)} different N; a line that can be checked needs {LEAST_RUNGS}")

    step_us = wait_step(wait_us, poll_us)
    median_us = bootstrap.medians(table, clock_quantum_us, rng)
    drawn = bootstrap.replicates(drift.steadied(table, median_us), clock_quantum_us, rng)
    seen_us = bootstrap.standard_error(drawn)
    rise_us = float(median_us[-1] - median_us[0])
    if rise_us < RESOLVING_POLLS * step_us:
        return unresolved(
            "poll",
            f"T(N) rises by {rise_us / 1000:.3g} ms over the ladder, and the wait ends in steps of "
            f"{step_us / 1000:.3g} ms: {RESOLVING_POLLS:g} steps are needed",
        )
    if rise_us < RESOLVING_QUANTA * clock_quantum_us:
        return unresolved(
            "clock",
            f"T(N) rises by {rise_us:.3g} us over the ladder, and the clock shows multiples of "
            f"{clock_quantum_us:.3g} us: {RESOLVING_QUANTA:g} of them are needed",
        )
    variance = variance_model(table, median_us, clock_quantum_us, step_us)
    error_us = np.hypot(seen_us, hidden_us(step_us, clock_quantum_us, seen_us))
    part = regime.find(table.n, median_us, error_us, variance)
    bend = None if part.bend is None else int(table.n[part.bend])
    rungs = part.rungs
    n = table.n[rungs]
    if part.floor is not None and _short(n):
        return unresolved(
            "poll", f"T(N) is flat up to N = {int(table.n[part.floor])}: that is a wait, and too few N exceed it"
        )
    if _short(n):
        return unresolved("bent", f"no straight part of the ladder is long enough; it bends at N = {bend}", bend)
    grown_us = float(median_us[rungs][-1] - median_us[rungs][0])
    if grown_us < RESOLVING_QUANTA * clock_quantum_us:
        return unresolved("clock", f"T(N) rises by {grown_us:.3g} us over its straight part: too few quanta", bend)
    hidden = hidden_us(step_us, clock_quantum_us, seen_us[rungs])
    found = fit(n, median_us[rungs], drawn[:, rungs], variance[rungs], hidden, table.rounds)
    slope, half = found.slope_us, found.slope_half_us
    if slope <= 0 or half > WIDEST * slope:
        detail = f"slope {slope:.3g} us, give or take {half:.3g} us: more than {WIDEST:.0%} of it"
        return unresolved("noise", detail, bend)
    if wait_us is not None and slope * n[-1] < regime.WORK_SHARE * median_us[rungs][-1]:
        return unresolved("poll", f"{int(n[-1])} operations make up too small a part of their span: the rest is a wait")
    intercept, intercept_half = found.intercept_us, found.intercept_half_us
    within = good.only((good.n >= n[0]) & (good.n <= n[-1]))
    return Estimate(
        "resolved",
        detail=f"line over N = {int(n[0])} to {int(n[-1])}" + (f", bends at {bend}" if bend else ""),
        slope_us=slope,
        slope_low_us=slope - half,
        slope_high_us=slope + half,
        intercept_us=intercept,
        intercept_low_us=intercept - intercept_half,
        intercept_high_us=intercept + intercept_half,
        n_low=int(n[0]),
        n_high=int(n[-1]),
        n_bend=bend,
        spans=len(spans.n),
        rounds=table.rounds,
        residual_us=found.residual_us,
        encode_slope_us=_plain_slope(within, within.encoded_us, clock_quantum_us, rng),
        gpu_slope_us=None if within.gpu_us is None else _plain_slope(within, within.gpu_us, 0.0, rng),
        total_over_100_us=paper,
    )


def _short(n: Floats) -> bool:
    """Whether a part of a ladder is too short for a line that can be checked."""
    return len(n) < LEAST_RUNGS or bool(n[-1] < regime.LEAST_RATIO * n[0])


def _plain_slope(spans: Spans, span_us: Floats, quantum_us: float, rng: np.random.Generator) -> float | None:
    """Slope of another time of the same spans, without an interval."""
    table = tabulate(spans.n, spans.rep, span_us)
    median_us = bootstrap.medians(table, quantum_us, rng)
    if len(table.n) < LEAST_RUNGS or not np.isfinite(median_us).all() or float(median_us[-1]) <= 0:
        return None
    _, slope = line(table.n, median_us, variance_model(table, median_us, quantum_us, 0.0))
    return float(slope)
