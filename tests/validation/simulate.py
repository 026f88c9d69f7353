"""Simulated spans with a planted truth, on a fixed ladder: what the estimator alone is proven on.

The words of a plan are those of the fake GPU that the JavaScript core is proven on (tests/js/fake/scenario.js).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dispatchmark.stats.spans import Spans

Floats = NDArray[np.float64]
INTERCEPT_US = 90.0
ROUNDS = 12
RUNGS = 8
TOP_US = 60_000.0
LONGEST_US = 250_000.0
"""Cap of a span: what no suite exceeds, whatever the clock would like."""

MOST_N = 16_384
NUDGE_US = 1000.0
DRAWS = 1_000_000


@dataclass(frozen=True, slots=True)
class Simulated:
    """One run: its spans, its truth, and what its controls would have said. Microseconds."""

    spans: Spans
    truth_us: float
    quantum_us: float
    wait_us: float
    poll_us: float | None


@dataclass(frozen=True, slots=True)
class Plan:
    """A scenario at one true cost."""

    slope_us: float
    clock_quantum_us: float = 5.0
    poll_us: float = 0.0
    wait_sleep_us: float = 0.0
    noise_us: float = 0.0
    noise_relative: float = 0.0
    heavy: int = 0
    outlier_share: float = 0.0
    outlier_us: float = 0.0
    drift_per_s: float = 0.0
    bimodal_share: float = 0.0
    bimodal_factor: float = 1.0
    run_spread: float = 0.0
    bend_n: int = 0
    bend_factor: float = 4.0


def ladder(plan: Plan) -> NDArray[np.int64]:
    """Rungs like those that the core would choose: geometric below the top, with 1, 10 and 100."""
    span = min(max(TOP_US, 100 * plan.clock_quantum_us), LONGEST_US)
    top = int(max(4, min(MOST_N, span / plan.slope_us)))
    low = max(1, top // 64)
    return np.unique(np.append(np.geomspace(low, top, RUNGS).round(), [1, 10, 100])).astype(np.int64)


def run(plan: Plan, wait: str, rng: np.random.Generator) -> Simulated:
    """One simulated run in one wait mode."""
    slope = plan.slope_us * (1 + plan.run_spread * rng.standard_normal())
    rungs = ladder(plan)
    n = np.concatenate([rng.permutation(rungs) for _ in range(ROUNDS)])
    rep = np.repeat(np.arange(ROUNDS), len(rungs))
    clean = INTERCEPT_US + slope * _operations(n, plan)
    begun = np.concatenate([[0.0], np.cumsum(clean)[:-1]])
    drifted = INTERCEPT_US + (clean - INTERCEPT_US) * (1 + plan.drift_per_s * begun / 1e6)
    work = slope * n
    noise = (
        _draw(n.shape, plan.heavy, rng) * plan.noise_us + _draw(n.shape, plan.heavy, rng) * plan.noise_relative * work
    )
    noise += np.where(rng.random(n.shape) < plan.outlier_share, plan.outlier_us * (0.5 + rng.random(n.shape)), 0.0)
    noise += np.where(rng.random(n.shape) < plan.bimodal_share, (plan.bimodal_factor - 1) * work, 0.0)
    done = np.maximum(drifted + noise, 0.0)
    step = _step(plan, wait)
    if step > 0:
        # Nudges come in steps after the issuing has ended; polls and sleeps from the same moment.
        issued = 0.3 * slope * n
        done = issued + np.maximum(1, np.ceil((done - issued) / step)) * step
    phase = rng.uniform(0, plan.clock_quantum_us, n.shape)
    seen = np.floor((phase + done) / plan.clock_quantum_us) * plan.clock_quantum_us
    truth = slope * (1 + plan.drift_per_s * float(begun.mean()) / 1e6)
    return Simulated(
        Spans(n, rep, seen, 0.3 * slope * n),
        truth,
        plan.clock_quantum_us,
        max(step, INTERCEPT_US),
        plan.poll_us if plan.poll_us and wait == "done" else None,
    )


def median_shift(plan: dict[str, float]) -> float:
    """By how much the median of a long span differs from the planted cost: slow spans push it up within the fast ones.

    The estimand is the slope of the median T(N), and this is the factor that a scenario's own noise puts on it.
    """
    share, factor = plan.get("bimodal_share", 0.0), plan.get("bimodal_factor", 1.0)
    if not share:
        return 1.0
    rng = np.random.default_rng(1)
    noise = rng.standard_normal(DRAWS) * plan.get("noise_relative", 0.0)
    return float(np.median(1 + noise + np.where(rng.random(DRAWS) < share, factor - 1, 0.0)))


def _operations(n: NDArray[np.int64], plan: Plan) -> Floats:
    """Operations, each of those beyond a bend counted `bend_factor` times."""
    beyond = np.maximum(0, n - plan.bend_n) if plan.bend_n else np.zeros(len(n))
    return np.asarray(n + beyond * (plan.bend_factor - 1), dtype=np.float64)


def _step(plan: Plan, wait: str) -> float:
    if wait == "nudged":
        return NUDGE_US
    return max(plan.poll_us, plan.wait_sleep_us)


def _draw(shape: tuple[int, ...], heavy: int, rng: np.random.Generator) -> Floats:
    return np.asarray(rng.standard_t(heavy, shape) if heavy else rng.standard_normal(shape))
