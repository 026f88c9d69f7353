from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import pytest

from dispatchmark.client import ServerError
from dispatchmark.contract.base import RunStatus
from dispatchmark.contract.receipt import Progress, RunReport
from dispatchmark.contract.submission import Finish
from dispatchmark.runtimes import watch
from dispatchmark.runtimes.base import Outcome
from dispatchmark.runtimes.watch import GRACE_S, close_run, watch_run
from tests.runtimes.jobs import job

RUNNING, FINISHED = RunStatus.RUNNING, RunStatus.FINISHED


@dataclass
class Clock:
    """Time that passes only in pauses."""

    now: float = 100.0

    def monotonic(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.now += seconds


@dataclass
class FakeServer:
    """Answers progress as scripted, the last answer for ever, and remembers how the run was closed."""

    script: list[tuple[RunStatus, int, float] | None]
    reason: str | None = None
    refuses: bool = False
    closed: list[Finish] = field(default_factory=list)

    def progress(self, run_id: str) -> Progress | None:
        answer = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if answer is None:
            return None
        status, parts, silent_s = answer
        return Progress(run_id=run_id, status=status, parts=parts, seconds_since_last_part=silent_s)

    def report(self, run_id: str) -> RunReport:
        return RunReport(run_id=run_id, status=FINISHED, reason=self.reason)

    def finish(self, run_id: str, finish: Finish) -> RunReport:
        if self.refuses:
            raise ServerError("the server refused")
        self.closed.append(finish)
        return RunReport(run_id=run_id, status=finish.status, reason=finish.reason)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(watch, "time", clock)
    return clock


def watched(
    server: FakeServer,
    clock: Clock,
    ended: Callable[[], str | None] = lambda: None,
    stop: Event | None = None,
    **limits: Any,
) -> tuple[Outcome, list[int]]:
    seen: list[int] = []
    outcome = watch_run(
        job(**limits),
        server,  # type: ignore[arg-type]
        lambda progress: seen.append(progress.parts),
        stop or Event(),
        ended=ended,
        pause=clock.pause,
    )
    return outcome, seen


def test_a_run_that_its_page_closes_is_left_as_it_is(clock: Clock) -> None:
    server = FakeServer([(RUNNING, 0, 0.0), (RUNNING, 2, 1.0), (FINISHED, 3, 0.0)], reason="done")
    outcome, seen = watched(server, clock)
    assert (outcome, seen, server.closed) == (Outcome(FINISHED, "done"), [0, 2, 3], [])
    assert clock.now == 102.0


def test_a_process_that_dies_leaves_a_partial_run_after_a_moment_of_grace(clock: Clock) -> None:
    server = FakeServer([(RUNNING, 2, 1.0)])
    outcome, _ = watched(server, clock, ended=lambda: "the browser ended")
    assert outcome == Outcome(RunStatus.PARTIAL, "the browser ended")
    assert server.closed == [Finish(status=RunStatus.PARTIAL, reason="the browser ended", parts=2)]
    assert GRACE_S <= clock.now - 100.0 < GRACE_S + 1


def test_last_words_of_a_process_that_ended_are_heard(clock: Clock) -> None:
    server = FakeServer([(RUNNING, 4, 0.1), (RUNNING, 4, 0.2), (FINISHED, 5, 0.0)])
    outcome, _ = watched(server, clock, ended=lambda: "the browser ended")
    assert (outcome.status, server.closed) == (FINISHED, [])


def test_a_process_that_dies_before_its_first_part_has_failed(clock: Clock) -> None:
    server = FakeServer([(RUNNING, 0, 1.0)])
    outcome, _ = watched(server, clock, ended=lambda: "the page crashed")
    assert outcome == Outcome(RunStatus.FAILED, "the page crashed")


def test_a_process_that_sends_nothing_for_too_long_hangs(clock: Clock) -> None:
    server = FakeServer([(RUNNING, 3, 30.0), (RUNNING, 3, 60.0), (RUNNING, 3, 60.1)])
    outcome, seen = watched(server, clock, stall_s=60.0)
    assert outcome == Outcome(RunStatus.PARTIAL, "hung: no case finished within 60 s")
    assert len(seen) == 3


def test_a_process_that_goes_on_for_ever_is_ended(clock: Clock) -> None:
    server = FakeServer([(RUNNING, 3, 0.5)])
    outcome, _ = watched(server, clock, timeout_s=10.0)
    assert outcome == Outcome(RunStatus.PARTIAL, "not done within 10 s")
    assert 10.0 < clock.now - 100.0 <= 12.0


@pytest.mark.parametrize("parts", [0, 3])
def test_a_run_that_is_stopped_is_cancelled(clock: Clock, parts: int) -> None:
    stop = Event()
    stop.set()
    server = FakeServer([(RUNNING, parts, 0.5)])
    outcome, _ = watched(server, clock, stop=stop)
    assert outcome == Outcome(RunStatus.CANCELLED, "stopped by the user")
    assert server.closed[0].parts == parts


def test_a_run_that_the_server_forgot_has_failed(clock: Clock) -> None:
    outcome, seen = watched(FakeServer([None]), clock)
    assert (outcome.status, seen) == (RunStatus.FAILED, [])
    assert "does not know" in str(outcome.reason)


def test_a_closing_that_is_refused_says_both_reasons() -> None:
    server = FakeServer([(RUNNING, 1, 0.0)], refuses=True)
    outcome = close_run(job(), server, RunStatus.PARTIAL, "the page crashed")  # type: ignore[arg-type]
    assert outcome == Outcome(RunStatus.FAILED, "the page crashed; then the server refused")


def test_an_endless_reason_is_cut_to_what_the_contract_takes() -> None:
    server = FakeServer([(RUNNING, 1, 0.0)])
    close_run(job(), server, RunStatus.PARTIAL, "x" * 5000)  # type: ignore[arg-type]
    assert len(str(server.closed[0].reason)) == 2000
