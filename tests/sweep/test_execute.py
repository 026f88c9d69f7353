import uuid
from datetime import UTC, datetime
from threading import Event

import pytest

from dispatchmark.client import Server
from dispatchmark.contract import suite
from dispatchmark.contract.base import RunStatus
from dispatchmark.contract.environment import Machine
from dispatchmark.contract.submission import SweepStart
from dispatchmark.runtimes.base import Job, Outcome
from dispatchmark.sweep.execute import Candidate, Ended, Order, execute, failures, parts_per_run, timeout_s
from tests.sweep.fakes import FakeDriver, Memory, candidate, finishes, missing, send_some


def order(*candidates: Candidate, runs: int = 2) -> Order:
    sweep = SweepStart(
        sweep_id=uuid.uuid4().hex,
        machine=Machine(name="bench-1"),
        suite=suite.reference("smoke"),
        created_at=datetime.now(UTC),
        seed=5,
    )
    return Order(sweep, candidates, runs)


def run(order: Order, server: Server, memory: Memory | None = None, stop: Event | None = None) -> list[Ended]:
    return execute(order, server, suite.load(), memory or Memory(), stop or Event())


def jobs(candidate: Candidate) -> list[Job]:
    assert isinstance(candidate.driver, FakeDriver)
    return candidate.driver.jobs


def test_every_run_is_stored_in_the_order_of_the_plan(server: Server) -> None:
    memory = Memory()
    asked = order(candidate("wgpu"), candidate("dawn"), runs=3)
    ended = run(asked, server, memory)
    assert failures(ended) == []
    stored = server.sweep(asked.sweep.sweep_id).runs
    assert [one.run_id for one in stored] == [one.run_id for one in ended]
    assert [one.position for one in stored] == list(range(6))
    assert [one.runtime.name for one in stored if one.runtime] == [slot.runtime for slot in memory.slots]
    assert {one.status for one in stored} == {RunStatus.FINISHED}
    assert memory.begun == list(range(6))
    assert memory.parts == [2] * 6
    assert memory.done == ended


def test_every_run_has_a_seed_of_its_own(server: Server) -> None:
    wgpu, dawn = candidate("wgpu"), candidate("dawn")
    run(order(wgpu, dawn, runs=3), server)
    assert len({job.start.seed for one in (wgpu, dawn) for job in jobs(one)}) == 6


def test_a_runtime_that_is_not_there_is_a_row_and_no_failure(server: Server) -> None:
    safari = missing("safari", "it is not installed.", "use a Mac")
    asked = order(safari, candidate("dawn"))
    ended = run(asked, server)
    assert failures(ended) == []
    assert jobs(safari) == []
    first = server.sweep(asked.sweep.sweep_id).runs[0]
    assert (first.status, first.reason) == (RunStatus.UNAVAILABLE, "it is not installed. use a Mac")
    assert len(ended) == 3


def explodes(job: Job, server: Server, stop: Event) -> Outcome:
    raise RuntimeError("boom")


def dies(job: Job, server: Server, stop: Event) -> Outcome:
    send_some(job, server)
    return Outcome(RunStatus.FAILED, "the browser ended")


def forgets(job: Job, server: Server, stop: Event) -> Outcome:
    send_some(job, server)
    return Outcome(RunStatus.FINISHED)


@pytest.mark.parametrize(
    ("behaviour", "status", "reason"),
    [
        (explodes, RunStatus.FAILED, "RuntimeError: boom"),
        (dies, RunStatus.FAILED, "the browser ended"),
        (forgets, RunStatus.PARTIAL, "the runtime ended without closing its run"),
    ],
)
def test_a_runtime_that_fails_is_a_row_and_the_sweep_goes_on(
    server: Server, behaviour: object, status: RunStatus, reason: str
) -> None:
    asked = order(candidate("firefox", behaviour), candidate("dawn"))  # type: ignore[arg-type]
    ended = run(asked, server)
    assert {one.slot.runtime for one in failures(ended)} == {"firefox"}
    assert len(failures(ended)) == 2
    stored = [one for one in server.sweep(asked.sweep.sweep_id).runs if one.runtime and one.runtime.name == "firefox"]
    assert {(one.status, one.reason) for one in stored} == {(status, reason)}
    assert sum(one.outcome.status is RunStatus.FINISHED for one in ended) == 2


def test_a_usable_runtime_that_turns_out_unavailable_is_a_failure(server: Server) -> None:
    def vanishes(job: Job, server: Server, stop: Event) -> Outcome:
        return Outcome(RunStatus.UNAVAILABLE, "it is not installed")

    ended = run(order(candidate("dawn", vanishes), runs=1), server)
    assert [one.outcome.status for one in failures(ended)] == [RunStatus.UNAVAILABLE]


def test_a_stop_keeps_the_run_in_progress_and_skips_the_rest(server: Server) -> None:
    stop = Event()

    def interrupted(job: Job, server: Server, stop: Event) -> Outcome:
        send_some(job, server)
        stop.set()
        return Outcome(RunStatus.CANCELLED, "stopped by the user")

    asked = order(candidate("wgpu", interrupted), candidate("dawn", interrupted), runs=5)
    (only,) = run(asked, server, stop=stop)
    assert only.outcome == Outcome(RunStatus.CANCELLED, "stopped by the user")
    (stored,) = server.sweep(asked.sweep.sweep_id).runs
    assert (stored.status, stored.parts) == (RunStatus.CANCELLED, 2)


def test_a_run_closed_by_its_driver_is_not_closed_twice(server: Server) -> None:
    def contradicts(job: Job, server: Server, stop: Event) -> Outcome:
        finishes(job, server, stop)
        return Outcome(RunStatus.FAILED, "the page was closed")

    (only,) = run(order(candidate("dawn", contradicts), runs=1), server)
    assert only.outcome == Outcome(RunStatus.FINISHED)


def test_a_run_has_more_time_than_its_suite_needs() -> None:
    known = suite.load()
    for name, one in known.suites.items():
        assert parts_per_run(known, name) == len(one.cases) + 2
        assert timeout_s(known, name) > 2 * len(one.cases) * one.case_budget_ms / 1000
