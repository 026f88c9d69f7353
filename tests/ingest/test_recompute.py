import sqlite3

import pytest

from dispatchmark.config import Settings
from dispatchmark.contract.submission import RunStart, Submission
from dispatchmark.ingest.recompute import Recomputed, recompute
from dispatchmark.ingest.service import Ingest
from dispatchmark.store import queries
from tests.ingest import documents

RAW = (
    "SELECT run_id, sequence, document, digest, received_at FROM part ORDER BY run_id, sequence",
    "SELECT run_id, start, start_digest, finish, environment, status, reason, received_at, finished_at FROM run",
)


def raw(settings: Settings) -> list[object]:
    connection = sqlite3.connect(settings.database)
    found = [row for query in RAW for row in connection.execute(query)]
    connection.close()
    return found


@pytest.fixture
def run_ids(ingest: Ingest) -> list[str]:
    """Two closed runs and one that is still open."""
    ids = [f"{number:032x}" for number in (1, 2)]
    for run_id in ids:
        ingest.submit(Submission.model_validate(documents.submission(run_id)))
    ingest.open_run(RunStart.model_validate(documents.run_start(f"{3:032x}")))
    return ids


def test_recomputing_without_a_change_changes_nothing(ingest: Ingest, settings: Settings, run_ids: list[str]) -> None:
    before, reports = raw(settings), [ingest.report(run_id) for run_id in run_ids]
    assert recompute(ingest) == [Recomputed(run_id, "accepted", "accepted", 0) for run_id in run_ids]
    assert raw(settings) == before
    assert [ingest.report(run_id) for run_id in run_ids] == reports


def test_figures_of_another_estimator_are_replaced_and_raw_documents_are_not(
    ingest: Ingest, settings: Settings, run_ids: list[str]
) -> None:
    before, report = raw(settings), ingest.report(run_ids[1])
    with ingest.store.writing() as session:
        old = [one.model_copy(update={"slope_us": 1.0, "estimator_version": "0"}) for one in report.estimates]
        queries.replace_estimates(session, run_ids[1], old)
    assert recompute(ingest) == [
        Recomputed(run_ids[0], "accepted", "accepted", 0),
        Recomputed(run_ids[1], "accepted", "accepted", 2),
    ]
    assert ingest.report(run_ids[1]) == report
    assert raw(settings) == before


def test_a_stricter_rule_judges_stored_runs_anew(ingest: Ingest, run_ids: list[str]) -> None:
    strict = Ingest(ingest.store, ingest.settings.model_copy(update={"carryover_limit": 1.0000001}), now=ingest.now)
    assert {one.verdict for one in recompute(strict)} == {"disturbed"}
    assert "repeated last" in ingest.report(run_ids[0]).verdict_reasons[0]


def test_progress_is_told_after_every_run_and_chosen_runs_are_enough(ingest: Ingest, run_ids: list[str]) -> None:
    told: list[tuple[int, int, str]] = []
    recompute(ingest, progress=lambda done, of, one: told.append((done, of, one.run_id)))
    assert told == [(1, 2, run_ids[0]), (2, 2, run_ids[1])]
    assert [one.run_id for one in recompute(ingest, [run_ids[1]])] == [run_ids[1]]


def test_open_and_unknown_runs_are_passed_over(ingest: Ingest, run_ids: list[str]) -> None:
    assert recompute(ingest, [f"{3:032x}", f"{9:032x}"]) == []
    assert ingest.progress(f"{3:032x}").status == "running"


def test_a_run_of_a_case_that_is_no_more_is_recomputed_all_the_same(ingest: Ingest, run_ids: list[str]) -> None:
    # A later suite without this run's cases: what they were is stored with the parts.
    ingest._suite = ingest._suite.model_copy(update={"cases": [], "suites": {}})
    assert recompute(ingest, run_ids[:1]) == [Recomputed(run_ids[0], "accepted", "accepted", 0)]
