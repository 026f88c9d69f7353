"""What clock and wait can show, and what they hide."""

import numpy as np

from .spans import Floats

RESOLVING_QUANTA = 30.0
"""Rise of T(N) over the ladder, in clock quanta, from which on the clock is taken to resolve it."""

RESOLVING_POLLS = 30.0
"""The same in periods of a wait that ends only on a poll or in steps of a sleep."""

STEPPED_WAIT_US = 500.0
"""A wait on an empty queue this long is a sleep or a poll, not an answer: it may end in steps of its own length."""

UNSEEN_QUANTA = 0.1
"""What a smoothed median may be off, in clock quanta, where all repetitions of a rung fall on one tick."""

WIDEST = 0.2
"""Relative half-width of the slope's interval beyond which the noise has won."""


def wait_step(wait_us: float | None, poll_us: float | None) -> float:
    """Length of the steps in which a wait ends, in microseconds: a poll period, or a wait too long to be an answer."""
    sleeping = wait_us if wait_us is not None and wait_us >= STEPPED_WAIT_US else 0.0
    return max(poll_us or 0.0, sleeping)


def hidden_us(step_us: float, quantum_us: float, seen_us: Floats) -> Floats:
    """What steps of wait and clock can hide in a rung's median, less what its own spread already shows.

    Where spans start in step with a poll, every repetition of a rung is rounded up alike, and no spread shows it: the
    error is that of a uniform step, s / sqrt(12). Spans start anywhere between two ticks of a clock, so that its
    rounding shows in the spread, unless all repetitions happen to fall on one tick.
    """
    hidden = step_us**2 / 12 + (UNSEEN_QUANTA * quantum_us) ** 2
    return np.asarray(np.sqrt(np.maximum(hidden - seen_us**2, 0.0)))
