"""What every runtime driver takes and gives: a probe of what is there, and the execution of one run."""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from typing import Literal, Protocol

from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.contract.environment import Adapter, Launch, Runtime
from dispatchmark.contract.receipt import Progress
from dispatchmark.contract.submission import RunStart

Wanted = Literal["software", "hardware", "any"]


class NotInstalled(Exception):
    """There is no such browser or driver here; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What is known of a runtime on this machine. `remedy` says what to install where it cannot run."""

    runtime: Runtime
    status: Literal["usable", "unsupported", "unavailable"]
    launch: Launch
    adapter: Adapter | None = None
    reason: str | None = None
    remedy: str | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """What the user chose for a runtime: profile, channel, executable, remote endpoint, kind of adapter."""

    adapter: Wanted = "any"
    profile: str = "automation"
    channel: str | None = None
    executable: str | None = None
    remote: str | None = None
    variables: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Job:
    """One run to execute. `server_url` is how this process reaches the server, `page_url` how the browser does."""

    start: RunStart
    server_url: str
    options: Options
    timeout_s: float
    page_url: str | None = None
    stall_s: float = 90.0
    """Seconds without a new part after which the process is ended."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended, as the server knows it."""

    status: RunStatus
    reason: str | None = None


class Driver(Protocol):
    """Drives one runtime. Every run is a fresh process."""

    name: RuntimeName

    def probe(self, options: Options) -> Probe:
        """Looks for the runtime and its adapter; never raises for something that is missing."""
        ...

    def execute(self, job: Job, watch: Callable[[Progress], None], stop: Event) -> Outcome:
        """Runs the job, posting parts to the server as they come. Ends early, keeping what was measured, on `stop`."""
        ...
