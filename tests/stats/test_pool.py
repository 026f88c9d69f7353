import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dispatchmark.stats.pool import LEAST_RUNS, pool

COSTS = st.lists(st.floats(0.1, 1e4), min_size=LEAST_RUNS, max_size=12)


def test_the_mean_of_the_runs_with_students_interval() -> None:
    found = pool([24.0, 25.0, 26.0])
    assert found.value == 25.0
    assert found.low is not None
    # t of 2 degrees of freedom, times s / sqrt(3) with s = 1.
    assert found.low == pytest.approx(25 - 4.302653 / np.sqrt(3), abs=1e-5)
    assert found.runs == 3


@pytest.mark.parametrize(("runs", "has_interval"), [(1, False), (LEAST_RUNS - 1, False), (LEAST_RUNS, True)])
def test_few_runs_have_a_figure_and_no_interval(runs: int, has_interval: bool) -> None:
    found = pool([25.0 + index for index in range(runs)])
    assert (found.low is not None) is has_interval
    assert (found.high is not None) is has_interval


def test_runs_that_agree_by_luck_are_no_surer_than_each_of_them() -> None:
    found = pool([25.0, 25.0, 25.0], errors=[3.0, 3.0, 3.0])
    assert found.high is not None
    assert found.high - 25 == pytest.approx(4.302653 * np.sqrt(3), rel=1e-5)


def test_nothing_cannot_be_pooled() -> None:
    with pytest.raises(ValueError, match="no runs"):
        pool([])


def test_what_differs_from_process_to_process_is_in_the_interval() -> None:
    """Each run knows its cost to 0.1 %, and runs differ by 10 %: five of them cover the mean at the nominal rate."""
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(1000):
        runs = 25 * (1 + 0.1 * rng.standard_normal(5)) + 0.025 * rng.standard_normal(5)
        found = pool(list(runs), errors=[0.025] * 5)
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 25 <= found.high
    assert 0.93 <= covered / 1000 <= 0.97


@given(COSTS, st.floats(1e-3, 1e3))
def test_the_unit_does_not_matter(costs: list[float], factor: float) -> None:
    one, other = pool(costs), pool([cost * factor for cost in costs])
    assert one.high is not None
    assert other.high is not None
    assert other.value == pytest.approx(one.value * factor)
    assert other.high == pytest.approx(one.high * factor)


@given(COSTS, st.randoms())
def test_the_order_of_runs_does_not_matter(costs: list[float], random) -> None:
    mixed = costs.copy()
    random.shuffle(mixed)
    one, other = pool(costs), pool(mixed)
    assert one.low is not None
    assert other.low == pytest.approx(one.low, abs=1e-6)
