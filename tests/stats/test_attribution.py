import numpy as np
import pytest

from dispatchmark.stats.attribution import difference
from dispatchmark.stats.pool import LEAST_RUNS


def test_what_a_rung_adds() -> None:
    found = difference([35.0, 36.0, 37.0], [20.0, 21.0, 22.0])
    assert found.value == 15.0
    assert found.low is not None
    assert found.high is not None
    # Both sides have a standard error of 1 / sqrt(3) and 2 degrees of freedom, so Welch's are 4.
    assert found.high - 15 == pytest.approx(2.776445 * np.sqrt(2 / 3), abs=1e-5)
    assert found.verdict == "adds"


def test_what_a_rung_saves() -> None:
    assert difference([20.0, 21.0, 22.0], [35.0, 36.0, 37.0]).verdict == "saves"


def test_a_difference_within_the_scatter_is_not_seen() -> None:
    assert difference([20.0, 25.0, 30.0], [21.0, 24.0, 29.0]).verdict == "no difference seen"


def test_runs_without_scatter_leave_no_doubt() -> None:
    found = difference([3.0] * 3, [2.0] * 3)
    assert (found.low, found.high, found.verdict) == (1.0, 1.0, "adds")


@pytest.mark.parametrize(("upper", "lower"), [(LEAST_RUNS - 1, LEAST_RUNS), (LEAST_RUNS, LEAST_RUNS - 1)])
def test_few_runs_have_a_difference_and_no_interval(upper: int, lower: int) -> None:
    found = difference([3.0] * upper, [2.0] * lower)
    assert (found.value, found.low, found.high, found.verdict) == (1.0, None, None, "insufficient data")


@pytest.mark.parametrize(("upper", "lower"), [([], [1.0]), ([1.0], [])])
def test_an_empty_side_is_refused(upper: list[float], lower: list[float]) -> None:
    with pytest.raises(ValueError, match="both sides"):
        difference(upper, lower)


def test_a_planted_difference_is_covered_where_the_scatters_differ() -> None:
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(2000):
        found = difference(list(40 + 4 * rng.standard_normal(5)), list(25 + 0.5 * rng.standard_normal(4)))
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 15 <= found.high
    assert 0.93 <= covered / 2000 <= 0.975
