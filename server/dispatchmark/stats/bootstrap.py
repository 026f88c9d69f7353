"""Bootstrap over rounds: a round shares its moment, so rounds, and not single spans, are what is drawn again."""

import numpy as np
from scipy.special import stdtrit

from .spans import Floats, Table, middle

REPLICATES = 400
SMOOTHINGS = 50
CENTRAL = (15.865525393145708, 84.13447460685429)
"""Percentiles between which a normal variable lies within one standard deviation of its mean."""

CONFIDENCE = 0.95
FREEDOM = 1.5
"""Degrees of freedom for each round beyond the first."""


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
    spans = table.span_us[drawn]
    # Each spread is used both ways round: its own chance cancels, which is no part of the data's.
    resampled = (middle(spans + spread) + middle(spans - spread)) / 2
    # A rung that a replicate did not draw at all keeps its plain median there.
    return np.asarray(np.where(np.isnan(resampled), middle(table.span_us), resampled))


def standard_error(values: Floats) -> Floats:
    """Half the width of the central 68 % along the first axis: what a few wild replicates cannot blow up."""
    low, high = np.percentile(values, CENTRAL, axis=0)
    return np.asarray((high - low) / 2)


def students(freedom: float) -> float:
    """Quantile of Student's t for the half-width of a 95 % interval."""
    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))


def half_width(error: float, hidden: float, rounds: int) -> float:
    """Half-width of the 95 % interval from the bootstrap's standard error and a `hidden` one that is known.

    Student's t with FREEDOM (R - 1) degrees of freedom for R rounds, and the more of them, the larger the known part
    is (Welch and Satterthwaite). R - 1 would be those of a mean; a bootstrap of medians over few rounds comes out
    somewhat too wide, and the simulations of docs/methodology.md show that this many cover at the stated rate.
    """
    total = error**2 + hidden**2
    if total == 0:
        return 0.0
    share = max(error**2 / total, 1e-3)
    return students(FREEDOM * (rounds - 1) / share**2) * float(np.sqrt(total))
