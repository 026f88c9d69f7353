"""The range of N over which a ladder is a straight line."""

from dataclasses import dataclass

import numpy as np

from .regression import line
from .spans import Floats

LEAST_RUNGS = 4
BEND_MARGIN = 0.15
BEND_Z = 2.5
CURVE_MARGIN = 0.03
CURVE_Z = 3.0
LEAST_RATIO = 4.0
"""The regime spans at least this ratio of N: less has no leverage."""


@dataclass(frozen=True, slots=True)
class Regime:
    """Rungs `low` to `high` (inclusive indices) hold a line; `bend` is the rung where it bends upward, if any."""

    low: int
    high: int
    bend: int | None

    @property
    def rungs(self) -> slice:
        """The rungs as a slice."""
        return slice(self.low, self.high + 1)


def find(n: Floats, median_us: Floats, error_us: Floats, variance: Floats) -> Regime:
    """Cuts a ladder down to its straight part, first from the top (back-pressure), then from the bottom (start-up).

    The top step bends when it costs more per operation than the line below it by BEND_MARGIN and by BEND_Z of its
    own standard errors. The bottom rung is cut while it lies off the line through those above it by CURVE_MARGIN of
    its span and by CURVE_Z standard errors. `error_us` holds the standard errors of the medians.
    """
    high = len(n) - 1
    bend: int | None = None
    while high + 1 > LEAST_RUNGS and _bends(n, median_us, error_us, variance, high):
        bend = high
        high -= 1
    low = 0
    while high - low + 1 > LEAST_RUNGS and n[high] >= LEAST_RATIO * n[low + 1]:
        above = slice(low + 1, high + 1)
        intercept, slope = line(n[above], median_us[above], variance[above])
        off = abs(float(median_us[low] - intercept - slope * n[low]))
        if off <= CURVE_MARGIN * float(median_us[low]) or off <= CURVE_Z * float(error_us[low]):
            break
        low += 1
    return Regime(low, high, bend)


def _bends(n: Floats, median_us: Floats, error_us: Floats, variance: Floats, top: int) -> bool:
    below = slice(max(0, top - 4), top)
    _, slope = line(n[below], median_us[below], variance[below])
    step = n[top] - n[top - 1]
    steep = (median_us[top] - median_us[top - 1]) / step
    error = np.hypot(error_us[top], error_us[top - 1]) / step
    return bool(slope > 0 and steep > (1 + BEND_MARGIN) * slope and steep - slope > BEND_Z * error)
