"""How far two loops that issue the same calls differ: the ratio of their slopes, over several runs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, median, stdev
from typing import Literal

from scipy.special import stdtrit

TARGET = (0.97, 1.03)

Loop = Literal["harness", "plain", "again"]
"""`again` is the plain loop once more, under another name: what it differs by is the machine's doing."""


@dataclass(frozen=True, slots=True)
class Span:
    """A timed span of n operations in microseconds."""

    loop: Loop
    round: int
    n: int
    us: float


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio over several runs with its 95 % interval, None where there is none."""

    value: float
    interval: tuple[float, float] | None

    def __str__(self) -> str:
        if self.interval is None:
            return f"{self.value:.3f}"
        return f"{self.value:.3f} [{self.interval[0]:.3f}, {self.interval[1]:.3f}]"


@dataclass(frozen=True, slots=True)
class Fidelity:
    """Slopes in microseconds per operation, medians over the runs, and the ratios to the plain loop."""

    harness_us: float
    plain_us: float
    ratio: Ratio
    control: Ratio
    runs: int

    @property
    def verdict(self) -> str:
        """In words. Nothing is said where the interval holds both good and bad ratios, or the control is off."""
        if self.ratio.interval is None or self.control.interval is None:
            return "too noisy to tell"
        (low, high), (control_low, control_high) = self.ratio.interval, self.control.interval
        if not control_low <= 1 <= control_high:
            return "the control is off"
        if TARGET[0] <= low and high <= TARGET[1]:
            return "within"
        return "outside" if high < TARGET[0] or low > TARGET[1] else "too noisy to tell"


def fidelity(runs: Sequence[Sequence[Span]]) -> Fidelity:
    """Compares the loops over runs, each a process of its own."""
    harness, plain, again = ([slope(spans, loop) for spans in runs] for loop in ("harness", "plain", "again"))
    return Fidelity(
        harness_us=median(harness),
        plain_us=median(plain),
        ratio=pooled([one / other for one, other in zip(harness, plain, strict=True)]),
        control=pooled([one / other for one, other in zip(again, plain, strict=True)]),
        runs=len(runs),
    )


def slope(spans: Sequence[Span], loop: str) -> float:
    """Median slope between the rungs' medians over the rounds, in microseconds per operation."""
    rungs: dict[int, list[float]] = {}
    for span in spans:
        if span.loop == loop:
            rungs.setdefault(span.n, []).append(span.us)
    points = sorted((n, median(found)) for n, found in rungs.items())
    return median((high_us - low_us) / (high - low) for (low, low_us), (high, high_us) in combinations(points, 2))


def pooled(ratios: Sequence[float]) -> Ratio:
    """Geometric mean of the runs' ratios, with the interval of Student's t on their logarithms.

    The run is the unit. What disturbs a machine lasts longer than a round, so rounds of one run are no independent
    witnesses, and an interval made from them alone would be too narrow. One run has no interval; nor have runs that
    were so disturbed that a slope came out negative.
    """
    if len(ratios) < 2 or min(ratios) <= 0:
        return Ratio(median(ratios), None)
    logs = [math.log(ratio) for ratio in ratios]
    half = float(stdtrit(len(logs) - 1, 0.975)) * stdev(logs) / math.sqrt(len(logs))
    value, low, high = (math.exp(fmean(logs) + shift) for shift in (0.0, -half, half))
    return Ratio(value, (low, high))
