"""The clock of native runs, and a CPU loop of known work."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from time import perf_counter_ns

STEPS = 2000
UNIT = 100
"""Turns of the loop in one unit of spin."""


@dataclass(frozen=True, slots=True)
class ClockReadings:
    """Quantum, jitter and cost of a reading, in microseconds."""

    quantum_us: float
    jitter_us: float
    call_overhead_us: float
    monotonic: bool


def examine(now_ns: Callable[[], int] = perf_counter_ns) -> ClockReadings:
    """Reads the clock as often as it takes to see its steps."""
    readings = [now_ns() for _ in range(STEPS)]
    steps = [(after - before) / 1000 for before, after in pairwise(readings)]
    forward = [step for step in steps if step > 0]
    middle = median(forward)
    return ClockReadings(
        quantum_us=min(forward),
        jitter_us=median(abs(step - middle) for step in forward),
        call_overhead_us=(readings[-1] - readings[0]) / 1000 / (STEPS - 1),
        monotonic=min(steps) >= 0,
    )


def spin(units: int) -> int:
    """Known work: turns of xorshift32."""
    state = 1
    for _ in range(units * UNIT):
        state ^= (state << 13) & 0xFFFFFFFF
        state ^= state >> 17
        state ^= (state << 5) & 0xFFFFFFFF
    return state
