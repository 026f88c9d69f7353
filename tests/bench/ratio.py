"""How far two loops that issue the same calls differ: the ratio of their slopes, with an interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

TARGET = (0.97, 1.03)
REPLICATES = 2000

Loop = Literal["harness", "minimal"]


@dataclass(frozen=True, slots=True)
class Span:
    """A timed span of n operations in microseconds."""

    loop: Loop
    round: int
    n: int
    us: float


@dataclass(frozen=True, slots=True)
class Fidelity:
    """Slopes in microseconds per operation, their ratio (harness over minimal) and its 95 % interval."""

    harness_us: float
    minimal_us: float
    ratio: float
    low: float
    high: float
    rounds: int

    @property
    def verdict(self) -> str:
        """In words: an interval that holds both a good and a bad ratio does not tell."""
        if self.low >= TARGET[0] and self.high <= TARGET[1]:
            return "within"
        if self.high < TARGET[0] or self.low > TARGET[1]:
            return "outside"
        return "within, not surely" if TARGET[0] <= self.ratio <= TARGET[1] else "outside, not surely"


def fidelity(spans: Sequence[Span], rng: np.random.Generator) -> Fidelity:
    """Compares the loops. Every round must hold every rung of both.

    The slope of a loop is the median slope between the rungs' medians over the rounds. The interval is a percentile
    bootstrap over rounds, drawn for both loops at once, since what disturbs a round disturbs both.
    """
    rungs = np.array(sorted({span.n for span in spans}), dtype=float)
    harness, minimal = _table(spans, "harness", rungs), _table(spans, "minimal", rungs)
    drawn = rng.integers(0, len(harness), size=(REPLICATES, len(harness)))
    ratios = _slopes(rungs, np.median(harness[drawn], axis=1)) / _slopes(rungs, np.median(minimal[drawn], axis=1))
    low, high = np.percentile(ratios, (2.5, 97.5))
    (own,), (other,) = (_slopes(rungs, np.median(table, axis=0)[None]) for table in (harness, minimal))
    return Fidelity(float(own), float(other), float(own / other), float(low), float(high), len(harness))


def _table(spans: Sequence[Span], loop: Loop, rungs: np.ndarray) -> np.ndarray:
    found = {(span.round, span.n): span.us for span in spans if span.loop == loop}
    rounds = sorted({number for number, _ in found})
    return np.array([[found[number, int(n)] for n in rungs] for number in rounds])


def _slopes(rungs: np.ndarray, medians: np.ndarray) -> np.ndarray:
    """Of each row of medians."""
    pairs = list(combinations(range(len(rungs)), 2))
    steps = [(medians[:, high] - medians[:, low]) / (rungs[high] - rungs[low]) for low, high in pairs]
    return np.asarray(np.median(np.array(steps), axis=0))
