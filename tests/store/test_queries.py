from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from dispatchmark.contract.receipt import Estimate
from dispatchmark.contract.submission import RunStart, SweepStart
from dispatchmark.store import queries
from dispatchmark.store.session import Store, open_store
from tests.ingest.documents import environment, ladder, run_start, sweep_start

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(f"sqlite:///{tmp_path}/store.db")
    yield store
    store.close()


def key(number: int) -> str:
    return f"{number:032x}"


def add_runs(store: Store, *minutes: int, sweep_id: str | None = None) -> None:
    with store.writing() as session:
        for number, minute in enumerate(minutes):
            start = RunStart.model_validate(run_start(key(number), sweep_id=sweep_id, position=len(minutes) - number))
            queries.insert_run(session, start, NOON + timedelta(minutes=minute))


def test_runs_are_listed_newest_first_page_by_page_also_where_moments_tie(store: Store) -> None:
    add_runs(store, 0, 5, 5, 5, 3)
    with store.reading() as session:
        listed: list[str] = []
        before: str | None = None
        while page := queries.runs(session, limit=2, before=before):
            listed += [row.run_id for row in page]
            before = listed[-1]
    assert listed == [key(number) for number in (3, 2, 1, 4, 0)]


def test_a_page_after_an_unknown_run_or_sweep_is_empty(store: Store) -> None:
    add_runs(store, 0)
    with store.reading() as session:
        assert queries.runs(session, before=key(99)) == []
        assert queries.sweeps(session, before=key(99)) == []


def test_runs_of_a_sweep_come_in_their_order_and_are_counted(store: Store) -> None:
    with store.writing() as session:
        queries.insert_sweep(session, SweepStart.model_validate(sweep_start(key(77))), NOON)
        queries.insert_sweep(session, SweepStart.model_validate(sweep_start(key(78))), NOON)
    add_runs(store, 0, 1, 2, sweep_id=key(77))
    with store.reading() as session:
        assert [row.run_id for row in queries.runs_of_sweep(session, key(77))] == [key(2), key(1), key(0)]
        assert queries.runs_per_sweep(session, [key(77), key(78)]) == {key(77): 3}
        assert [row.sweep_id for row in queries.sweeps(session)] == [key(78), key(77)]
        assert len(queries.runs(session, sweep_id=key(77))) == 3
        assert queries.runs(session, sweep_id=key(78)) == []


def test_moments_come_back_in_utc(store: Store) -> None:
    moment = datetime(2026, 1, 1, 14, tzinfo=timezone(timedelta(hours=2)))
    with store.writing() as session:
        queries.insert_run(session, RunStart.model_validate(run_start()), moment)
    with store.reading() as session:
        row = queries.runs(session)[0]
    assert row.received_at == NOON
    assert row.received_at.tzinfo is UTC


def test_parts_come_back_as_they_were_in_their_order(store: Store) -> None:
    add_runs(store, 0)
    sent = [queries.PART.validate_python(one) for one in (ladder(3, 25.0), environment(0))]
    with store.writing() as session:
        for part in sent:
            queries.insert_part(session, key(0), part, "ladder", NOON)
    with store.reading() as session:
        assert queries.parts(session, key(0)) == [sent[1], sent[0]]
        assert queries.last_case(session, key(0)) == "submit/f32/chained"
        assert queries.parts(session, key(5)) == []
        assert queries.last_case(session, key(5)) is None


def test_estimates_are_replaced_as_a_whole_and_come_back_equal(store: Store) -> None:
    add_runs(store, 0, 1)
    resolved = Estimate(
        case_id="submit/f32/chained", wait="done", verdict="resolved", slope_us=24.5, n_low=1, n_high=1000, spans=9
    )
    unresolved = Estimate(case_id="a", label="x", repeat=True, wait="map", verdict="unresolved", reason="poll")
    with store.writing() as session:
        queries.replace_estimates(session, key(0), [unresolved, unresolved, resolved])
        queries.replace_estimates(session, key(0), [resolved, unresolved])
    with store.reading() as session:
        assert queries.estimates(session, [key(0), key(1)]) == {key(0): [resolved, unresolved], key(1): []}
