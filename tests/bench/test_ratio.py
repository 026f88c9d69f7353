import numpy as np
import pytest

from tests.bench.ratio import Fidelity, Ratio, Span, fidelity, pooled, slope

RUNGS = (50, 100, 200, 400)


def planted(ratio: float, noise: float, *, run_noise: float = 0.0, control: float = 1.0, seed: int = 1) -> Fidelity:
    """Five runs, whose processes differ by `run_noise` in what the loops cost, and whose spans differ by `noise`."""
    rng = np.random.default_rng(seed)
    runs = []
    for _ in range(5):
        costs = {"harness": 25 * ratio, "plain": 25.0, "again": 25 * control}
        run_costs = {loop: cost * float(rng.lognormal(0, run_noise)) for loop, cost in costs.items()}
        runs.append(
            [
                Span(loop, number, n, (90 + cost * n) * float(rng.lognormal(0, noise)))  # type: ignore[arg-type]
                for number in range(12)
                for loop, cost in run_costs.items()
                for n in RUNGS
            ]
        )
    return fidelity(runs)


@pytest.mark.parametrize("ratio", [0.9, 1.0, 1.02, 1.1])
def test_the_ratio_is_found(ratio: float) -> None:
    found = planted(ratio, 0.0)
    assert (found.harness_us, found.plain_us, found.ratio.value) == pytest.approx((25 * ratio, 25, ratio))
    assert found.ratio.interval == pytest.approx((ratio, ratio))
    assert found.control.value == pytest.approx(1)


def test_the_interval_covers_where_processes_differ() -> None:
    runs = [planted(1.1, 0.02, run_noise=0.05, seed=seed) for seed in range(200)]
    intervals = [found.ratio.interval for found in runs]
    covered = sum(low <= 1.1 <= high for low, high in filter(None, intervals))
    assert 180 <= covered <= 199


def test_two_loops_that_are_the_same_are_hardly_ever_called_different() -> None:
    verdicts = [planted(1.0, 0.02, run_noise=0.05, seed=seed).verdict for seed in range(200)]
    assert verdicts.count("outside") <= 8


@pytest.mark.parametrize(
    ("ratio", "noise", "control", "verdict"),
    [
        (1.0, 0.002, 1.0, "within"),
        (1.1, 0.002, 1.0, "outside"),
        (0.9, 0.002, 1.0, "outside"),
        (1.0, 0.3, 1.0, "too noisy to tell"),
        (1.1, 0.002, 1.1, "the control is off"),
    ],
)
def test_verdicts_say_whether_the_data_tell(ratio: float, noise: float, control: float, verdict: str) -> None:
    assert planted(ratio, noise, control=control).verdict == verdict


def test_one_run_tells_nothing_and_neither_do_runs_that_make_no_sense() -> None:
    assert pooled([1.0]) == Ratio(1.0, None)
    assert pooled([1.0, -2.0, 1.2]) == Ratio(1.0, None)
    assert Fidelity(25, 25, pooled([1.0]), pooled([1.0]), 1).verdict == "too noisy to tell"


def test_a_slope_is_of_its_own_loop_and_of_medians() -> None:
    spans = [Span("plain", number, n, 10.0 * n + (5000 if number == 0 else 0)) for number in range(3) for n in RUNGS]
    assert slope([*spans, Span("harness", 0, 50, 1e9)], "plain") == 10
