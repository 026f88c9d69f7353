"""What the server answers: receipts of parts, the report of a run, and errors. Pages show these numbers as they are."""

from typing import Literal

from pydantic import Field

from .base import CaseId, Document, Key, Name, RunStatus, WaitMode

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


class ErrorBody(Document):
    """The one shape of all JSON errors: a stable code, a sentence, and the fields it is about."""

    code: Name
    message: str
    fields: list[dict[str, str]] = Field(default_factory=list)


class ErrorAnswer(Document):
    """Wraps an error."""

    error: ErrorBody
