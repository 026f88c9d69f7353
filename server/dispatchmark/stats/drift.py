"""A machine that slowly gets faster or slower during a ladder."""

import numpy as np

from .spans import Floats, Table


def steadied(table: Table, median_us: Floats) -> Table:
    """Spans with the straight part of the drift over the rounds taken out, around the middle of the ladder.

    A round's pace is the median over its rungs of span / median span; a line through the paces, by least squares on
    the round's number, is divided out. What is left of a drift in the rounds would pass for noise of the median,
    although every rung sees the same drift. The middle of the ladder, and so the estimate, stays where it is.
    """
    pace = np.nanmedian(table.span_us / np.maximum(median_us, 1e-9), axis=1)
    time = np.arange(table.rounds) - (table.rounds - 1) / 2
    known = np.isfinite(pace)
    if known.sum() < 3:
        return table
    slope = (time[known] * (pace[known] - pace[known].mean())).sum() / (time[known] ** 2).sum()
    factor = np.maximum(1 + slope * time, 0.5)
    return Table(table.n, table.span_us / factor[:, None])
