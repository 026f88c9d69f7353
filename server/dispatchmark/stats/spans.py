"""Timed spans as arrays, and the rungs of a ladder that they make."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Spans:
    """Spans of one series in one wait mode. All arrays have one length; times in microseconds."""

    n: Integers
    rep: Integers
    done_us: Floats
    encoded_us: Floats
    gpu_us: Floats | None = None

    def only(self, chosen: NDArray[np.bool_]) -> "Spans":
        """The spans that a mask chooses."""
        gpu = None if self.gpu_us is None else self.gpu_us[chosen]
        return Spans(self.n[chosen], self.rep[chosen], self.done_us[chosen], self.encoded_us[chosen], gpu)


@dataclass(frozen=True, slots=True)
class Table:
    """Spans by round and rung: `span_us[round, rung]`, NaN where a round lacks a rung; rungs ascending in `n`."""

    n: Floats
    span_us: Floats

    @property
    def rounds(self) -> int:
        """Number of rounds."""
        return int(self.span_us.shape[0])

    def rungs(self, chosen: NDArray[np.bool_]) -> "Table":
        """The rungs that a mask chooses."""
        return Table(self.n[chosen], self.span_us[:, chosen])


def tabulate(n: Integers, rep: Integers, span_us: Floats) -> Table:
    """Arranges spans by round and rung, rounds in their order, in whatever order the spans come.

    A second span of a rung in one round makes a round of its own, after the first.
    """
    rungs, column = np.unique(n, return_inverse=True)
    order = np.lexsort((span_us, column, rep))
    place = np.stack([rep[order], column[order]])
    follows = np.concatenate([[False], (place[:, 1:] == place[:, :-1]).all(axis=0)]) if len(n) else np.empty(0, bool)
    index = np.arange(len(n))
    again = index - np.maximum.accumulate(np.where(follows, 0, index))
    rows, row = np.unique(rep[order] * (len(n) + 1) + again, return_inverse=True)
    table = np.full((len(rows), len(rungs)), np.nan)
    table[row, column[order]] = span_us[order]
    return Table(rungs.astype(np.float64), table)


def middle(span_us: Floats) -> Floats:
    """Median over rounds, the second to last axis; NaN is no span, and of no spans NaN.

    A plain sort is several times faster than numpy's nanmedian, which the bootstrap spends most of its time in.
    """
    ordered = np.sort(span_us, axis=-2)
    count = np.count_nonzero(~np.isnan(span_us), axis=-2, keepdims=True)
    lower = np.take_along_axis(ordered, np.maximum(count - 1, 0) // 2, axis=-2)
    upper = np.take_along_axis(ordered, np.minimum(count // 2, span_us.shape[-2] - 1), axis=-2)
    return np.asarray(((lower + upper) / 2).squeeze(-2))
