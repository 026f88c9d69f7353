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
    """Arranges spans by round and rung. A second span of a rung in one round makes a round of its own."""
    rungs = np.unique(n)
    column = np.searchsorted(rungs, n)
    seen: dict[tuple[int, int], int] = {}
    row_of: dict[tuple[int, int], int] = {}
    rows = np.empty(len(n), dtype=np.int64)
    for index, key in enumerate(zip(rep.tolist(), column.tolist(), strict=True)):
        again = seen[key] = seen.get(key, -1) + 1
        rows[index] = row_of.setdefault((key[0], again), len(row_of))
    table = np.full((len(row_of), len(rungs)), np.nan)
    table[rows, column] = span_us
    return Table(rungs.astype(np.float64), table)
