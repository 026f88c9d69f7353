"""The order of a sweep's runs. Pure: the seed decides."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from dispatchmark.contract.base import RuntimeName


@dataclass(frozen=True, slots=True)
class Slot:
    """One run to come: its place in the sweep, the round it belongs to, and the runtime."""

    position: int
    round: int
    runtime: RuntimeName


def plan(runtimes: Sequence[RuntimeName], runs: int, seed: int, *, first: int = 0) -> list[Slot]:
    """`runs` rounds in which every runtime has one run, in an order drawn anew for each round.

    What drifts on the machine during a sweep, such as its temperature, then falls on all runtimes alike instead of on
    the one that happens to run late. `first` is the position of the first run.
    """
    random = Random(seed)
    slots: list[Slot] = []
    for number in range(runs):
        for runtime in random.sample(list(runtimes), len(runtimes)):
            slots.append(Slot(first + len(slots), number, runtime))
    return slots


def run_seed(seed: int, position: int) -> int:
    """The seed of one run: different for each, the same whenever the sweep's is. In [0, 2^32)."""
    return Random(f"{seed}/{position}").getrandbits(32)
