from collections import Counter

import pytest

from dispatchmark.contract.base import RuntimeName
from dispatchmark.sweep.plan import plan, run_seed

RUNTIMES = [RuntimeName.CHROMIUM, RuntimeName.FIREFOX, RuntimeName.WGPU, RuntimeName.DAWN]


def test_every_round_has_every_runtime_once() -> None:
    slots = plan(RUNTIMES, 5, seed=3)
    for number in range(5):
        assert sorted(slot.runtime for slot in slots if slot.round == number) == sorted(RUNTIMES)
    assert [slot.round for slot in slots] == sorted(slot.round for slot in slots)


def test_positions_count_from_the_first_free_one() -> None:
    assert [slot.position for slot in plan(RUNTIMES, 2, seed=3, first=3)] == list(range(3, 11))


def test_the_seed_decides() -> None:
    assert plan(RUNTIMES, 6, seed=3) == plan(RUNTIMES, 6, seed=3)
    assert plan(RUNTIMES, 6, seed=3) != plan(RUNTIMES, 6, seed=4)


def test_no_runtime_has_a_place_of_its_own() -> None:
    slots = plan(RUNTIMES, 2000, seed=11)
    first = Counter(slots[place].runtime for place in range(0, len(slots), len(RUNTIMES)))
    assert set(first) == set(RUNTIMES)
    assert min(first.values()) > 400


@pytest.mark.parametrize(("runtimes", "runs"), [([], 3), (RUNTIMES, 0)])
def test_nothing_to_do_is_an_empty_plan(runtimes: list[RuntimeName], runs: int) -> None:
    assert plan(runtimes, runs, seed=1) == []


def test_run_seeds_differ_and_are_repeatable() -> None:
    seeds = [run_seed(7, position) for position in range(100)]
    assert seeds == [run_seed(7, position) for position in range(100)]
    assert len(set(seeds)) == 100
    assert all(0 <= seed < 2**32 for seed in seeds)
