"""One figure from several runs. The run is the unit: what differs from process to process belongs in the interval."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

LEAST_RUNS = 3
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Pooled:
    """Mean over runs with its 95 % interval; below LEAST_RUNS there is none."""

    value: float
    low: float | None
    high: float | None
    runs: int


def pool(values: Sequence[float], errors: Sequence[float] | None = None) -> Pooled:
    """Pools run estimates: mean, and Student's t interval with runs - 1 degrees of freedom.

    The standard error is the larger of the runs' own scatter, s / sqrt(R), and of what their own `errors` (standard
    errors within each run, same unit) leave, sqrt(sum e^2) / R: few runs that agree by luck do not make a figure sure.
    Raises ValueError without values.
    """
    if not values:
        raise ValueError("no runs to pool")
    found = np.asarray(values, dtype=np.float64)
    runs = len(found)
    mean = float(found.mean())
    if runs < LEAST_RUNS:
        return Pooled(mean, None, None, runs)
    scatter = float(found.std(ddof=1)) / np.sqrt(runs)
    within = float(np.sqrt(np.square(errors).sum())) / runs if errors is not None else 0.0
    half = float(stdtrit(runs - 1, (1 + CONFIDENCE) / 2)) * max(scatter, within)
    return Pooled(mean, mean - half, mean + half, runs)
