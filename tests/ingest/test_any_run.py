"""Whatever the contract lets through can be stored, closed, exported and recomputed: no content jams a run."""

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from dispatchmark.contract.base import MAX_N, MAX_SPAN_US
from dispatchmark.contract.suite import load
from dispatchmark.exports import csv_lines, json_pieces
from dispatchmark.ingest.recompute import recompute
from dispatchmark.ingest.service import Ingest
from dispatchmark.store import queries, reports
from tests.ingest import documents
from tests.ingest.test_service import add, finish, open_run

durations = st.floats(-MAX_SPAN_US, MAX_SPAN_US) | st.sampled_from([0.0, 100.0, 100_000.0])
samples = st.fixed_dictionaries(
    {
        "n": st.integers(0, MAX_N) | st.sampled_from(documents.LADDER),
        "rep": st.integers(0, 5),
        "wait": st.sampled_from(["done", "map", "nudged"]),
        "start_us": st.floats(0, 1e12),
        "encoded_us": durations,
        "done_us": durations,
    },
    optional={"gpu_us": durations | st.none(), "stamps_us": st.lists(durations, max_size=3)},
)
values = st.dictionaries(
    st.sampled_from(["quantum_us", "wait_mode", "poll_us", "floor_done_us", "floor_nudged_us", "monotonic"]),
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
)


@st.composite
def cases(draw: st.DrawFn) -> dict[str, Any]:
    labels = draw(st.lists(st.none() | st.text(min_size=1, max_size=9), max_size=3, unique=True))
    return {
        "kind": "case",
        "case_id": draw(st.sampled_from([case.id for case in load().cases])),
        "status": draw(st.sampled_from(["measured", "unsupported", "failed", "cancelled"])),
        "repeat": draw(st.booleans()),
        "verified": draw(st.none() | st.booleans()),
        "values": draw(values),
        "hidden_ms": draw(st.none() | st.floats(0, 1e9)),
        "series": [{"label": label, "samples": draw(st.lists(samples, max_size=12))} for label in labels],
    }


@given(measured=st.lists(cases(), max_size=4), status=st.sampled_from(["finished", "failed"]))
@settings(
    max_examples=60,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@pytest.mark.filterwarnings("error")
def test_any_run_can_be_closed(ingest: Ingest, measured: list[dict[str, Any]], status: str) -> None:
    with ingest.store.writing() as session:
        for table in ("estimate", "part", "run"):
            session.connection().exec_driver_sql(f"DELETE FROM {table}")
    open_run(ingest)
    add(ingest, *(case | {"sequence": sequence} for sequence, case in enumerate(measured)))
    report = finish(ingest, len(measured), status)
    assert report.status == status
    assert all((one.slope_us is not None) == (one.verdict == "resolved") for one in report.estimates)
    assert sum(one.changed for one in recompute(ingest)) == 0
    with ingest.store.reading() as session:
        run, rows = queries.run(session, report.run_id), queries.part_rows(session, report.run_id)
        assert run is not None
        assert len(reports.submission(run, queries.parts(session, report.run_id)).parts) == len(measured)
        spans = sum(len(series["samples"]) for case in measured for series in case["series"])
        assert len("".join(json_pieces(rows)).split(documents.RUN_ID)) - 1 == spans
        assert "".join(csv_lines(rows)).count(documents.RUN_ID) == spans
