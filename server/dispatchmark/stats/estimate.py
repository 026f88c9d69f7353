"""The estimate of one series: marginal cost, synchronisation cost, intervals, and whether any of it can be seen.

Estimand: the marginal cost of one more operation under undisturbed execution, the slope b of the median of
T(N) = a + b N over the range of N in which that is a line. The intercept a is the synchronisation. docs/methodology.md
says why, and shows by simulation what the estimate is worth.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from . import bootstrap, drift, regime
from .regression import intercept_error, line, slope_error
from .spans import Floats, Spans, Table, tabulate

ESTIMATOR_VERSION = "1"

LEAST_ROUNDS = 3
RESOLVING_QUANTA = 30.0
"""Rise of T(N) over the ladder, in clock quanta, from which on the clock is taken to resolve it."""

RESOLVING_POLLS = 30.0
"""The same in periods of a wait that ends only on a poll or in steps of a sleep."""

STEPPED_WAIT_US = 500.0
"""A wait on an empty queue this long is a sleep or a poll, not an answer: it may end in steps of its own length."""

WIDEST = 0.2
"""Relative half-width of the slope's interval beyond which the noise has won."""

PAPER_N = 100

LEAST_VARIANCE = 1e-6
"""Square microseconds: a nanosecond, which no clock here resolves."""

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


@dataclass(frozen=True, slots=True)
class Fit:
    """A line with the standard errors of its parts, and the spread of the medians around it."""

    intercept: float
    slope: float
    intercept_error: float
    slope_error: float
    residual_us: float


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
        cost, half = _per_call(table, clock_quantum_us, rng)
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
    if len(table.n) < LEAST_ROUNDS:
        return unresolved("too few", f"{len(table.n)} different N; a line that can be checked needs {LEAST_ROUNDS}")

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
    variance = _variance(table, median_us, clock_quantum_us, step_us)
    error_us = np.hypot(seen_us, hidden_us(step_us, seen_us))
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
    fit = _fit(n, median_us[rungs], drawn[:, rungs], variance[rungs], hidden_us(step_us, seen_us[rungs]))
    half = bootstrap.half_width(fit.slope_error, table.rounds)
    if fit.slope <= 0 or half > WIDEST * fit.slope:
        return unresolved(
            "noise",
            f"slope {fit.slope:.3g} us, give or take {half:.3g} us: more than {WIDEST:.0%} of it",
            bend,
        )
    if wait_us is not None and fit.slope * n[-1] < regime.WORK_SHARE * median_us[rungs][-1]:
        return unresolved("poll", f"{int(n[-1])} operations make up too small a part of their span: the rest is a wait")
    intercept_half = bootstrap.half_width(fit.intercept_error, table.rounds)
    within = good.only((good.n >= n[0]) & (good.n <= n[-1]))
    return Estimate(
        "resolved",
        detail=f"line over N = {int(n[0])} to {int(n[-1])}" + (f", bends at {bend}" if bend else ""),
        slope_us=fit.slope,
        slope_low_us=fit.slope - half,
        slope_high_us=fit.slope + half,
        intercept_us=fit.intercept,
        intercept_low_us=fit.intercept - intercept_half,
        intercept_high_us=fit.intercept + intercept_half,
        n_low=int(n[0]),
        n_high=int(n[-1]),
        n_bend=bend,
        spans=len(spans.n),
        rounds=table.rounds,
        residual_us=fit.residual_us,
        encode_slope_us=_plain_slope(within, within.encoded_us, clock_quantum_us, rng),
        gpu_slope_us=None if within.gpu_us is None else _plain_slope(within, within.gpu_us, 0.0, rng),
        total_over_100_us=paper,
    )


def wait_step(wait_us: float | None, poll_us: float | None) -> float:
    """Length of the steps in which a wait ends, in microseconds: a poll period, or a wait too long to be an answer."""
    sleeping = wait_us if wait_us is not None and wait_us >= STEPPED_WAIT_US else 0.0
    return max(poll_us or 0.0, sleeping)


def _short(n: Floats) -> bool:
    """Whether a part of a ladder is too short for a line that can be checked."""
    return len(n) < LEAST_ROUNDS or bool(n[-1] < regime.LEAST_RATIO * n[0])


def hidden_us(step_us: float, seen_us: Floats) -> Floats:
    """What steps of the wait can hide in a rung's median: a uniform step, less what its own spread already shows.

    Where spans start in step with the poll, every repetition of a rung is rounded up alike, and no spread shows it.
    """
    return np.asarray(np.sqrt(np.maximum(step_us**2 / 12 - seen_us**2, 0.0)))


def _variance(table: Table, median_us: Floats, quantum_us: float, step_us: float) -> Floats:
    """Model of a rung's variance for the weights: a part of its own, and one in proportion to its span."""
    spread = np.nanmedian(np.abs(table.span_us - median_us), axis=0) * 1.4826
    relative = float(np.median(spread / np.maximum(median_us, 1e-9)))
    fixed = quantum_us**2 / 6 + step_us**2 / 12 + float(np.median(spread[: max(1, len(spread) // 3)])) ** 2
    # A timer that says zero, again and again, has no spread and no span; a weight must be finite all the same.
    return np.asarray(np.maximum(fixed + (max(relative, 1e-3) * median_us) ** 2, LEAST_VARIANCE))


def _fit(n: Floats, median_us: Floats, drawn: Floats, variance: Floats, hidden: Floats) -> Fit:
    intercept, slope = line(n, median_us, variance)
    intercepts, slopes = line(n, drawn, variance)
    residual = median_us - intercept - slope * n
    return Fit(
        intercept=float(intercept),
        slope=float(slope),
        intercept_error=float(np.hypot(bootstrap.standard_error(intercepts), intercept_error(n, variance, hidden))),
        slope_error=float(np.hypot(bootstrap.standard_error(slopes), slope_error(n, variance, hidden))),
        residual_us=float(np.median(np.abs(residual))),
    )


def _plain_slope(spans: Spans, span_us: Floats, quantum_us: float, rng: np.random.Generator) -> float | None:
    """Slope of another time of the same spans, without an interval."""
    table = tabulate(spans.n, spans.rep, span_us)
    median_us = bootstrap.medians(table, quantum_us, rng)
    if len(table.n) < LEAST_ROUNDS or not np.isfinite(median_us).all() or float(median_us[-1]) <= 0:
        return None
    _, slope = line(table.n, median_us, _variance(table, median_us, quantum_us, 0.0))
    return float(slope)


def _per_call(table: Table, quantum_us: float, rng: np.random.Generator) -> tuple[float, float]:
    """Span per operation of one rung, and the half-width of its interval: for spans that end without a wait."""
    n = float(table.n[0])
    error = bootstrap.standard_error(bootstrap.replicates(table, quantum_us, rng))
    middle = float(bootstrap.medians(table, quantum_us, rng)[0])
    return middle / n, bootstrap.half_width(float(error[0]), table.rounds) / n
