"""What the server answers: receipts of parts, the report of a run, and errors. Pages show these numbers as they are."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from .base import CaseId, Document, Key, Name, Origin, RunStatus, WaitMode
from .environment import Runtime
from .submission import SuiteRef, SweepStart

Verdict = Literal["accepted", "disturbed", "invalid"]


class Receipt(Document):
    """Acknowledges a stored document. `duplicate` says that it was stored before."""

    run_id: Key
    sequence: int | None = None
    duplicate: bool = False
    status: RunStatus


class Progress(Document):
    """How far a run is: what a driver polls, cheaply, instead of asking the page."""

    run_id: Key
    status: RunStatus
    parts: int
    last_case: CaseId | None = None
    seconds_since_last_part: float


class Estimate(Document):
    """Per-operation marginal cost of one series. Times in microseconds.

    `resolved` estimates carry slope, intercept and their 95 % intervals over N in [`n_low`, `n_high`];
    `unresolved` ones carry the reason: clock, poll, noise, too few, or bent.
    """

    case_id: CaseId
    label: Name | None = None
    repeat: bool = False
    wait: WaitMode
    verdict: Literal["resolved", "unresolved"]
    reason: Literal["clock", "poll", "noise", "too few", "bent"] | None = None
    detail: str = ""
    slope_us: float | None = None
    slope_low_us: float | None = None
    slope_high_us: float | None = None
    intercept_us: float | None = None
    intercept_low_us: float | None = None
    intercept_high_us: float | None = None
    n_low: int | None = None
    n_high: int | None = None
    n_bend: int | None = None
    spans: int = 0
    rounds: int = 0
    residual_us: float | None = Field(None, description="median absolute residual of the rungs' medians")
    encode_slope_us: float | None = Field(None, description="slope of the issuing time alone: the caller's own share")
    gpu_slope_us: float | None = Field(None, description="slope of the timestamp-query time, where valid")
    total_over_100_us: float | None = Field(None, description="the reference paper's figure: T(100) / 100")
    estimator_version: str = ""


class RunReport(Document):
    """A run's standing, verdict and estimates."""

    run_id: Key
    status: RunStatus
    reason: str | None = None
    verdict: Verdict | None = None
    verdict_reasons: list[str] = Field(default_factory=list)
    carryover_ratio: float | None = None
    naive_us: float | None = Field(None, description="median of dispatch and wait, each time")
    wait_us: float | None = Field(None, description="median wait on an empty queue in the wait mode used")
    estimates: list[Estimate] = Field(default_factory=list)


class RunSummary(Document):
    """One line of a list of runs."""

    run_id: Key
    sweep_id: Key | None = None
    position: int | None = None
    origin: Origin
    runtime: Runtime | None = Field(None, description="None until a volunteer's environment has arrived")
    profile: str | None = None
    suite: SuiteRef
    adapter: str | None = None
    software: bool | None = None
    status: RunStatus
    reason: str | None = None
    verdict: Verdict | None = None
    parts: int = 0
    created_at: datetime
    received_at: datetime
    finished_at: datetime | None = None


class RunList(Document):
    """Runs, newest first. `before` asks for the next page, None when this was the last."""

    runs: list[RunSummary]
    before: Key | None = None


class SweepReport(Document):
    """A sweep with its runs in their order."""

    start: SweepStart
    received_at: datetime
    runs: list[RunSummary] = Field(default_factory=list)


class SweepLine(Document):
    """One line of a list of sweeps."""

    sweep_id: Key
    name: Name | None = None
    machine: Name
    suite: SuiteRef
    runs: int
    created_at: datetime
    received_at: datetime


class SweepList(Document):
    """Sweeps, newest first. `before` asks for the next page, None when this was the last."""

    sweeps: list[SweepLine]
    before: Key | None = None


class SweepReceipt(Document):
    """Acknowledges a stored sweep."""

    sweep_id: Key
    duplicate: bool = False


class Health(Document):
    """Says that the server answers, and which contract it speaks."""

    status: Literal["ok"] = "ok"
    version: str
    schema_version: int


class ErrorBody(Document):
    """The one shape of all JSON errors: a stable code, a sentence, and the fields it is about."""

    code: Name
    message: str
    fields: list[dict[str, str]] = Field(default_factory=list)


class ErrorAnswer(Document):
    """Wraps an error."""

    error: ErrorBody
