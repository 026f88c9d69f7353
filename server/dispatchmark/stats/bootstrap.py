"""Bootstrap over rounds: a round shares its moment, so rounds, and not single spans, are what is drawn again."""

import numpy as np
from scipy.special import stdtrit

from .spans import Floats, Table, middle

REPLICATES = 400
SMOOTHINGS = 50
CENTRAL = (15.865525393145708, 84.13447460685429)
"""Percentiles between which a normal variable lies within one standard deviation of its mean."""

CONFIDENCE = 0.95


def medians(table: Table, quantum_us: float, rng: np.random.Generator) -> Floats:
    """Median of each rung, in microseconds.

    A clock that shows multiples of its quantum hides where within it a reading lies. The readings are spread at random
    over their quantum and the medians averaged, which leaves fine clocks as they are and keeps the median of a coarse
    one from jumping by whole quanta.
    """
    spread = rng.uniform(-0.5, 0.5, size=(SMOOTHINGS, *table.span_us.shape)) * quantum_us
    return np.asarray(middle(table.span_us + spread).mean(axis=0))


def replicates(table: Table, quantum_us: float, rng: np.random.Generator) -> Floats:
    """Medians of the rungs in resampled rounds, shape (replicates, rungs)."""
    drawn = rng.integers(0, table.rounds, size=(REPLICATES, table.rounds))
    spread = rng.uniform(-0.5, 0.5, size=(REPLICATES, *table.span_us.shape)) * quantum_us
    resampled = middle(table.span_us[drawn] + spread)
    # A rung that a replicate did not draw at all keeps its plain median there.
    return np.asarray(np.where(np.isnan(resampled), middle(table.span_us), resampled))


def standard_error(values: Floats) -> Floats:
    """Half the width of the central 68 % along the first axis: what a few wild replicates cannot blow up."""
    low, high = np.percentile(values, CENTRAL, axis=0)
    return np.asarray((high - low) / 2)


def half_width(error: float, rounds: int) -> float:
    """Half-width of the 95 % interval: Student's t with 2 (R - 1) degrees of freedom for R rounds.

    R - 1 would be those of a mean. A bootstrap of medians over few rounds already comes out somewhat too wide, and the
    simulations of docs/methodology.md show that with twice as many the interval covers at its stated rate.
    """
    return float(error * stdtrit(2 * (rounds - 1), (1 + CONFIDENCE) / 2))
