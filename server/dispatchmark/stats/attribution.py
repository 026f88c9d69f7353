"""What one rung of a waterfall costs more than the one below it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import stdtrit

from .pool import CONFIDENCE, LEAST_RUNS

Verdict = Literal["adds", "saves", "no difference seen", "insufficient data"]


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean difference of two sets of run estimates with its 95 % interval, in the estimates' unit."""

    value: float
    low: float | None
    high: float | None
    verdict: Verdict


def difference(upper: Sequence[float], lower: Sequence[float]) -> Difference:
    """Mean of `upper` minus mean of `lower` by Welch's interval, which does not take their scatters to be equal.

    Below LEAST_RUNS on either side there is no interval. Raises ValueError for an empty side.
    """
    if not upper or not lower:
        raise ValueError("a difference needs runs on both sides")
    one, other = np.asarray(upper, dtype=np.float64), np.asarray(lower, dtype=np.float64)
    value = float(one.mean() - other.mean())
    if min(len(one), len(other)) < LEAST_RUNS:
        return Difference(value, None, None, "insufficient data")
    parts = one.var(ddof=1) / len(one), other.var(ddof=1) / len(other)
    total = float(sum(parts))
    if total == 0:
        half = 0.0
    else:
        freedom = total**2 / (parts[0] ** 2 / (len(one) - 1) + parts[1] ** 2 / (len(other) - 1))
        half = float(stdtrit(freedom, (1 + CONFIDENCE) / 2) * np.sqrt(total))
    low, high = value - half, value + half
    verdict: Verdict = "adds" if low > 0 else "saves" if high < 0 else "no difference seen"
    return Difference(value, low, high, verdict)
