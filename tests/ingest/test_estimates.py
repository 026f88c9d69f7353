from typing import Any

import numpy as np
import pytest

from dispatchmark.contract.base import WaitMode
from dispatchmark.contract.receipt import Estimate
from dispatchmark.contract.submission import Sample
from dispatchmark.contract.suite import load
from dispatchmark.ingest.estimates import cells, estimates, spans
from dispatchmark.ingest.readings import Readings
from dispatchmark.stats.spans import tabulate
from dispatchmark.store import queries
from tests.ingest import documents

FINE = Readings(quantum_us=5.0, wait_mode=WaitMode.DONE, floors_us={WaitMode.DONE: 90.0})


def estimated(*parts: dict[str, Any], readings: Readings = FINE, seed: int = 1) -> list[Estimate]:
    parsed = [queries.PART.validate_python(part) for part in parts]
    kinds = {part["sequence"]: load().case(part["case_id"]).kind.value for part in parts if part["kind"] == "case"}
    return estimates(parsed, kinds, readings, seed)


def samples_of(slope_us: float, **changes: Any) -> list[dict[str, Any]]:
    return [one | changes for one in documents.ladder(1, slope_us)["series"][0]["samples"]]


def test_every_series_has_its_own_estimate_in_order() -> None:
    labelled = documents.case(2, "carryover/f32") | {
        "series": [
            {"label": "before", "samples": samples_of(36.0)},
            {"label": "after", "samples": samples_of(180.0)},
            {"label": "new device", "samples": samples_of(38.0)},
        ]
    }
    found = estimated(documents.environment(), documents.ladder(1, 25.0), labelled)
    assert [(one.case_id, one.label) for one in found] == [
        ("submit/f32/chained", None),
        ("carryover/f32", "before"),
        ("carryover/f32", "after"),
        ("carryover/f32", "new device"),
    ]
    assert [one.slope_us for one in found] == pytest.approx([25.0, 36.0, 180.0, 38.0], rel=0.03)


def test_wait_modes_are_never_mixed() -> None:
    mixed = documents.case(1, "submit/f32/chained", samples_of(25.0) + samples_of(70.0, wait="nudged"))
    done, nudged = estimated(mixed)
    assert (done.wait, nudged.wait) == ("done", "nudged")
    assert done.slope_us == pytest.approx(25.0, rel=0.03)
    assert nudged.slope_us == pytest.approx(70.0, rel=0.03)


def test_phases_are_not_measured_against_a_wait_that_they_do_not_have() -> None:
    polling = Readings(quantum_us=5.0, wait_mode=WaitMode.DONE, floors_us={WaitMode.DONE: 100_000.0}, poll_us=100_000.0)
    random = np.random.default_rng(3)
    calls = [
        documents.sample(n, done_us, rep, encoded_us=done_us)
        for rep in range(12)
        for n in (128, 256, 512)
        for done_us in [6.45 * n * float(random.normal(1.0, 0.01))]
    ]
    phases = documents.case(1, "phases/f32") | {"series": [{"label": "encoder", "samples": calls}]}
    (found,) = estimated(phases, readings=polling)
    assert (found.label, found.verdict) == ("encoder", "resolved")
    assert found.slope_us == pytest.approx(6.45, rel=0.03)


def test_a_ladder_below_the_poll_is_unresolved() -> None:
    polling = Readings(
        quantum_us=20.0, wait_mode=WaitMode.DONE, floors_us={WaitMode.DONE: 100_000.0}, poll_us=100_000.0
    )
    flat = [documents.sample(n, 100_000.0 + rep, rep) for rep in range(12) for n in documents.LADDER]
    (found,) = estimated(documents.case(1, "submit/f32/chained", flat), readings=polling)
    assert (found.verdict, found.reason, found.slope_us) == ("unresolved", "poll", None)


def test_what_has_no_ladder_has_no_estimate() -> None:
    naive = documents.case(1, "naive/f32", [documents.sample(1, 100.0)] * 9)
    trace = documents.case(2, "submit-trace/f32", [documents.sample(100, 2500.0, stamps_us=[1.0])])
    wait = documents.case(3, "control/wait", [documents.sample(0, 90.0)] * 9)
    skipped = documents.case(4, "submit/f16/chained", status="unsupported")
    assert estimated(naive, trace, wait, skipped) == []


def test_spans_scattered_over_a_vast_table_are_no_ladder_and_cost_no_memory() -> None:
    scattered = [documents.sample(number + 1, 100.0, number) for number in range(2000)]
    (found,) = estimated(documents.case(1, "submit/f32/chained", scattered))
    assert (found.verdict, found.reason, found.spans) == ("unresolved", "too few", 2000)
    assert "4000000 places" in found.detail
    assert found.estimator_version


@pytest.mark.parametrize(
    ("ns_by_rep", "expected"),
    [
        ([[1, 2, 5]] * 4, 12),
        ([[1, 2, 5], [1]], 6),
        ([[1, 1, 1, 2]], 6),
        ([[1, 1], [1, 2, 2, 2], [5]], 18),
    ],
)
def test_cells_are_those_of_the_table_that_stats_makes(ns_by_rep: list[list[int]], expected: int) -> None:
    samples = [documents.sample(n, 9.0, rep) for rep, ns in enumerate(ns_by_rep) for n in ns]
    read = [Sample.model_validate(sample) for sample in samples]
    assert cells(read) == expected
    arrays = spans(read)
    assert tabulate(arrays.n, arrays.rep, arrays.done_us).span_us.size == expected


def test_the_same_parts_and_seed_give_the_same_figures() -> None:
    ladder = documents.ladder(1, 25.0)
    assert estimated(ladder) == estimated(ladder)
    assert estimated(documents.environment(), ladder) == estimated(ladder)


def test_gpu_times_are_used_only_where_every_span_has_one() -> None:
    part = queries.PART.validate_python(
        documents.case(1, "naive/f32", [documents.sample(1, 9.0, gpu_us=2.0), documents.sample(1, 9.0)])
    )
    assert part.kind == "case"
    both = part.series[0].samples
    assert spans(both).gpu_us is None
    assert np.array_equal(spans(both[:1]).gpu_us, [2.0])
    assert spans(both).n.dtype.kind == "i"


def test_what_the_paper_would_report_is_taken_from_plain_waits() -> None:
    """A nudged ladder keeps its own slope; total/100 is that of the few plain waits, which end on the poll."""
    plain = [documents.sample(100, done_us, rep, wait="done") for rep, done_us in enumerate((99_000, 100_000, 101_000))]
    nudged = documents.case(1, "submit/f32/chained") | {
        "series": [{"samples": samples_of(25.0, wait="nudged")}, {"label": "done", "samples": plain}]
    }
    (found,) = estimated(nudged)
    assert found.wait == "nudged"
    assert found.slope_us == pytest.approx(25.0, rel=0.03)
    assert found.total_over_100_us == 1000.0
