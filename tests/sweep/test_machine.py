import pytest

from dispatchmark.sweep.machine import busy, describe, facts_hash


def test_this_machine_is_described_with_facts_that_stay() -> None:
    first, second = describe("bench-1"), describe("bench-1")
    assert first == second
    assert first.name == "bench-1"
    assert first.cores is not None
    assert first.os
    assert first.facts_hash == describe("another name").facts_hash


def test_each_fact_changes_the_hash_and_the_order_of_gpus_does_not() -> None:
    facts = ("CPU", 8, ["A", "B"], "Debian GNU/Linux 12")
    others = [("CPU 2", *facts[1:]), ("CPU", 9, *facts[2:]), (*facts[:2], ["A"], facts[3]), (*facts[:3], "13")]
    assert len({facts_hash(*facts), *(facts_hash(*other) for other in others)}) == 5
    assert facts_hash("CPU", 8, ["B", "A"], "Debian GNU/Linux 12") == facts_hash(*facts)


@pytest.mark.parametrize(
    ("load", "cores", "says"), [(1.0, 2, False), (1.1, 2, True), (0.4, None, False), (3.0, 64, False)]
)
def test_a_machine_at_work_is_called_busy(load: float, cores: int | None, says: bool) -> None:
    assert (busy(load, cores) is not None) is says
