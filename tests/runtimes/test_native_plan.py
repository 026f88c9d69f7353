"""The ladder's rules: what they do, and that they are those of the page."""

import json
import math
import random
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from dispatchmark.runtimes.native.plan import (
    PAPER_N,
    Coarseness,
    Limits,
    Rounds,
    choose_rungs,
    next_climb,
    round_slope,
    target_span,
)

ROOT = Path(__file__).parents[2]
LIMITS = Limits(cap_us=250_000, budget_us=2_000_000, min_rounds=6, max_rounds=40, rungs=8, narrow=0.02, max_n=16384)
FINE = Coarseness(quantum_us=0.05, floor_us=3.0)

Cost = Callable[[int], float]


def climbed(cost: Cost, target_us: float, limits: Limits = LIMITS) -> list[tuple[int, float]]:
    steps: list[tuple[int, float]] = []
    n: int | None = 1
    while n is not None:
        steps.append((n, cost(n)))
        n = next_climb(n, cost(n), target_us, limits)
    return steps


def line(n: int) -> float:
    return 90 + 25 * n


def test_the_target_dwarfs_clock_and_wait_within_the_cap() -> None:
    assert target_span(FINE, LIMITS) == 40_000
    assert target_span(Coarseness(1000, 3), LIMITS) == 100_000
    assert target_span(Coarseness(5, 10_000), LIMITS) == 80_000
    assert target_span(Coarseness(5, 100_000), LIMITS) == LIMITS.cap_us


def test_the_climb_ends_at_the_target_at_the_largest_n_and_before_the_cap() -> None:
    assert [n for n, _ in climbed(line, 40_000)][-1] == 2048
    assert climbed(line, 40_000, replace(LIMITS, max_n=100))[-1][0] == 100
    assert climbed(lambda n: 100_000 * n, 250_000)[-1][0] == 2


@pytest.mark.parametrize("max_n", [1, 3, 8, 64, 512, 16384])
def test_rungs_ascend_within_bounds_and_hold_the_papers(max_n: int) -> None:
    limits = replace(LIMITS, max_n=max_n)
    rungs, n_low = choose_rungs(climbed(line, 40_000, limits), 40_000, FINE, limits)
    assert rungs == sorted(set(rungs))
    assert rungs[0] >= 1
    assert rungs[-1] <= max_n
    assert n_low in rungs
    assert (PAPER_N in rungs) == (max_n >= PAPER_N)


def test_useful_spans_are_no_shorter_than_what_an_interrupt_would_hide() -> None:
    rungs, n_low = choose_rungs(climbed(lambda n: 0.05 * n, 40_000), 40_000, FINE, LIMITS)
    assert 0.05 * n_low >= 100
    assert rungs[-1] == LIMITS.max_n


def test_the_order_of_rounds_is_the_seeds() -> None:
    def orders(seed: int) -> list[list[int]]:
        rng, rounds = random.Random(seed), Rounds(list(range(1, 12)), 1, FINE)
        return [rounds.order(rng) for _ in range(3)]

    assert orders(7) == orders(7) != orders(8)
    assert len({tuple(order) for order in orders(7)}) == 3
    assert all(sorted(order) == list(range(1, 12)) for order in orders(7))


RUNGS = [1, 10, 25, 50, 100, 200, 400, 800]


def filled(cost: Cost, count: int, noise: float = 0.0, coarse: Coarseness = FINE) -> Rounds:
    rounds, rng = Rounds(RUNGS, 25, coarse), random.Random(1)
    for _ in range(count):
        rounds.add({n: cost(n) * (1 + rng.gauss(0, noise)) for n in RUNGS})
    return rounds


def bent(n: int) -> float:
    return line(min(n, 400)) + 40 * max(0, n - 400)


def test_a_bend_is_seen_when_it_repeats_and_the_ladder_stays_below_it() -> None:
    assert filled(bent, 4).bend() is None
    rounds = filled(bent, 5)
    assert rounds.bend() == 800
    rounds.drop_from(800)
    assert rounds.rungs[-1] == 400
    assert rounds.bend() is None


def test_no_bend_in_a_line_in_noise_or_within_the_wait() -> None:
    assert filled(line, 20).bend() is None
    assert filled(line, 20, noise=0.05).bend() is None
    assert filled(lambda n: line(n) + 3000 * (n >= 800), 20).bend() == 800
    assert filled(lambda n: line(n) + 3000 * (n >= 800), 20, coarse=Coarseness(5, 4000)).bend() is None


def test_why_a_ladder_stops() -> None:
    quick, slow = LIMITS.budget_us / 2, LIMITS.budget_us
    assert filled(line, 5).stop(quick, LIMITS) is None
    assert filled(line, 6).stop(quick, LIMITS) == "narrow"
    assert filled(line, 6, noise=0.3).stop(quick, LIMITS) is None
    assert filled(line, 6, noise=0.3).stop(slow, LIMITS) == "budget"
    assert filled(line, 3).stop(2 * slow, LIMITS) == "budget"
    assert filled(line, 2).stop(2 * slow, LIMITS) is None
    assert filled(line, 40, noise=0.3).stop(quick, LIMITS) == "rounds"
    assert filled(lambda n: 100.0, 6).stop(quick, LIMITS) is None


def test_a_slope_needs_two_points() -> None:
    assert round_slope([(1, 3.0), (3, 7.0), (2, 50.0)]) == 2.0
    assert math.isnan(round_slope([(1, 3.0)]))


SCRIPT = """
import { Rounds, chooseRungs, nextClimb, targetSpan } from './web/core/plan.js';
let text = '';
for await (const chunk of process.stdin) text += chunk;
const answers = JSON.parse(text).map(({ coarse, limits, steps, rounds }) => {
  const target = targetSpan(coarse, limits);
  const climbs = steps.map(([n, span_us]) => nextClimb({ n, span_us }, target, limits));
  const chosen = chooseRungs(steps.map(([n, span_us]) => ({ n, span_us })), target, coarse, limits);
  const seen = new Rounds(chosen.rungs, chosen.n_low, coarse);
  const said = rounds.map((factor) => {
    seen.add(chosen.rungs.map((n) => ({ n, done_us: steps[0][1] + factor * n ** 1.2 })));
    return [seen.bend(), seen.stop(limits.budget_us / 2, limits)];
  });
  return [target, climbs, chosen.rungs, chosen.n_low, said];
});
console.log(JSON.stringify(answers));
"""


def ours(coarse: Coarseness, limits: Limits, steps: list[tuple[int, float]], factors: list[float]) -> list[Any]:
    target = target_span(coarse, limits)
    rungs, n_low = choose_rungs(steps, target, coarse, limits)
    rounds, said = Rounds(rungs, n_low, coarse), []
    for factor in factors:
        rounds.add({n: steps[0][1] + factor * n**1.2 for n in rungs})
        said.append([rounds.bend(), rounds.stop(limits.budget_us / 2, limits)])
    return [target, [next_climb(n, span, target, limits) for n, span in steps], rungs, n_low, said]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_page_plans_the_same() -> None:
    rng, questions, expected = random.Random(4), [], []
    for _ in range(200):
        # A wait from which on both have the same least span: natively there is one more.
        coarse = Coarseness(rng.choice([0.1, 5, 100, 1000]), 50 * 10 ** rng.uniform(0, 3))
        limits = replace(LIMITS, max_n=rng.choice([8, 512, 16384]), rungs=rng.choice([5, 8, 10]))
        base, slope = coarse.floor_us * rng.uniform(1, 3), 10 ** rng.uniform(-1, 4)
        steps = climbed(lambda n, base=base, slope=slope: base + slope * n, target_span(coarse, limits), limits)
        factors = [slope * rng.uniform(0.97, 1.03) for _ in range(8)]
        questions.append({"coarse": asdict(coarse), "limits": asdict(limits), "steps": steps, "rounds": factors})
        expected.append(ours(coarse, limits, steps, factors))
    done = subprocess.run(
        ["node", "--input-type=module", "-e", SCRIPT],
        cwd=ROOT,
        input=json.dumps(questions),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    answers = json.loads(done.stdout)
    assert [answer[1:] for answer in answers] == [answer[1:] for answer in expected]
    assert [answer[0] for answer in answers] == pytest.approx([answer[0] for answer in expected])
