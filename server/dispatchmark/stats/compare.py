"""The ratio of two sets of runs, and what may be said of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import stdtrit

from .pool import CONFIDENCE, LEAST_RUNS
from .spans import Floats

REPLICATES = 2000
SAME_PERCENT = 5.0

Verdict = Literal["differs", "same", "insufficient data"]


@dataclass(frozen=True, slots=True)
class Ratio:
    """Ratio of the first set to the second with its 95 % interval, None where a set is below LEAST_RUNS."""

    ratio: float
    low: float | None
    high: float | None
    verdict: Verdict
    percent: float


def hodges_lehmann(first: Floats, second: Floats) -> Floats:
    """Median of all pairwise differences along the last axis: the shift between two sets, whatever single runs do."""
    pairs = first[..., :, None] - second[..., None, :]
    return np.asarray(np.median(pairs.reshape(*pairs.shape[:-2], -1), axis=-1))


def ratio(
    first: Sequence[float],
    second: Sequence[float],
    *,
    first_errors: Sequence[float] | None = None,
    second_errors: Sequence[float] | None = None,
    percent: float = SAME_PERCENT,
    rng: np.random.Generator,
) -> Ratio:
    """Hodges-Lehmann ratio of run estimates (positive), with an interval by a hierarchical bootstrap.

    A replicate draws runs again, and each drawn run anew within its own standard error. The spread of the replicates
    on the log scale is widened to Student's t with the smaller set's degrees of freedom, and by sqrt(R / (R - 1)),
    since a bootstrap of few runs is too narrow by that. `same` means that the whole interval lies within `percent`
    of 1. Raises ValueError for empty sets or values that are not positive.
    """
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if not len(one) or not len(other) or (one <= 0).any() or (other <= 0).any():
        raise ValueError("a ratio needs positive run estimates on both sides")
    middle = float(hodges_lehmann(np.log(one), np.log(other)))
    fewest = min(len(one), len(other))
    if fewest < LEAST_RUNS:
        return Ratio(float(np.exp(middle)), None, None, "insufficient data", percent)
    drawn = hodges_lehmann(_redraw(one, first_errors, rng), _redraw(other, second_errors, rng))
    low, high = np.percentile(drawn, [15.865525393145708, 84.13447460685429])
    factor = float(stdtrit(fewest - 1, (1 + CONFIDENCE) / 2)) * np.sqrt(fewest / (fewest - 1))
    half = float((high - low) / 2 * factor)
    ends = float(np.exp(middle - half)), float(np.exp(middle + half))
    return Ratio(float(np.exp(middle)), *ends, _verdict(*ends, percent), percent)


def _redraw(values: Floats, errors: Sequence[float] | None, rng: np.random.Generator) -> Floats:
    """Replicates of a set of runs on the log scale, shape (replicates, runs)."""
    chosen = rng.integers(0, len(values), size=(REPLICATES, len(values)))
    drawn = np.log(values)[chosen]
    if errors is None:
        return np.asarray(drawn)
    relative = np.asarray(errors, dtype=np.float64) / values
    return np.asarray(drawn + relative[chosen] * rng.standard_normal(drawn.shape))


def _verdict(low: float, high: float, percent: float) -> Verdict:
    margin = percent / 100
    if low > 1 or high < 1:
        # A difference that is surely smaller than the margin is none that anyone would act on.
        return "same" if 1 - margin <= low and high <= 1 + margin else "differs"
    return "same" if 1 - margin <= low and high <= 1 + margin else "insufficient data"
