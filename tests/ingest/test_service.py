from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from dispatchmark.contract.receipt import RunReport
from dispatchmark.contract.submission import Finish, RunStart, Submission, SweepStart
from dispatchmark.ingest.errors import Conflict, Malformed, NotFound, OutOfDate, TooLarge
from dispatchmark.ingest.service import Ingest
from dispatchmark.store import queries
from dispatchmark.store.tables import RunRow
from tests.ingest import documents
from tests.ingest.conftest import Clock
from tests.ingest.documents import RUN_ID

CHROME_IN_WORDS = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.1.2 Safari/537.36"


def open_run(ingest: Ingest, **changes: Any) -> None:
    ingest.open_run(RunStart.model_validate(documents.run_start(**changes)))


def add(ingest: Ingest, *parts: dict[str, Any]) -> None:
    for part in parts:
        ingest.add_part(RUN_ID, queries.PART.validate_python(part))


def finish(ingest: Ingest, count: int, status: str = "finished", **changes: Any) -> RunReport:
    return ingest.finish_run(RUN_ID, Finish.model_validate(documents.finish(count, status, **changes)))


def stored_run(ingest: Ingest) -> RunRow:
    with ingest.store.reading() as session:
        run = queries.run(session, RUN_ID)
    assert run is not None
    return run


def stored_sequences(ingest: Ingest) -> list[int]:
    with ingest.store.reading() as session:
        return [part.sequence for part in queries.part_rows(session, RUN_ID)]


def test_a_sound_run_is_accepted_with_the_cost_that_was_planted(ingest: Ingest) -> None:
    open_run(ingest)
    add(ingest, *documents.parts(slope_us=25.0))
    report = finish(ingest, 6)
    assert (report.status, report.verdict, report.verdict_reasons) == ("finished", "accepted", [])
    assert report.naive_us == 130.0
    assert report.wait_us == 90.0
    assert report.carryover_ratio == pytest.approx(1.0, rel=0.03)
    first, again = report.estimates
    assert (first.case_id, first.repeat, again.repeat) == ("submit/f32/chained", False, True)
    assert first.verdict == "resolved"
    assert first.slope_us == pytest.approx(25.0, rel=0.02)
    assert first.estimator_version
    run = stored_run(ingest)
    assert (run.wait_mode, run.software, run.adapter_label) == ("done", False, "nvidia hopper")


def test_the_same_start_or_part_again_is_stored_once_and_answered_the_same(ingest: Ingest) -> None:
    start = RunStart.model_validate(documents.run_start())
    first, again = ingest.open_run(start), ingest.open_run(start)
    assert (first.duplicate, again.duplicate) == (False, True)
    part = queries.PART.validate_python(documents.environment())
    first, again = ingest.add_part(RUN_ID, part), ingest.add_part(RUN_ID, part)
    assert again == first.model_copy(update={"duplicate": True})
    assert stored_sequences(ingest) == [0]


def test_another_start_or_part_in_the_same_place_is_a_conflict(ingest: Ingest) -> None:
    open_run(ingest)
    with pytest.raises(Conflict, match="other content"):
        open_run(ingest, seed=99)
    add(ingest, documents.environment())
    with pytest.raises(Conflict, match=r"part 0 .* other content"):
        add(ingest, documents.control(0, "control/clock"))


def test_identical_parts_from_many_threads_are_stored_once(ingest: Ingest) -> None:
    open_run(ingest)
    part = queries.PART.validate_python(documents.ladder(1, 25.0))
    with ThreadPoolExecutor(8) as pool:
        receipts = list(pool.map(lambda _: ingest.add_part(RUN_ID, part), range(24)))
    assert sorted(receipt.duplicate for receipt in receipts) == [False] + [True] * 23
    assert {receipt.model_copy(update={"duplicate": False}) for receipt in receipts} == {
        receipts[0].model_copy(update={"duplicate": False})
    }
    assert stored_sequences(ingest) == [1]
    assert stored_run(ingest).parts_count == 1


def test_different_parts_from_many_threads_are_all_stored(ingest: Ingest) -> None:
    open_run(ingest)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: add(ingest, documents.control(number, "control/clock")), range(24)))
    assert stored_sequences(ingest) == list(range(24))
    assert stored_run(ingest).parts_count == 24


def test_one_of_two_different_parts_in_the_same_place_wins(ingest: Ingest) -> None:
    open_run(ingest)

    def send(value: float) -> str:
        try:
            add(ingest, documents.control(0, "control/clock", quantum_us=value))
        except Conflict:
            return "conflict"
        return "stored"

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(send, [float(value) for value in range(1, 17)]))
    assert sorted(answers) == ["conflict"] * 15 + ["stored"]


def test_parts_may_come_in_any_order(ingest: Ingest) -> None:
    open_run(ingest)
    add(ingest, *reversed(documents.parts()))
    report = finish(ingest, 6)
    assert (report.status, report.verdict) == ("finished", "accepted")
    assert stored_sequences(ingest) == list(range(6))


def test_a_missing_part_makes_the_run_partial_and_says_which(ingest: Ingest) -> None:
    open_run(ingest)
    add(ingest, *(part for part in documents.parts() if part["sequence"] not in (2, 4)))
    report = finish(ingest, 6)
    assert (report.status, report.reason) == ("partial", "2 of 6 parts did not arrive: 2, 4")
    assert report.estimates[0].slope_us == pytest.approx(25.0, rel=0.02)


def test_the_first_finish_stands(ingest: Ingest) -> None:
    open_run(ingest)
    add(ingest, *documents.parts())
    first = finish(ingest, 6)
    assert finish(ingest, 6) == first
    assert finish(ingest, 6, "failed", reason="too late") == first
    with pytest.raises(Conflict, match="takes no more parts"):
        add(ingest, documents.control(6, "control/clock"))
    add(ingest, documents.environment())


@pytest.mark.parametrize("status", ["unsupported", "unavailable", "failed", "cancelled", "partial"])
def test_a_run_that_measured_nothing_has_a_reason_and_no_verdict(ingest: Ingest, status: str) -> None:
    open_run(ingest)
    report = finish(ingest, 0, status, reason="no adapter")
    assert (report.status, report.reason, report.verdict, report.estimates) == (status, "no adapter", None, [])


def test_finishes_at_once_are_answered_alike(ingest: Ingest) -> None:
    open_run(ingest)
    add(ingest, *documents.parts())
    with ThreadPoolExecutor(4) as pool:
        reports = list(pool.map(lambda _: finish(ingest, 6), range(4)))
    assert reports == [reports[0]] * 4


def test_what_does_not_exist_is_not_found(ingest: Ingest) -> None:
    calls: list[Callable[[], object]] = [
        lambda: add(ingest, documents.environment()),
        lambda: finish(ingest, 0),
        lambda: ingest.progress(RUN_ID),
        lambda: ingest.report(RUN_ID),
        lambda: open_run(ingest, sweep_id=documents.SWEEP_ID),
    ]
    for call in calls:
        with pytest.raises(NotFound):
            call()


def test_another_suite_file_is_out_of_date(ingest: Ingest) -> None:
    other = {"name": "quick", "hash": "0" * 64}
    with pytest.raises(OutOfDate, match="reload the page"):
        open_run(ingest, suite=other)
    with pytest.raises(OutOfDate):
        ingest.open_sweep(SweepStart.model_validate(documents.sweep_start(suite=other)))


def test_an_unknown_suite_case_or_runtime_is_malformed(ingest: Ingest) -> None:
    with pytest.raises(Malformed, match="no suite endless; there are smoke, quick"):
        open_run(ingest, suite=documents.suite_ref("endless"))
    with pytest.raises(Malformed, match="names its runtime"):
        open_run(ingest, runtime=None)
    open_run(ingest)
    with pytest.raises(Malformed, match="no case submit/f99"):
        add(ingest, documents.case(1, "submit/f99"))
    assert stored_sequences(ingest) == []


def test_a_sweep_is_opened_once(ingest: Ingest) -> None:
    start = SweepStart.model_validate(documents.sweep_start())
    assert [ingest.open_sweep(start).duplicate for _ in range(2)] == [False, True]
    with pytest.raises(Conflict):
        ingest.open_sweep(start.model_copy(update={"seed": 5}))
    open_run(ingest, sweep_id=documents.SWEEP_ID)


def test_a_run_takes_as_many_parts_as_the_setting_says(ingest: Ingest) -> None:
    ingest.settings = ingest.settings.model_copy(update={"max_parts": 3})
    open_run(ingest)
    add(ingest, *(documents.control(number, "control/clock") for number in range(3)))
    with pytest.raises(TooLarge, match="has 3 parts"):
        add(ingest, documents.control(3, "control/clock"))
    add(ingest, documents.control(2, "control/clock"))
    assert stored_sequences(ingest) == [0, 1, 2]


def test_a_runs_parts_may_take_as_much_together_as_the_setting_says(ingest: Ingest) -> None:
    open_run(ingest)
    add(ingest, documents.ladder(0, 25.0))
    taken = stored_run(ingest).bytes_stored
    add(ingest, documents.ladder(0, 25.0))
    assert stored_run(ingest).bytes_stored == taken
    ingest.settings = ingest.settings.model_copy(update={"max_run_bytes": 2 * taken - 1})
    with pytest.raises(TooLarge, match="larger than"):
        add(ingest, documents.ladder(0, 25.0) | {"sequence": 1})
    assert (stored_sequences(ingest), stored_run(ingest).parts_count) == ([0], 1)
    ingest.settings = ingest.settings.model_copy(update={"max_run_bytes": 2 * taken})
    add(ingest, documents.ladder(0, 25.0) | {"sequence": 1})


def test_a_silent_run_is_closed_as_partial_by_who_looks_next(ingest: Ingest, clock: Clock) -> None:
    open_run(ingest)
    add(ingest, *documents.parts())
    clock.pass_seconds(60)
    assert ingest.close_silent() == 0
    assert ingest.progress(RUN_ID).seconds_since_last_part == 60
    clock.pass_seconds(1)
    report = ingest.report(RUN_ID)
    assert (report.status, report.verdict) == ("partial", "accepted")
    assert report.reason == "nothing came for 60 s, so the server closed it"
    assert report.estimates[0].slope_us == pytest.approx(25.0, rel=0.02)


def test_silent_runs_are_closed_when_nobody_looks(ingest: Ingest, clock: Clock) -> None:
    open_run(ingest)
    clock.pass_seconds(61)
    assert ingest.close_silent() == 1
    assert ingest.close_silent() == 0
    assert stored_run(ingest).status == "partial"


def test_a_run_closed_for_silence_opens_again_when_a_part_comes(ingest: Ingest, clock: Clock) -> None:
    open_run(ingest)
    *most, last = documents.parts()
    add(ingest, *most)
    clock.pass_seconds(61)
    assert ingest.progress(RUN_ID).status == "partial"
    add(ingest, last)
    assert ingest.progress(RUN_ID).status == "running"
    assert ingest.report(RUN_ID).estimates == []
    report = finish(ingest, 6)
    assert (report.status, report.reason, report.verdict) == ("finished", None, "accepted")


def test_a_late_finish_replaces_closing_for_silence(ingest: Ingest, clock: Clock) -> None:
    open_run(ingest)
    clock.pass_seconds(61)
    ingest.close_silent()
    assert finish(ingest, 0, "failed", reason="the browser died").reason == "the browser died"


def test_progress_counts_parts_and_names_the_last_case(ingest: Ingest, clock: Clock) -> None:
    open_run(ingest)
    assert ingest.progress(RUN_ID).last_case is None
    add(ingest, documents.environment(), documents.control(1, "control/clock"))
    clock.pass_seconds(7)
    progress = ingest.progress(RUN_ID)
    assert (progress.parts, progress.last_case, progress.seconds_since_last_part) == (2, "control/clock", 7)


def test_a_volunteers_runtime_is_read_from_the_user_agent(ingest: Ingest) -> None:
    ingest.open_run(RunStart.model_validate(documents.volunteer_start()))
    assert stored_run(ingest).runtime_name is None
    add(ingest, documents.environment(page={"user_agent": CHROME_IN_WORDS}))
    run = stored_run(ingest)
    assert (run.runtime_name, run.runtime_version) == ("chromium", "156.0.1.2")


def test_a_lab_run_keeps_its_runtime_and_takes_a_missing_version(ingest: Ingest) -> None:
    open_run(ingest, runtime={"name": "wgpu"})
    add(ingest, documents.environment(runtime_version="0.32.0"))
    run = stored_run(ingest)
    assert (run.runtime_name, run.runtime_version) == ("wgpu", "0.32.0")


def test_a_whole_run_at_once_equals_one_sent_in_parts(ingest: Ingest) -> None:
    submission = Submission.model_validate(documents.submission())
    whole = ingest.submit(submission)
    assert ingest.submit(submission) == whole
    other = f"{2:032x}"
    open_run(ingest, run_id=other)
    for part in submission.parts:
        ingest.add_part(other, part)
    in_parts = ingest.finish_run(other, submission.finish)
    assert in_parts.model_copy(update={"run_id": RUN_ID}) == whole


def test_a_submission_completes_a_run_that_was_cut_short(ingest: Ingest) -> None:
    submission = Submission.model_validate(documents.submission())
    ingest.open_run(submission.start)
    ingest.add_part(RUN_ID, submission.parts[3])
    assert ingest.submit(submission).status == "finished"
    assert stored_sequences(ingest) == list(range(6))


def test_nothing_of_a_submission_with_one_bad_part_is_stored(ingest: Ingest) -> None:
    document = documents.submission()
    document["parts"][5]["case_id"] = "submit/f99"
    with pytest.raises(Malformed):
        ingest.submit(Submission.model_validate(document))
    with ingest.store.reading() as session:
        assert queries.run(session, RUN_ID) is None
        assert queries.part_rows(session, RUN_ID) == []
