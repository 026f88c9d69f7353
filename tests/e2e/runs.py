"""One run of a real runtime on a real server, what the server has of it, and what is left of its processes."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import httpx
import psutil

from dispatchmark.contract import suite
from dispatchmark.contract.base import RuntimeName
from dispatchmark.contract.environment import Adapter, Launch, Page
from dispatchmark.contract.receipt import Progress, RunReport
from dispatchmark.contract.submission import CasePart, EnvironmentPart, Submission
from dispatchmark.runtimes import discovery, mark
from dispatchmark.runtimes.base import Driver, Options, Outcome
from tests.e2e.server import ServerProcess
from tests.runtimes.jobs import job, run_start

SOFTWARE = Options(adapter="software")
Watch = Callable[[Progress, list[psutil.Process]], None]
"""Is told how far the run is, and given the processes that run for it."""


@dataclass(frozen=True)
class Run:
    """A run that has ended."""

    outcome: Outcome
    report: RunReport
    document: Submission
    processes: list[psutil.Process] = field(default_factory=list)
    marks: set[str] = field(default_factory=set)

    @property
    def launch(self) -> Launch:
        assert self.document.start.launch is not None
        return self.document.start.launch

    @property
    def environments(self) -> list[EnvironmentPart]:
        return [part for part in self.document.parts if isinstance(part, EnvironmentPart)]

    @property
    def cases(self) -> list[CasePart]:
        return [part for part in self.document.parts if isinstance(part, CasePart)]

    @property
    def adapter(self) -> Adapter:
        found = self.environments[0].adapter
        assert found is not None
        return found

    @property
    def page(self) -> Page:
        found = self.environments[0].page
        assert found is not None
        return found

    @property
    def left_over(self) -> list[psutil.Process]:
        """Processes of the run that live on: those seen below the test, and those that had lost their parent."""
        seen = [one for one in self.processes if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]
        return seen + [one for one in psutil.process_iter() if mark_of(one) in self.marks]


def execute(
    server: ServerProcess,
    name: RuntimeName,
    options: Options = SOFTWARE,
    *,
    suite_name: str = "smoke",
    watch: Watch = lambda progress, processes: None,
    stop: Event | None = None,
    **limits: Any,
) -> Run:
    """Executes one run and asks the server what it has of it."""
    start = run_start(suite=suite.reference(suite_name).model_dump())
    before = set(below())
    seen: set[psutil.Process] = set()
    marks: set[str] = set()

    def watching(progress: Progress) -> None:
        now = [process for process in below() if process not in before]
        seen.update(now)
        marks.update(found for process in now if (found := mark_of(process)) is not None)
        watch(progress, now)

    outcome = driver(name).execute(job(server.url, start=start, options=options, **limits), watching, stop or Event())
    url = f"{server.url}/api/runs/{start.run_id}"
    return Run(
        outcome,
        RunReport.model_validate_json(httpx.get(url).content),
        Submission.model_validate_json(httpx.get(f"{url}/document").content),
        list(seen),
        marks,
    )


def driver(name: RuntimeName) -> Driver:
    return next(one for one in discovery.drivers() if one.name is name)


def below() -> list[psutil.Process]:
    """All processes below this one."""
    return psutil.Process().children(recursive=True)


def mark_of(process: psutil.Process) -> str | None:
    with suppress(psutil.Error, OSError):
        return process.environ().get(mark.NAME)
    return None


def arguments(process: psutil.Process) -> list[str]:
    with suppress(psutil.Error):
        return list(process.cmdline())
    return []
