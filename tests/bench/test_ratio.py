import numpy as np
import pytest

from tests.bench.ratio import Fidelity, Span, fidelity

RUNGS = (50, 100, 200, 400)


def planted(ratio: float, noise: float, rounds: int = 30, drift: float = 0.0, seed: int = 1) -> Fidelity:
    rng = np.random.default_rng(seed)
    spans = [
        Span(loop, number, n, (90 + slope * n) * (1 + drift * number) * float(rng.lognormal(0, noise)))
        for number in range(rounds)
        for loop, slope in (("harness", 25 * ratio), ("minimal", 25.0))
        for n in RUNGS
    ]
    return fidelity(spans, rng)  # type: ignore[arg-type]


@pytest.mark.parametrize("ratio", [0.9, 1.0, 1.02, 1.1])
def test_the_ratio_is_found(ratio: float) -> None:
    found = planted(ratio, 0.0)
    assert (found.harness_us, found.minimal_us, found.ratio) == pytest.approx((25 * ratio, 25, ratio))
    assert (found.low, found.high) == pytest.approx((ratio, ratio))


def test_the_interval_covers_and_a_common_drift_does_not_matter() -> None:
    runs = [planted(1.1, 0.05, drift=0.02, seed=seed) for seed in range(60)]
    covered = sum(found.low <= 1.1 <= found.high for found in runs)
    assert covered >= 52
    assert abs(float(np.median([found.ratio for found in runs])) - 1.1) < 0.01


@pytest.mark.parametrize(
    ("ratio", "noise", "verdict"),
    [(1.0, 0.002, "within"), (1.1, 0.002, "outside"), (0.9, 0.002, "outside"), (1.0, 0.3, "not surely")],
)
def test_verdicts_say_whether_the_data_tell(ratio: float, noise: float, verdict: str) -> None:
    assert verdict in planted(ratio, noise).verdict


def test_harness_over_minimal_and_not_the_other_way() -> None:
    assert planted(1.5, 0.01).ratio > 1.4
