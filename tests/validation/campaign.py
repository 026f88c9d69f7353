"""Many simulated runs of a scenario, and what the estimator made of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from dispatchmark.stats import estimate as estimator
from dispatchmark.stats import pool

from . import core, simulate

Source = Literal["fit", "core"]
BIAS_LIMIT = 0.02
COVERAGE_LIMITS = (0.92, 0.98)
UNRESOLVED_LEAST = 0.99
ENOUGH_RUNS = 500
LEAST_RESOLVED = 0.5
"""A scenario that should be resolved is so in at least this share of its runs."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One scenario at one true cost, from one source. Shares are of all runs, bias and coverage of resolved ones."""

    scenario: str
    source: Source
    slope_us: float
    expect: Literal["resolved", "unresolved"]
    runs: int
    resolved: float
    bias: float | None
    coverage: float | None
    width: float | None
    reasons: dict[str, int]
    naive_bias: float
    paper_bias: float

    @property
    def slack(self) -> float:
        """What chance alone does to the coverage of few runs, in three standard errors; none from ENOUGH_RUNS on."""
        return (
            0.0 if self.runs >= ENOUGH_RUNS else 3 * float(np.sqrt(0.95 * 0.05 / max(1.0, self.runs * self.resolved)))
        )

    @property
    def problems(self) -> list[str]:
        """What misses the acceptance; empty where the cell meets it."""
        if self.expect == "unresolved":
            short = self.resolved > 1 - UNRESOLVED_LEAST
            return [f"resolved in {self.resolved:.1%} of runs"] if short else []
        found = []
        if self.resolved < LEAST_RESOLVED:
            found.append(f"resolved in {self.resolved:.1%} of runs only: {self.reasons}")
        if self.bias is not None and abs(self.bias) > BIAS_LIMIT:
            found.append(f"bias {self.bias:+.2%}")
        low, high = COVERAGE_LIMITS
        if self.coverage is not None and not low - self.slack <= self.coverage <= high + self.slack:
            found.append(f"coverage {self.coverage:.1%}")
        return found


@dataclass(frozen=True, slots=True)
class Task:
    """What one cell needs, as plain values that travel between processes."""

    scenario: dict[str, Any]
    slope_us: float
    source: Source
    runs: int
    seed: int


def cell(task: Task) -> Cell:
    """Simulates and judges one cell."""
    rng = np.random.default_rng(task.seed)
    shift = simulate.median_shift(task.scenario["plan"])
    found = [replace(one, truth_us=one.truth_us * shift) for one in _simulated(task, rng)]
    estimates = [_estimate(one, rng) for one in found]
    resolved = [
        (one, estimate)
        for one, estimate in zip(found, estimates, strict=True)
        if estimate.verdict == "resolved" and estimate.slope_us is not None
    ]
    errors = [estimate.slope_us / one.truth_us - 1 for one, estimate in resolved if estimate.slope_us]
    covered = [
        (estimate.slope_low_us or 0) <= one.truth_us <= (estimate.slope_high_us or 0) for one, estimate in resolved
    ]
    widths = [
        (estimate.slope_high_us - estimate.slope_low_us) / 2 / estimate.slope_us
        for _, estimate in resolved
        if estimate.slope_high_us and estimate.slope_low_us and estimate.slope_us
    ]
    reasons: dict[str, int] = {}
    for estimate in estimates:
        if estimate.reason:
            reasons[estimate.reason] = reasons.get(estimate.reason, 0) + 1
    unresolvable = task.slope_us in task.scenario.get("unresolved_slopes", [])
    return Cell(
        scenario=task.scenario["name"],
        source=task.source,
        slope_us=task.slope_us,
        expect="unresolved" if unresolvable else task.scenario["expect"],
        runs=len(found),
        resolved=len(resolved) / len(found),
        bias=float(np.median(errors)) if errors else None,
        coverage=float(np.mean(covered)) if covered else None,
        width=float(np.median(widths)) if widths else None,
        reasons=reasons,
        naive_bias=float(np.median([_naive(one) / one.truth_us - 1 for one in found])),
        paper_bias=float(np.median([_paper(one) / one.truth_us - 1 for one in found])),
    )


def across_runs(slope_us: float, spread: float, runs: int, sweeps: int, seed: int) -> tuple[float, float]:
    """Bias and coverage of the pooled figure of sweeps whose runs have costs of their own around the planted one."""
    rng = np.random.default_rng(seed)
    plan = simulate.Plan(slope_us=slope_us, noise_us=8, noise_relative=0.01, run_spread=spread)
    errors, covered = [], []
    for _ in range(sweeps):
        slopes = [
            one.slope_us
            for one in (_estimate(simulate.run(plan, "done", rng), rng) for _ in range(runs))
            if one.slope_us is not None
        ]
        pooled = pool.pool(slopes)
        errors.append(pooled.value / slope_us - 1)
        covered.append((pooled.low or 0) <= slope_us <= (pooled.high or 0))
    return float(np.mean(errors)), float(np.mean(covered))


def problems(cells: Sequence[Cell]) -> list[str]:
    """Every miss in words."""
    return [f"{one.source}, {one.scenario}, {one.slope_us:g} us: {text}" for one in cells for text in one.problems]


def _simulated(task: Task, rng: np.random.Generator) -> Iterable[simulate.Simulated]:
    if task.source == "core":
        return core.runs(task.scenario["plan"], task.slope_us, task.runs, task.seed)
    plan = simulate.Plan(slope_us=task.slope_us, **task.scenario["plan"])
    return (simulate.run(plan, task.scenario.get("wait", "done"), rng) for _ in range(task.runs))


def _estimate(one: simulate.Simulated, rng: np.random.Generator) -> estimator.Estimate:
    return estimator.estimate(
        one.spans, clock_quantum_us=one.quantum_us, wait_us=one.wait_us, poll_us=one.poll_us, rng=rng
    )


def _naive(one: simulate.Simulated) -> float:
    return estimator.naive(one.spans.done_us[one.spans.n == 1])


def _paper(one: simulate.Simulated) -> float:
    return estimator.total_over_100(one.spans) or float("nan")
