from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from dispatchmark.dashboard.views import EACH_DISPATCH, RunView, run_view
from dispatchmark.store import queries
from tests.dashboard import stored
from tests.ingest import documents
from tests.ingest.documents import RUN_ID

View = Callable[[list[dict[str, Any]]], RunView]


@pytest.fixture
def view(client: TestClient) -> View:
    """Makes the view of a run of these parts."""

    def made(parts: list[dict[str, Any]]) -> RunView:
        stored.run(client, parts=parts)
        with client.app.state.store.reading() as session:  # type: ignore[attr-defined]
            run = queries.run(session, RUN_ID)
            assert run is not None
            return run_view(run, queries.parts(session, RUN_ID), queries.estimates(session, [RUN_ID])[RUN_ID])

    return made


def polled(sequence: int) -> dict[str, Any]:
    samples = [documents.sample(n, 100_000.0 + rep, rep) for rep in range(12) for n in documents.LADDER]
    return documents.case(sequence, "submit/f32/chained", samples)


def test_a_run_is_known_by_the_reference_case_even_where_another_resolves(view: View) -> None:
    found = view([documents.environment(), documents.ladder(1, 4.0, case_id="dispatches/f32/chained"), polled(2)])
    assert found.main is not None
    assert (found.main.estimate.case_id, found.main.estimate.verdict) == ("submit/f32/chained", "unresolved")
    assert [one.estimate.case_id for one in found.ladders] == ["dispatches/f32/chained", "submit/f32/chained"]


def test_a_run_without_the_reference_case_is_known_by_its_first_ladder(view: View) -> None:
    found = view([documents.environment(), documents.ladder(1, 4.0, case_id="dispatches/f32/chained")])
    assert found.main is not None
    assert found.main.estimate.case_id == "dispatches/f32/chained"


def test_a_run_that_measured_nothing_has_no_figure(view: View) -> None:
    found = view([documents.environment()])
    assert (found.main, found.ladders, found.phase_total_us) == (None, [], None)
    assert found.phases == found.traces == ""


def test_the_papers_figure_is_set_against_the_marginal_cost(view: View) -> None:
    found = view([documents.environment(), documents.ladder(1, 10.0, wait_us=1000.0)])
    assert found.main is not None
    # T(100) / 100 is 10 + 1000 / 100.
    assert found.main.overstated == pytest.approx(2.0, rel=0.05)


def test_the_calls_of_a_dispatch_add_up_without_what_is_beside_them(view: View) -> None:
    found = view([documents.environment(), stored.phases(1)])
    assert found.phase_total_us == pytest.approx(32.0, rel=0.01)
    assert {name for name, _ in found.phase_rows} == EACH_DISPATCH | {"create_bind_group"}
    assert found.ladders == []


def test_a_sum_that_lacks_a_call_is_not_shown(view: View) -> None:
    part = stored.phases(1)
    part["series"] = [one for one in part["series"] if one["label"] != "submit"]
    assert view([documents.environment(), part]).phase_total_us is None


def test_controls_and_conditions_are_text_with_units(view: View) -> None:
    parts = stored.everything()
    found = view(parts)
    clock, wait = (control for control in found.controls)
    assert clock.case_id == "control/clock"
    assert sorted(clock.readings) == [("monotonic", "yes"), ("quantum", "5.00 µs")]
    assert ("poll", "–") in wait.readings
    tables = dict(found.conditions)
    assert ("architecture", "hopper") in tables["Adapter"]
    assert ("isolated", "yes") in tables["Page"]
    assert [(one.case_id, one.status) for one in found.unmeasured] == [("naive/f16", "unsupported")]


def test_series_of_one_case_are_told_apart(view: View) -> None:
    carryover = documents.case(
        1,
        "carryover/f32",
        series=[
            documents.ladder(1, cost)["series"][0] | {"label": label}
            for label, cost in (("before", 10.0), ("after", 50.0))
        ],
    )
    found = view([documents.environment(), carryover])
    assert [one.title for one in found.ladders] == ["carryover/f32 · before", "carryover/f32 · after"]
    assert [round(one.estimate.slope_us or 0) for one in found.ladders] == [10, 50]
    assert len({one.anchor for one in found.ladders}) == 2
    assert found.ladders[0].chart != found.ladders[1].chart
