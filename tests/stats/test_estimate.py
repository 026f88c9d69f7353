from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dispatchmark.contract.receipt import Estimate as Wire
from dispatchmark.stats.estimate import (
    ESTIMATOR_VERSION,
    LEAST_ROUNDS,
    Estimate,
    naive,
    total_over_100,
)
from dispatchmark.stats.limits import RESOLVING_POLLS, RESOLVING_QUANTA
from dispatchmark.stats.spans import Spans
from tests.stats.ladders import RUNGS, estimated, ladder, spans, stepped, ticked

FIGURES = ("slope_us", "slope_low_us", "slope_high_us", "intercept_us", "n_low", "n_high", "residual_us")


def assert_unresolved(found: Estimate, reason: str) -> None:
    """No figure leaks out of an estimate that has none, and the reason is said in words."""
    assert (found.verdict, found.reason) == ("unresolved", reason)
    assert all(getattr(found, name) is None for name in FIGURES)
    assert found.detail


@pytest.mark.parametrize("slope_us", [1, 5, 25, 50, 200])
def test_a_planted_slope_is_recovered(slope_us: float) -> None:
    found = estimated(ladder(slope_us))
    assert found.verdict == "resolved"
    assert found.slope_us == pytest.approx(slope_us, rel=0.02)
    assert found.slope_low_us is not None
    assert found.slope_high_us is not None
    assert found.slope_low_us < found.slope_us < found.slope_high_us
    assert found.slope_high_us - found.slope_low_us < 0.04 * slope_us


def test_the_intercept_is_the_synchronisation() -> None:
    found = estimated(ladder(25, 300))
    assert found.intercept_us == pytest.approx(300, rel=0.1)
    assert found.intercept_low_us is not None
    assert found.intercept_high_us is not None
    assert found.intercept_low_us < 300 < found.intercept_high_us


def test_the_line_says_where_it_holds_and_what_it_is_made_of() -> None:
    found = estimated(ladder(rounds=9))
    assert (found.n_high, found.n_bend, found.rounds, found.spans) == (2400, None, 9, 9 * len(RUNGS))
    assert found.residual_us is not None
    assert found.residual_us < 100
    assert found.estimator_version == ESTIMATOR_VERSION


def test_issuing_and_gpu_time_have_slopes_of_their_own() -> None:
    plain = ladder()
    found = estimated(Spans(plain.n, plain.rep, plain.done_us, plain.encoded_us, gpu_us=2.0 * plain.n))
    assert found.encode_slope_us == pytest.approx(25 / 3, rel=0.02)
    assert found.gpu_slope_us == pytest.approx(2, rel=0.001)
    assert estimated(plain).gpu_slope_us is None


def test_other_methods_report_the_wait_with_it() -> None:
    found = ladder(25, 1000, noise_us=0, noise_relative=0)
    assert naive(found.done_us[found.n == 1]) == 1025
    assert total_over_100(found) == 35
    assert estimated(found).total_over_100_us == 35
    assert total_over_100(ladder(rungs=[1, 10, 200, 400])) is None


def test_every_field_is_the_contracts() -> None:
    ours = {field.name for field in fields(Estimate)}
    assert ours == Wire.model_fields.keys() - {"case_id", "label", "repeat", "wait"}


@settings(deadline=None, max_examples=20)
@given(st.floats(0.1, 10))
def test_the_unit_of_time_does_not_matter(factor: float) -> None:
    plain = ladder()
    scaled = Spans(plain.n, plain.rep, plain.done_us * factor, plain.encoded_us * factor)
    one = estimated(plain, wait_us=0)
    other = estimated(scaled, quantum_us=factor, wait_us=0)
    assert one.slope_us is not None
    assert one.slope_high_us is not None
    assert other.slope_us == pytest.approx(one.slope_us * factor, rel=1e-6)
    assert other.slope_high_us == pytest.approx(one.slope_high_us * factor, rel=1e-6)


@settings(deadline=None, max_examples=20)
@given(st.permutations(range(6 * len(RUNGS))))
def test_the_order_of_samples_does_not_matter(order: list[int]) -> None:
    found = ladder(rounds=6)
    mixed = Spans(found.n[order], found.rep[order], found.done_us[order], found.encoded_us[order])
    assert estimated(mixed) == estimated(found)


def test_the_same_seed_gives_the_same_figures() -> None:
    assert estimated(ladder(), seed=3) == estimated(ladder(), seed=3)


@pytest.mark.parametrize("rounds", [6, 12])
def test_the_interval_covers_near_its_stated_rate(rounds: int) -> None:
    found = [estimated(ladder(rounds=rounds, seed=seed), seed=seed) for seed in range(200)]
    assert all(one.verdict == "resolved" for one in found)
    covered = sum((one.slope_low_us or 0) <= 25 <= (one.slope_high_us or 0) for one in found)
    assert 0.90 <= covered / len(found) <= 0.99


def test_noise_alone_finds_nothing() -> None:
    for seed in range(60):
        found = estimated(ladder(slope_us=0, intercept_us=400, noise_us=100, seed=seed), seed=seed)
        assert found.verdict == "unresolved"
        assert found.slope_us is None


def test_a_cost_that_noise_buries_is_noise() -> None:
    assert_unresolved(estimated(ladder(noise_relative=1.5, rounds=6)), "noise")


def test_a_poll_of_100_ms_is_seen_for_what_it_is() -> None:
    """T(N) is flat, then a staircase: the paper's total/100 says 1000 us here, and the truth is 25."""
    found = stepped(ladder(25), 100_000)
    assert total_over_100(found) == 1000
    assert_unresolved(estimated(found, wait_us=100_000, poll_us=100_000), "poll")


def test_a_poll_is_seen_in_the_empty_wait_alone() -> None:
    assert_unresolved(estimated(stepped(ladder(25), 100_000), wait_us=100_000), "poll")


def test_a_poll_that_no_control_saw_makes_no_figure() -> None:
    found = estimated(stepped(ladder(25), 100_000), wait_us=0)
    assert found.verdict == "unresolved"
    assert found.slope_us is None


@pytest.mark.parametrize(
    ("steps", "verdict"), [(RESOLVING_POLLS * 0.9, "unresolved"), (RESOLVING_POLLS * 2, "resolved")]
)
def test_spans_that_dwarf_a_poll_resolve_it(steps: float, verdict: str) -> None:
    poll_us = 25 * max(RUNGS) / steps
    found = estimated(stepped(ladder(25), poll_us), wait_us=poll_us, poll_us=poll_us)
    assert found.verdict == verdict
    assert found.slope_us is None or found.slope_us == pytest.approx(25, rel=0.05)


@pytest.mark.parametrize(
    ("quanta", "verdict"), [(RESOLVING_QUANTA * 0.9, "unresolved"), (RESOLVING_QUANTA * 2, "resolved")]
)
def test_spans_that_dwarf_the_clock_resolve_it(quanta: float, verdict: str) -> None:
    quantum_us = 25 * max(RUNGS) / quanta
    found = estimated(ticked(ladder(25), quantum_us), quantum_us=quantum_us)
    assert found.verdict == verdict
    if verdict == "unresolved":
        assert_unresolved(found, "clock")
    else:
        assert found.slope_us == pytest.approx(25, rel=0.05)


@pytest.mark.parametrize(("rounds", "verdict"), [(LEAST_ROUNDS - 1, "unresolved"), (LEAST_ROUNDS, "resolved")])
def test_an_interval_needs_rounds(rounds: int, verdict: str) -> None:
    found = estimated(ladder(rounds=rounds, noise_us=1, noise_relative=0.001))
    assert found.verdict == verdict
    if verdict == "unresolved":
        assert_unresolved(found, "too few")


@pytest.mark.parametrize(("rungs", "verdict"), [((100, 1000), "unresolved"), ((10, 100, 1000), "resolved")])
def test_a_line_needs_rungs(rungs: tuple[int, ...], verdict: str) -> None:
    found = estimated(ladder(rungs=rungs))
    assert found.verdict == verdict
    if verdict == "unresolved":
        assert_unresolved(found, "too few")


def test_no_spans_are_too_few() -> None:
    nothing = np.empty(0)
    none = nothing.astype(np.int64)
    found = estimated(Spans(none, none, nothing, nothing))
    assert_unresolved(found, "too few")
    assert found.spans == 0


def test_a_bend_is_stayed_below() -> None:
    found = estimated(ladder(25, bend_n=400))
    assert found.verdict == "resolved"
    assert found.slope_us == pytest.approx(25, rel=0.03)
    assert found.n_bend is not None
    assert found.n_high is not None
    assert found.n_high <= 400


@pytest.mark.parametrize("slope_us", [1, 5])
def test_a_bend_far_below_the_top_is_found(slope_us: float) -> None:
    """Most rungs lie above the bend, on a line of their own that is four times too steep."""
    rungs = (1, 10, 100, 256, 464, 840, 1522, 2756, 4993, 9045, 16384)
    found = estimated(ladder(slope_us, rungs=rungs, bend_n=300))
    assert found.verdict == "resolved"
    assert found.slope_us == pytest.approx(slope_us, rel=0.1)
    assert found.n_high == 256


def test_a_ladder_without_a_straight_part_is_bent() -> None:
    found = estimated(ladder(25, rungs=(100, 120, 140, 160, 320, 640, 1280), bend_n=160, noise_relative=0.002))
    assert_unresolved(found, "bent")
    assert found.n_bend == 160


def test_straight_ladders_do_not_bend() -> None:
    bends = [estimated(ladder(noise_relative=0.03, rounds=6, seed=seed), seed=seed).n_bend for seed in range(60)]
    assert sum(bend is not None for bend in bends) <= 1


def test_rungs_below_the_wait_floor_do_not_flatten_the_line() -> None:
    plain = ladder(25, 0)
    floored = Spans(plain.n, plain.rep, np.maximum(plain.done_us, 3000 + plain.done_us * 0.001), plain.encoded_us)
    found = estimated(floored, wait_us=300)
    assert found.verdict == "resolved"
    assert found.slope_us == pytest.approx(25, rel=0.03)
    assert found.n_low is not None
    assert found.n_low > 10


def test_a_few_wild_spans_do_not_move_the_slope() -> None:
    plain = ladder(25)
    wild = np.random.default_rng(5).random(len(plain.n)) < 0.08
    found = estimated(Spans(plain.n, plain.rep, plain.done_us + wild * 50_000.0, plain.encoded_us))
    assert found.slope_us == pytest.approx(25, rel=0.03)


def test_spans_that_cannot_be_are_left_out() -> None:
    plain = ladder(25)
    broken = plain.done_us.copy()
    broken[3], broken[40] = -5.0, np.nan
    found = estimated(Spans(plain.n, plain.rep, broken, plain.encoded_us))
    assert found.slope_us == pytest.approx(25, rel=0.02)
    assert found.spans == len(plain.n)


def test_one_rung_without_a_wait_is_divided() -> None:
    calls = spans(np.random.default_rng(1).normal(512 * 3.0, 5.0, (12, 1)), [512])
    found = estimated(calls, wait_us=None)
    assert found.verdict == "resolved"
    assert found.slope_us == pytest.approx(3, rel=0.01)
    assert (found.n_low, found.n_high, found.intercept_us) == (512, 512, None)
    assert_unresolved(estimated(calls, wait_us=None, quantum_us=100), "clock")
    assert_unresolved(estimated(calls, wait_us=90), "too few")


def test_a_gpu_timer_that_says_zero_at_some_rungs_still_gives_finite_figures() -> None:
    n = np.tile([1, 10, 100, 400], 8)
    rng = np.random.default_rng(1)
    done_us = 90 + 25.0 * n + rng.normal(0, 5, n.size)
    gpu_us = np.where(n == 1, 0.0, 2.0 * n)
    found = estimated(Spans(n, np.repeat(np.arange(8), 4), done_us, 8.0 * n, gpu_us), quantum_us=5)
    assert found.gpu_slope_us == pytest.approx(2.0, rel=0.05)
