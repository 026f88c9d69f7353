"""Executes a sweep: one run after the other, each in a fresh process, each a row whatever becomes of it."""

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Event
from typing import Protocol

from dispatchmark.client import Server
from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.contract.receipt import Progress
from dispatchmark.contract.submission import Finish, RunStart, SweepStart
from dispatchmark.contract.suite import SuiteFile
from dispatchmark.runtimes.base import Driver, Job, Options, Outcome, Probe

from .plan import Slot, plan, run_seed

STARTUP_S = 120.0
"""Time for a runtime to start and to find an adapter, on a busy machine with a cold disk."""

SLOWEST = 4.0
"""How much longer than its budget a case may take: devices, warm-up and first rounds are not in the budget."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A runtime that was asked for: its driver, what the user chose for it, and what its probe found."""

    driver: Driver
    options: Options
    probe: Probe

    @property
    def name(self) -> RuntimeName:
        """The runtime's name."""
        return self.driver.name

    @property
    def usable(self) -> bool:
        """Whether it can be measured."""
        return self.probe.status == "usable"


@dataclass(frozen=True, slots=True)
class Ended:
    """One run of the sweep as it ended. `usable` is False for the row of a runtime that cannot be measured."""

    slot: Slot
    run_id: str
    outcome: Outcome
    seconds: float
    usable: bool = True


class Observer(Protocol):
    """Is told how the sweep goes."""

    def planned(self, slots: Sequence[Slot], parts_per_run: int) -> None:
        """Before the first run."""

    def started(self, slot: Slot, candidate: Candidate) -> None:
        """A run begins."""

    def progressed(self, slot: Slot, progress: Progress) -> None:
        """The server has more of the run in progress."""

    def ended(self, run: Ended, candidate: Candidate) -> None:
        """A run has ended, or a runtime that cannot be measured has its row."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be executed. `page_url` is how browsers reach the server, where that differs from `server_url`."""

    sweep: SweepStart
    candidates: Sequence[Candidate]
    runs: int
    page_url: str | None = None


def execute(order: Order, server: Server, suite: SuiteFile, observer: Observer, stop: Event) -> list[Ended]:
    """Opens the sweep and executes it until done or stopped; returns the runs in their order.

    A runtime that cannot be measured gets one run that says why. Raises ServerError where the server is gone for good.
    """
    server.open_sweep(order.sweep)
    unusable = [candidate for candidate in order.candidates if not candidate.usable]
    usable = {candidate.name: candidate for candidate in order.candidates if candidate.usable}
    done = [_record(order, server, Slot(place, 0, one.name), one) for place, one in enumerate(unusable)]
    for run, candidate in zip(done, unusable, strict=True):
        observer.ended(run, candidate)
    slots = plan(list(usable), order.runs, order.sweep.seed, first=len(unusable))
    observer.planned(slots, parts_per_run(suite, order.sweep.suite.name))
    for slot in slots:
        if stop.is_set():
            break
        candidate = usable[slot.runtime]
        observer.started(slot, candidate)
        run = _run(order, server, suite, slot, candidate, observer, stop)
        done.append(run)
        observer.ended(run, candidate)
    return done


def parts_per_run(suite: SuiteFile, name: str) -> int:
    """Parts of a complete run: its environment, its cases, and the carry-over repetition of the first ladder."""
    cases = suite.cases_of(name)
    return 1 + len(cases) + any(case.kind == "ladder" for case in cases)


def timeout_s(suite: SuiteFile, name: str) -> float:
    """After how long a run is ended, in seconds."""
    return STARTUP_S + SLOWEST * parts_per_run(suite, name) * suite.suites[name].case_budget_ms / 1000


def failures(runs: Sequence[Ended]) -> list[Ended]:
    """The runs of usable runtimes that did not finish."""
    return [run for run in runs if run.usable and run.outcome.status is not RunStatus.FINISHED]


def _start(order: Order, slot: Slot, candidate: Candidate) -> RunStart:
    return RunStart(
        run_id=uuid.uuid4().hex,
        sweep_id=order.sweep.sweep_id,
        position=slot.position,
        runtime=candidate.probe.runtime,
        launch=candidate.probe.launch,
        machine=order.sweep.machine,
        suite=order.sweep.suite,
        seed=run_seed(order.sweep.seed, slot.position),
        created_at=datetime.now(UTC),
    )


def _record(order: Order, server: Server, slot: Slot, candidate: Candidate) -> Ended:
    """A run for a runtime that cannot be measured: its reason, and what would help."""
    probe = candidate.probe
    reason = ". ".join(text.rstrip(".") for text in (probe.reason, probe.remedy) if text) or None
    start = _start(order, slot, candidate)
    server.open_run(start)
    server.finish(start.run_id, Finish(status=RunStatus(probe.status), reason=reason, parts=0))
    return Ended(slot, start.run_id, Outcome(RunStatus(probe.status), reason), 0.0, usable=False)


def _run(
    order: Order,
    server: Server,
    suite: SuiteFile,
    slot: Slot,
    candidate: Candidate,
    observer: Observer,
    stop: Event,
) -> Ended:
    start = _start(order, slot, candidate)
    job = Job(
        start=start,
        server_url=server.url,
        options=candidate.options,
        timeout_s=timeout_s(suite, start.suite.name),
        page_url=order.page_url,
    )
    began = time.monotonic()
    try:
        outcome = candidate.driver.execute(job, lambda progress: observer.progressed(slot, progress), stop)
    except Exception as error:
        # Whatever a driver stumbles over is that runtime's row; the other runtimes are still to be measured.
        outcome = Outcome(RunStatus.FAILED, f"{type(error).__name__}: {error}")
    outcome = _closed(server, start, outcome)
    return Ended(slot, start.run_id, outcome, time.monotonic() - began)


def _closed(server: Server, start: RunStart, outcome: Outcome) -> Outcome:
    """Makes sure that the run is there and closed, however its driver ended; says what the server has of it."""
    progress = server.progress(start.run_id)
    if progress is None:
        server.open_run(start)
    if progress is None or progress.status is RunStatus.RUNNING:
        parts = progress.parts if progress else 0
        status = outcome.status
        if status in (RunStatus.RUNNING, RunStatus.FINISHED):
            status = RunStatus.PARTIAL if parts else RunStatus.FAILED
        reason = (outcome.reason or "the runtime ended without closing its run")[:2000]
        server.finish(start.run_id, Finish(status=status, reason=reason, parts=parts))
    report = server.report(start.run_id)
    return Outcome(report.status, report.reason)
