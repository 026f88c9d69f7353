"""The ladder's rules, as web/core/plan.js has them: how far to climb, which rungs to repeat, when to stop.

Nothing here is an estimate; it is only good enough to plan by.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

COMFORTABLE_US = 40_000.0
DWARFS_QUANTUM = 100
DWARFS_FLOOR = 8
USEFUL_QUANTA = 30
USEFUL_FLOORS = 2
SHORTEST_US = 100.0
"""No native clock is too coarse for shorter spans, but a single interrupt would show in them."""

LEAST_RATIO = 4
MOST_RATIO = 64
ROUND_SPANS = 3.2
PAPER_N = 100
"""The reference paper divides T(100) by 100, so every round holds this rung."""

LOW = (1, 10)
BEND_MARGIN = 1.25
BEND_ROUNDS = 5
BEND_SHARE = 0.8
SLACK_QUANTA = 4
MIDDLE = 4
"""Rungs that the last step is compared with: those below it, not the first ones, where T(N) is often flat."""

MAD_TO_DEVIATION = 1.4826
MEDIAN_ERROR = 1.2533


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one ladder. Times in microseconds; `narrow` is the relative half-width at which it may stop."""

    cap_us: float
    budget_us: float
    min_rounds: int
    max_rounds: int
    rungs: int
    narrow: float
    max_n: int


@dataclass(frozen=True, slots=True)
class Coarseness:
    """Quantum of the clock and wait on an empty queue, in microseconds."""

    quantum_us: float
    floor_us: float


def target_span(coarse: Coarseness, limits: Limits) -> float:
    """How long the longest span should be, in microseconds: it dwarfs clock and wait, within what is allowed."""
    wanted = max(DWARFS_QUANTUM * coarse.quantum_us, DWARFS_FLOOR * coarse.floor_us, COMFORTABLE_US)
    affordable = limits.budget_us / (limits.min_rounds * ROUND_SPANS)
    least = max(LEAST_RATIO * coarse.floor_us, USEFUL_QUANTA * coarse.quantum_us)
    return min(wanted, limits.cap_us, max(affordable, least))


def next_climb(n: int, span_us: float, target_us: float, limits: Limits) -> int | None:
    """The N to climb to next, None at the top."""
    if span_us >= target_us or n >= limits.max_n or span_us * 2 > limits.cap_us * 1.5:
        return None
    return min(n * 2, limits.max_n)


def choose_rungs(
    climbed: Sequence[tuple[int, float]], target_us: float, coarse: Coarseness, limits: Limits
) -> tuple[list[int], int]:
    """The rungs, ascending, and the lowest N of the useful range; low rungs and N = 100 are always among them."""
    top_n, top_us = climbed[-1]
    overshoot = max(1.0, top_us / target_us)
    n_top = max(min(limits.max_n, LEAST_RATIO), _nearest(top_n / min(overshoot, 2)))
    useful = max(USEFUL_QUANTA * coarse.quantum_us, USEFUL_FLOORS * coarse.floor_us, SHORTEST_US)
    seen = next((n for n, span_us in climbed if span_us >= useful), n_top)
    n_low = max(1, min(max(seen, math.ceil(n_top / MOST_RATIO)), n_top // LEAST_RATIO))
    step = (n_top / n_low) ** (1 / (limits.rungs - 1))
    spread = {_nearest(n_low * step**index) for index in range(limits.rungs)}
    always = {n for n in (*LOW, PAPER_N) if n <= limits.max_n}
    return sorted(spread | always), n_low


def _nearest(value: float) -> int:
    """Halves go up, as they do in JavaScript."""
    return math.floor(value + 0.5)


def round_slope(points: Sequence[tuple[int, float]]) -> float:
    """Median slope between the points of a round (Theil-Sen); NaN of fewer than two points."""
    slopes = [
        (other_y - y) / (other_x - x)
        for index, (x, y) in enumerate(points)
        for other_x, other_y in points[index + 1 :]
        if other_x != x
    ]
    return median(slopes) if slopes else math.nan


class Rounds:
    """What the rounds so far say, for the rules that stop the ladder or lower its top."""

    def __init__(self, rungs: Sequence[int], n_low: int, coarse: Coarseness) -> None:
        self.rungs = list(rungs)
        self.n_low = n_low
        # What clock and wait may add to one span and not to the next, the same way in every round.
        self.slack_us = max(SLACK_QUANTA * coarse.quantum_us, coarse.floor_us)
        self._rounds: list[dict[int, float]] = []

    @property
    def count(self) -> int:
        """Rounds so far."""
        return len(self._rounds)

    def order(self, rng: random.Random) -> list[int]:
        """The order of the next round."""
        return rng.sample(self.rungs, len(self.rungs))

    def add(self, spans_us: dict[int, float]) -> None:
        """Takes a round: microseconds by N."""
        self._rounds.append(spans_us)

    @property
    def _useful(self) -> list[int]:
        return [n for n in self.rungs if n >= self.n_low]

    @staticmethod
    def _slope(one: dict[int, float], rungs: Sequence[int]) -> float:
        return round_slope([(n, one[n]) for n in rungs if n in one])

    def half_width(self) -> float:
        """Relative half-width of a rough 95 % interval of the rounds' slopes."""
        slopes = [self._slope(one, self._useful) for one in self._rounds]
        middle = median(slopes)
        if not middle > 0:
            return math.inf
        spread = median(abs(slope - middle) for slope in slopes)
        return 1.96 * MEDIAN_ERROR * MAD_TO_DEVIATION * spread / math.sqrt(len(slopes)) / middle

    def bend(self) -> int | None:
        """The N at the top of a step that costs clearly more than the middle in nearly every round, if there is one."""
        useful = self._useful
        if self.count < BEND_ROUNDS or len(useful) < MIDDLE + 2:
            return None
        middle, last = useful[-2 - MIDDLE : -2], useful[-2:]
        bent = 0
        for one in self._rounds:
            steady = self._slope(one, middle)
            excess = self._slope(one, last) - steady
            clear = excess > (BEND_MARGIN - 1) * steady and excess * (last[1] - last[0]) > self.slack_us
            bent += steady > 0 and clear
        return last[-1] if bent >= BEND_SHARE * self.count else None

    def drop_from(self, n: int) -> None:
        """Stays below a bend."""
        self.rungs = [rung for rung in self.rungs if rung < n]

    def stop(self, spent_us: float, limits: Limits) -> str | None:
        """Why to stop now, None to go on."""
        if self.count >= limits.max_rounds:
            return "rounds"
        if self.count >= 3 and spent_us >= 2 * limits.budget_us:
            return "budget"
        if self.count < limits.min_rounds:
            return None
        if spent_us >= limits.budget_us:
            return "budget"
        return "narrow" if self.half_width() <= limits.narrow else None
