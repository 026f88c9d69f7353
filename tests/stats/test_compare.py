import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dispatchmark.stats.compare import SAME_PERCENT, Ratio, ratio
from dispatchmark.stats.pool import LEAST_RUNS

COSTS = st.lists(st.floats(1, 1e3), min_size=LEAST_RUNS, max_size=6)
SIMULATIONS = 300


def compared(first: list[float], second: list[float], seed: int = 1, percent: float = SAME_PERCENT) -> Ratio:
    return ratio(first, second, percent=percent, rng=np.random.default_rng(seed))


def runs(cost: float, count: int, spread: float, rng: np.random.Generator) -> list[float]:
    return list(cost * np.exp(spread * rng.standard_normal(count)))


def test_a_planted_ratio_is_found() -> None:
    rng = np.random.default_rng(1)
    found = compared(runs(50, 6, 0.02, rng), runs(25, 6, 0.02, rng))
    assert found.ratio == pytest.approx(2, rel=0.03)
    assert found.low is not None
    assert found.high is not None
    assert found.low < 2 < found.high
    assert found.verdict == "differs"


def test_one_wild_run_does_not_make_the_ratio() -> None:
    assert compared([25, 25.2, 24.8, 25.1, 250], [25, 25.1, 24.9, 25, 25.2]).ratio == pytest.approx(1, rel=0.02)


def test_equal_runs_are_the_same() -> None:
    found = compared([25.0, 25.1, 24.9, 25.0], [25.05, 24.95, 25.0, 25.0])
    assert found.verdict == "same"
    assert found.percent == SAME_PERCENT


def test_a_sure_difference_below_the_margin_is_no_difference() -> None:
    found = compared([25.50, 25.51, 25.49, 25.50], [25.00, 25.01, 24.99, 25.00])
    assert found.low is not None
    assert found.low > 1
    assert found.verdict == "same"
    assert compared([25.50, 25.51, 25.49, 25.50], [25.00, 25.01, 24.99, 25.00], percent=1).verdict == "differs"


def test_scattered_runs_are_insufficient() -> None:
    assert compared([20, 25, 30], [22, 25, 29]).verdict == "insufficient data"


@pytest.mark.parametrize(("first", "second"), [(LEAST_RUNS - 1, LEAST_RUNS), (LEAST_RUNS, LEAST_RUNS - 1)])
def test_few_runs_have_a_ratio_and_no_interval(first: int, second: int) -> None:
    found = compared([50.0] * first, [25.0] * second)
    assert found.ratio == pytest.approx(2)
    assert found.low is None
    assert found.high is None
    assert found.verdict == "insufficient data"


def test_least_runs_are_enough() -> None:
    assert compared([50.0, 50.5, 49.5], [25.0, 25.2, 24.8]).verdict == "differs"


@pytest.mark.parametrize("side", [[], [0.0, 1, 2], [-1.0, 1, 2]])
def test_a_ratio_needs_positive_runs(side: list[float]) -> None:
    with pytest.raises(ValueError, match="positive"):
        compared(side, [1, 1, 1])
    with pytest.raises(ValueError, match="positive"):
        compared([1, 1, 1], side)


def test_errors_within_runs_widen_the_interval() -> None:
    costs = [25.0, 25.1, 24.9, 25.0]
    sure = ratio(costs, costs, rng=np.random.default_rng(1))
    unsure = ratio(costs, costs, first_errors=[2.0] * 4, second_errors=[2.0] * 4, rng=np.random.default_rng(1))
    assert sure.verdict == "same"
    assert unsure.verdict == "insufficient data"


@pytest.mark.parametrize("count", [3, 5, 8])
def test_no_difference_is_rarely_called_one(count: int) -> None:
    """Runs of one runtime differ by 2 %; tests on pooled samples call that a difference in most sweeps."""
    rng = np.random.default_rng(count)
    false = 0
    for index in range(SIMULATIONS):
        found = compared(runs(25, count, 0.02, rng), runs(25, count, 0.02, rng), seed=index, percent=0)
        false += found.verdict == "differs"
    assert false / SIMULATIONS <= 0.08


@pytest.mark.parametrize("count", [3, 5])
def test_a_planted_ratio_is_covered(count: int) -> None:
    rng = np.random.default_rng(count)
    covered = 0
    for index in range(SIMULATIONS):
        found = compared(runs(30, count, 0.05, rng), runs(25, count, 0.05, rng), seed=index)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 1.2 <= found.high
    assert covered / SIMULATIONS >= 0.92


@settings(deadline=None, max_examples=25)
@given(COSTS, COSTS, st.floats(1e-3, 1e3))
def test_the_unit_does_not_matter(first: list[float], second: list[float], factor: float) -> None:
    one = compared(first, second)
    other = compared([cost * factor for cost in first], [cost * factor for cost in second])
    assert other.ratio == pytest.approx(one.ratio)
    assert other.low == pytest.approx(one.low)
    assert other.high == pytest.approx(one.high)


@settings(deadline=None, max_examples=25)
@given(COSTS, COSTS)
def test_the_other_way_round_is_the_reciprocal(first: list[float], second: list[float]) -> None:
    assert compared(first, second).ratio * compared(second, first).ratio == pytest.approx(1)
