"""Ladders with a planted truth, made for single tests."""

from collections.abc import Sequence

import numpy as np

from dispatchmark.stats.estimate import Estimate, estimate
from dispatchmark.stats.spans import Floats, Spans

RUNGS = (1, 10, 37, 67, 100, 219, 397, 721, 1311, 2400)


def spans(done_us: Floats, rungs: Sequence[int]) -> Spans:
    """Spans of shape (rounds, rungs); a third of each is issuing."""
    rounds = len(done_us)
    n = np.tile(np.asarray(rungs, dtype=np.int64), rounds)
    return Spans(n, np.repeat(np.arange(rounds), len(rungs)), done_us.ravel(), done_us.ravel() / 3)


def ladder(
    slope_us: float = 25.0,
    intercept_us: float = 90.0,
    *,
    rungs: Sequence[int] = RUNGS,
    rounds: int = 12,
    noise_us: float = 5.0,
    noise_relative: float = 0.01,
    bend_n: float = np.inf,
    bend_factor: float = 4.0,
    seed: int = 1,
) -> Spans:
    """T(N) = intercept + slope * N, operations beyond `bend_n` costing `bend_factor` times as much, with noise."""
    rng = np.random.default_rng(seed)
    n = np.asarray(rungs, dtype=np.float64)
    clean = intercept_us + slope_us * (n + (bend_factor - 1) * np.maximum(0.0, n - bend_n))
    deviation = np.hypot(noise_us, noise_relative * clean)
    return spans(np.maximum(clean + deviation * rng.standard_normal((rounds, len(n))), 0.0), rungs)


def stepped(found: Spans, step_us: float) -> Spans:
    """The same work, awaited by something that only looks every `step_us` after the span began."""
    seen = np.maximum(1, np.ceil(found.done_us / step_us)) * step_us
    return Spans(found.n, found.rep, seen, found.encoded_us)


def ticked(found: Spans, quantum_us: float, seed: int = 1) -> Spans:
    """The same spans on a clock that shows multiples of `quantum_us`; each starts anywhere between two ticks."""
    phase = np.random.default_rng(seed).uniform(0, quantum_us, len(found.n))
    seen = np.floor((phase + found.done_us) / quantum_us) * quantum_us
    return Spans(found.n, found.rep, seen, found.encoded_us)


def estimated(
    found: Spans,
    *,
    quantum_us: float = 1.0,
    wait_us: float | None = 90.0,
    poll_us: float | None = None,
    seed: int = 1,
) -> Estimate:
    """The estimate with the controls of an ordinary run."""
    rng = np.random.default_rng(seed)
    return estimate(found, clock_quantum_us=quantum_us, wait_us=wait_us, poll_us=poll_us, rng=rng)
