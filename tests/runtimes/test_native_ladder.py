"""The ladder on a fake device whose costs and clock are planted."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any, cast

import pytest

from dispatchmark.contract.base import WaitMode
from dispatchmark.contract.submission import Sample, Series
from dispatchmark.contract.suite import load
from dispatchmark.runtimes.native import measure
from dispatchmark.runtimes.native.library import Library, Wait
from dispatchmark.runtimes.native.measure import Conditions, Context, Result, meter, run_ladder
from dispatchmark.runtimes.native.plan import Limits
from dispatchmark.runtimes.native.run import Cancelled

LIMITS = Limits(cap_us=250_000, budget_us=2_000_000, min_rounds=6, max_rounds=40, rungs=8, narrow=0.02, max_n=16384)


@dataclass
class Device:
    """A queue in virtual time: an operation costs time to issue, and more until it is done."""

    wait_us: float = 50.0
    issue_us: float = 5.0
    cost_us: Callable[[int], float] = lambda n: 25.0 * n
    noise: Callable[[], float] = lambda: 1.0
    now_us: float = 1000.0
    busy_until_us: float = 0.0
    issued: list[int] = field(default_factory=list)

    def issue(self, n: int) -> None:
        self.issued.append(n)
        begun = self.now_us
        self.now_us += self.issue_us * n
        self.busy_until_us = begun + self.cost_us(n) * self.noise()

    def wait(self) -> None:
        self.now_us = max(self.now_us, self.busy_until_us) + self.wait_us

    def read_ns(self) -> int:
        return int(self.now_us * 1000)


@dataclass
class FakeLibrary:
    device: Device

    def waits(self, device: object) -> dict[WaitMode, Wait]:
        return {WaitMode.DONE: self.device.wait}


def context_of(device: Device, monkeypatch: pytest.MonkeyPatch, seed: int = 1) -> Context:
    monkeypatch.setattr(measure, "perf_counter_ns", device.read_ns)
    return Context(
        library=cast(Library, FakeLibrary(device)),
        file=load(),
        case=load().case("submit/f32/chained"),
        limits=LIMITS,
        conditions=Conditions(quantum_us=0.05, floor_us=device.wait_us),
        result=Result(),
        origin_ns=device.read_ns(),
        rng=random.Random(seed),
        open=lambda: None,
        progress=lambda fraction: None,
    )


def climb(device: Device, monkeypatch: pytest.MonkeyPatch, limits: Limits = LIMITS, seed: int = 1) -> Series:
    context = context_of(device, monkeypatch, seed)
    run_ladder(context, meter(context, device, device.issue), limits, None)
    (series,) = context.result.series
    return series


def medians(series: Series) -> dict[int, float]:
    return {
        n: median(sample.done_us for sample in series.samples if sample.n == n)
        for n in {sample.n for sample in series.samples}
    }


def test_a_line_is_measured_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    series = climb(Device(), monkeypatch)
    assert medians(series) == {n: pytest.approx(50 + 25 * n) for n in medians(series)}
    assert series.stopped == "narrow"
    assert series.n_bend is None
    top = max(medians(series))
    assert 30_000 < 50 + 25 * top <= 45_000


def test_every_round_holds_every_rung_in_a_new_order(monkeypatch: pytest.MonkeyPatch) -> None:
    series = climb(Device(), monkeypatch)
    orders = {
        rep: [sample.n for sample in series.samples if sample.rep == rep]
        for rep in {sample.rep for sample in series.samples}
    }
    assert len(orders) == LIMITS.min_rounds
    assert all(100 in order and sorted(order) == sorted(orders[0]) for order in orders.values())
    assert len({tuple(order) for order in orders.values()}) > 1
    again = climb(Device(), monkeypatch)
    assert [sample.n for sample in again.samples] == [sample.n for sample in series.samples]
    other = climb(Device(), monkeypatch, seed=2)
    assert [sample.n for sample in other.samples] != [sample.n for sample in series.samples]


def test_stamps_count_from_the_runs_origin_and_never_back(monkeypatch: pytest.MonkeyPatch) -> None:
    samples = climb(Device(), monkeypatch).samples
    starts = [sample.start_us for sample in samples]
    assert starts == sorted(starts)
    assert all(0 < sample.encoded_us <= sample.done_us for sample in samples)


def test_noise_spends_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    device = Device(noise=lambda: rng.lognormvariate(0, 0.5))
    series = climb(device, monkeypatch)
    assert series.stopped == "budget"
    assert device.now_us >= LIMITS.budget_us


def test_a_bend_is_recorded_and_what_is_above_it_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def cost(n: int) -> float:
        return 25.0 * n + 100.0 * max(0, n - 500)

    limits = replace(LIMITS, min_rounds=12)
    series = climb(Device(cost_us=cost), monkeypatch, limits)
    assert series.n_bend is not None
    assert series.n_bend > 500
    last = max(sample.rep for sample in series.samples)
    assert max(sample.n for sample in series.samples if sample.rep == last) < series.n_bend
    assert any(sample.n >= series.n_bend for sample in series.samples if sample.rep == 0)


def test_one_interruption_does_not_leave_the_ladder_low(monkeypatch: pytest.MonkeyPatch) -> None:
    quiet = max(medians(climb(Device(), monkeypatch)))
    spans = 0

    def once() -> float:
        nonlocal spans
        spans += 1
        return 1000.0 if spans == 8 else 1.0

    assert max(medians(climb(Device(noise=once), monkeypatch))) == quiet


def test_no_batch_is_longer_than_the_cap_by_much(monkeypatch: pytest.MonkeyPatch) -> None:
    series = climb(Device(cost_us=lambda n: 30_000.0 * n), monkeypatch)
    assert max(sample.done_us for sample in series.samples if sample.n != 100) < 1.5 * LIMITS.cap_us


def test_what_was_measured_before_a_failure_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    device, spans = Device(), 0

    def failing(n: int) -> None:
        nonlocal spans
        spans += 1
        if spans == 40:
            raise Cancelled
        device.issue(n)

    context = context_of(device, monkeypatch)
    with pytest.raises(Cancelled):
        run_ladder(context, meter(context, device, failing), LIMITS, None)
    (series,) = context.result.series
    assert 0 < len(series.samples) < 40
    assert series.stopped is None


def test_only_issue_and_wait_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    device = Device()
    context = context_of(device, monkeypatch)

    class SlowTally:
        def add(self, n: int) -> None:
            device.now_us += 1e6

    class SlowTimer:
        def read_span(self) -> float:
            device.now_us += 1e6
            return 12.5

    slow: dict[str, Any] = {"tally": SlowTally(), "timer": SlowTimer()}
    sample: Sample = meter(context, device, device.issue, **slow)(10, 0)
    assert (sample.encoded_us, sample.done_us, sample.gpu_us) == pytest.approx((50, 300, 12.5))
