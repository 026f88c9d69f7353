"""The range of N over which a ladder is a straight line."""

from dataclasses import dataclass

import numpy as np

from .regression import hinge, line
from .spans import Floats

LEAST_RUNGS = 4
BEND_MARGIN = 0.15
BEND_Z = 3.5
CURVE_MARGIN = 0.03
CURVE_Z = 3.0
LEAST_ERROR = 1e-5
"""Relative error of a median, below which none is believed."""

LEAST_RATIO = 4.0
"""The regime spans at least this ratio of N: less has no leverage."""

WORK_SHARE = 0.5
"""Operations at their marginal cost make up at least this share of the longest span of a line; else it shows a wait."""


@dataclass(frozen=True, slots=True)
class Regime:
    """Rungs `low` to `high` (inclusive indices) hold a line; `bend` is the rung above which it bends, if it does.

    `floor` is the highest rung that a wait holds up, None where none is.
    """

    low: int
    high: int
    bend: int | None
    floor: int | None

    @property
    def rungs(self) -> slice:
        """The rungs as a slice."""
        return slice(self.low, self.high + 1)


def find(n: Floats, median_us: Floats, error_us: Floats, variance: Floats) -> Regime:
    """Cuts a ladder down to its straight part, at the top (back-pressure) and at the bottom (start-up, wait floor).

    Two lines that meet at a rung are fitted for every rung; where the best of them is steeper above than below by
    BEND_MARGIN and by BEND_Z standard errors of the difference, the ladder bends there. If the operations make up
    WORK_SHARE of the span at the bend, what lies below is the undisturbed part, and what lies above is left out; else
    it is the floor of a wait, and is left out itself. So on, until nothing bends. The bottom rung is then cut while it
    lies off the line through those above it by CURVE_MARGIN of its span and by CURVE_Z standard errors. `error_us`
    holds the standard errors of the medians.
    """
    low, high = 0, len(n) - 1
    bend: int | None = None
    floor: int | None = None
    while high - low + 1 > LEAST_RUNGS:
        part = slice(low, high + 1)
        found = _bend(n[part], median_us[part], error_us[part])
        if found is None:
            break
        knot = low + found
        below = slice(low, knot + 1)
        # The hinge's own slope will not do: a bend between two rungs draws it off.
        _, below_us = line(n[below], median_us[below], variance[below])
        if below_us * n[knot] >= WORK_SHARE * median_us[knot]:
            bend = high = knot
        else:
            floor = low = knot
    while high - low + 1 > LEAST_RUNGS and n[high] >= LEAST_RATIO * n[low + 1]:
        above = slice(low + 1, high + 1)
        intercept, slope = line(n[above], median_us[above], variance[above])
        off = abs(float(median_us[low] - intercept - slope * n[low]))
        if off <= CURVE_MARGIN * float(median_us[low]) or off <= CURVE_Z * float(error_us[low]):
            break
        low += 1
    return Regime(low, high, bend, floor)


def _bend(n: Floats, median_us: Floats, error_us: Floats) -> int | None:
    """The rung at which the line bends upward most clearly, None where it does not."""
    # Errors of single medians may be seen too small by luck; none is taken to be a tenth of the usual one, or nothing.
    usual = max(float(np.median(error_us / median_us)), LEAST_ERROR)
    floor = np.maximum(error_us, 0.1 * usual * median_us)
    best: tuple[float, int] | None = None
    for knot in range(LEAST_RUNGS - 1, len(n) - 1):
        slope, steeper, error, misfit = hinge(n, median_us, floor, n[knot])
        bends = steeper > BEND_MARGIN * max(slope, 0.0) and steeper > BEND_Z * error
        if bends and (best is None or misfit < best[0]):
            best = misfit, knot
    return None if best is None else best[1]
