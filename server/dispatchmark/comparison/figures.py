"""The figures of a comparison: the only place here that asks `stats`. The run is the unit of all of them."""

from statistics import fmean
from zlib import crc32

import numpy as np

from dispatchmark.contract.comparison import Interval, Ratio, Step
from dispatchmark.stats import attribution, compare
from dispatchmark.stats.pool import pool

from .rows import Row

NORMAL_95 = 1.959963984540054
"""Half-width of a 95 % interval in standard errors."""


def pooled(row: Row) -> Interval:
    """A row's cost over its runs; its ends are None where the runs are too few."""
    found = pool(row.slopes_us, errors_us(row))
    return Interval(value=found.value, low=found.low, high=found.high)


def ratio(row: Row, baseline: Row, notes: list[str]) -> Ratio:
    """A row's cost over its baseline's. The same runs give the same interval. Raises ValueError unless all are > 0."""
    found = compare.ratio(
        row.slopes_us,
        baseline.slopes_us,
        first_errors=errors_us(row),
        second_errors=errors_us(baseline),
        rng=np.random.default_rng([crc32(run.run_id.encode()) for side in (row, baseline) for run in side.runs]),
    )
    return Ratio(
        baseline=baseline.key,
        ratio=Interval(value=found.ratio, low=found.low, high=found.high),
        verdict=found.verdict,
        percent=found.percent,
        notes=notes,
    )


def step(below: Row | None, row: Row, what: str, total_us: float) -> Step:
    """What a rung costs more than the one below it; the lowest rung's own cost where there is none below."""
    if below is None:
        base = pooled(row)
        verdict: attribution.Verdict = "insufficient data" if base.low is None else "adds"
        return Step(from_=None, to=row.key, what=what, added_us=base, share=base.value / total_us, verdict=verdict)
    found = attribution.difference(row.slopes_us, below.slopes_us)
    added = Interval(value=found.value, low=found.low, high=found.high)
    share = found.value / total_us
    return Step(from_=below.key, to=row.key, what=what, added_us=added, share=share, verdict=found.verdict)


def center_us(row: Row) -> float:
    """A row's cost over its runs, the value of `pooled`: steps of a waterfall then add up to its last rung."""
    return fmean(row.slopes_us)


def errors_us(row: Row) -> list[float]:
    """The standard error within each run whose cost counts, read back from its interval."""
    estimates = [run.estimate for run in row.runs if run.counts and run.slope_us is not None]
    return [
        (one.slope_high_us - one.slope_low_us) / (2 * NORMAL_95)
        if one is not None and one.slope_low_us is not None and one.slope_high_us is not None
        else 0.0
        for one in estimates
    ]
