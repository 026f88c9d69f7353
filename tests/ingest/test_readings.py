from typing import Any

import pytest

from dispatchmark.contract.base import WaitMode
from dispatchmark.contract.suite import load
from dispatchmark.ingest.readings import Readings, read
from dispatchmark.store import queries
from tests.ingest import documents

WAITS = {"floor_done_us": 100_000.0, "floor_map_us": 99_000.0, "floor_nudged_us": 300.0, "poll_us": 100_000.0}


def readings(*parts: dict[str, Any]) -> Readings:
    parsed = [queries.PART.validate_python(part) for part in parts]
    kinds = {part["sequence"]: load().case(part["case_id"]).kind.value for part in parts if part["kind"] == "case"}
    return read(parsed, kinds)


def test_a_run_without_controls_reads_nothing() -> None:
    assert readings(documents.environment()) == Readings()


@pytest.mark.parametrize(("mode", "wait_us"), [("done", 100_000.0), ("map", 99_000.0), ("nudged", 300.0)])
def test_the_wait_is_the_floor_of_the_mode_that_was_used(mode: str, wait_us: float) -> None:
    found = readings(documents.control(0, "control/wait", wait_mode=mode, **WAITS))
    assert (found.wait_mode, found.wait_us, found.poll_us) == (WaitMode(mode), wait_us, 100_000.0)


@pytest.mark.parametrize("mode", ["busy", None, 3, True])
def test_an_unknown_wait_mode_is_none(mode: object) -> None:
    found = readings(documents.control(0, "control/wait", wait_mode=mode, **WAITS))
    assert (found.wait_mode, found.wait_us) == (None, None)


@pytest.mark.parametrize(
    ("quantum", "read"),
    [
        (5, 5.0),
        (0.1, 0.1),
        (0, None),
        (-1.0, None),
        ("5", None),
        (True, None),
        (1e300, None),
        (10**400, None),
    ],
)
def test_a_quantum_is_a_positive_number(quantum: object, read: float | None) -> None:
    assert readings(documents.control(0, "control/clock", quantum_us=quantum)).quantum_us == read


def test_a_control_that_failed_says_nothing() -> None:
    clock = documents.control(0, "control/clock", quantum_us=5.0) | {"status": "failed"}
    assert readings(clock).quantum_us is None


def test_the_naive_figure_is_a_median_of_one_wait_mode_in_the_first_naive_case_that_measured() -> None:
    skipped = documents.case(0, "naive/f16", [], status="unsupported")
    samples = [documents.sample(1, done_us) for done_us in (10.0, 20.0, 900.0)]
    other = [documents.sample(1, 1.0, wait="map")] * 9
    later = documents.case(2, "naive/i32", [documents.sample(1, 5.0)])
    assert readings(skipped, documents.case(1, "naive/f32", samples + other), later).naive_us == 20.0
