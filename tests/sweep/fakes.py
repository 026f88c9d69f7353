"""Drivers that measure nothing, and an observer that remembers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event

from dispatchmark.client import Server
from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.contract.environment import Launch, Runtime
from dispatchmark.contract.receipt import Progress
from dispatchmark.contract.submission import CasePart, EnvironmentPart, Finish
from dispatchmark.runtimes.base import Job, Options, Outcome, Probe
from dispatchmark.sweep.execute import Candidate, Ended
from dispatchmark.sweep.plan import Slot

Behaviour = Callable[[Job, Server, Event], Outcome]


@dataclass
class FakeDriver:
    """Executes runs as its behaviour says, and remembers them."""

    name: RuntimeName
    behaviour: Behaviour
    jobs: list[Job] = field(default_factory=list)

    def probe(self, options: Options) -> Probe:
        return Probe(Runtime(name=self.name, version="1.0"), "usable", Launch())

    def execute(self, job: Job, watch: Callable[[Progress], None], stop: Event) -> Outcome:
        self.jobs.append(job)
        server = Server(job.server_url, patience_s=0)
        try:
            outcome = self.behaviour(job, server, stop)
            progress = server.progress(job.start.run_id)
            if progress is not None:
                watch(progress)
            return outcome
        finally:
            server.close()


@dataclass
class Memory:
    """An observer that remembers."""

    slots: list[Slot] = field(default_factory=list)
    parts_per_run: int = 0
    begun: list[int] = field(default_factory=list)
    parts: list[int] = field(default_factory=list)
    done: list[Ended] = field(default_factory=list)

    def planned(self, slots: Sequence[Slot], parts_per_run: int) -> None:
        self.slots, self.parts_per_run = list(slots), parts_per_run

    def started(self, slot: Slot, candidate: Candidate) -> None:
        self.begun.append(slot.position)

    def progressed(self, slot: Slot, progress: Progress) -> None:
        self.parts.append(progress.parts)

    def ended(self, run: Ended, candidate: Candidate) -> None:
        self.done.append(run)


def send_some(job: Job, server: Server) -> int:
    """Opens a run and sends an environment and a control; returns how many parts."""
    server.open_run(job.start)
    server.send_part(job.start.run_id, EnvironmentPart(kind="environment", sequence=0))
    clock = CasePart(kind="case", sequence=1, case_id="control/clock", status="measured", values={"quantum_us": 5.0})
    server.send_part(job.start.run_id, clock)
    return 2


def finishes(job: Job, server: Server, stop: Event) -> Outcome:
    """Ends in order."""
    parts = send_some(job, server)
    server.finish(job.start.run_id, Finish(status=RunStatus.FINISHED, parts=parts))
    return Outcome(RunStatus.FINISHED)


def candidate(name: str, behaviour: Behaviour = finishes) -> Candidate:
    driver = FakeDriver(RuntimeName(name), behaviour)
    options = Options()
    return Candidate(driver, options, driver.probe(options))


def missing(name: str, reason: str, remedy: str | None = None) -> Candidate:
    """A runtime that is not there."""
    driver = FakeDriver(RuntimeName(name), finishes)
    probe = Probe(Runtime(name=driver.name), "unavailable", Launch(), reason=reason, remedy=remedy)
    return Candidate(driver, Options(), probe)
