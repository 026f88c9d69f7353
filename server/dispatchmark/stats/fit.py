"""A line through the rungs of a ladder, with the half-widths of its 95 % intervals."""

from dataclasses import dataclass

import numpy as np

from . import bootstrap
from .regression import MAD_TO_DEVIATION, intercept_error, line, slope_error
from .spans import Floats, Table

LEAST_RELATIVE = 1e-3
LEAST_VARIANCE = 1e-6
"""Square microseconds: a nanosecond, which no clock here resolves."""

MISFIT = 2.5
"""Medians off the line by this many times their own errors are not off by chance, whatever the reason is."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Intercept and slope with the half-widths of their intervals, and the medians' spread around the line."""

    intercept_us: float
    intercept_half_us: float
    slope_us: float
    slope_half_us: float
    residual_us: float


def variance_model(table: Table, median_us: Floats, quantum_us: float, step_us: float) -> Floats:
    """Variance of a span at each rung, for the weights: a part of its own, and one in proportion to the span."""
    spread = MAD_TO_DEVIATION * np.nanmedian(np.abs(table.span_us - median_us), axis=0)
    relative = float(np.median(spread / np.maximum(median_us, 1e-9)))
    fixed = quantum_us**2 / 6 + step_us**2 / 12 + float(np.median(spread[: max(1, len(spread) // 3)])) ** 2
    # A timer that says zero, again and again, has no spread and no span; a weight must be finite all the same.
    return np.asarray(np.maximum(fixed + (max(relative, LEAST_RELATIVE) * median_us) ** 2, LEAST_VARIANCE))


def fit(n: Floats, median_us: Floats, drawn: Floats, variance: Floats, hidden_us: Floats, rounds: int) -> Fit:
    """The line through `median_us` (rungs,), its interval from the replicates `drawn` (replicates, rungs).

    `hidden_us` is added in quadrature. Where the medians lie off the line by MISFIT times their errors, something
    unknown moves them, such as a wait in steps that no control saw: the residuals themselves then tell the error, with
    rungs - 2 degrees of freedom.
    """
    intercept, slope = line(n, median_us, variance)
    intercepts, slopes = line(n, drawn, variance)
    off_us = np.abs(median_us - intercept - slope * n)
    errors = intercept_error(n, variance, hidden_us), slope_error(n, variance, hidden_us)
    halves = [
        bootstrap.half_width(float(bootstrap.standard_error(replicates)), hidden, rounds)
        for replicates, hidden in zip((intercepts, slopes), errors, strict=True)
    ]
    freedom = len(n) - 2
    error_us = np.hypot(bootstrap.standard_error(drawn), hidden_us)
    misfit = MAD_TO_DEVIATION * float(np.median(off_us / np.maximum(error_us, np.sqrt(LEAST_VARIANCE))))
    misfit *= np.sqrt(len(n) / freedom)
    if misfit > MISFIT:
        quantile = bootstrap.students(freedom)
        halves = [
            max(half, quantile * misfit * error(n, variance, error_us))
            for half, error in zip(halves, (intercept_error, slope_error), strict=True)
        ]
    return Fit(float(intercept), halves[0], float(slope), halves[1], float(np.median(off_us)))


def per_call(table: Table, quantum_us: float, rng: np.random.Generator) -> tuple[float, float]:
    """Span per operation of one rung, and the half-width of its interval: for spans that end without a wait."""
    n = float(table.n[0])
    error = bootstrap.standard_error(bootstrap.replicates(table, quantum_us, rng))
    middle = float(bootstrap.medians(table, quantum_us, rng)[0])
    return middle / n, bootstrap.half_width(float(error[0]), 0.0, table.rounds) / n
