"""A run as it travels: a start, numbered parts as they are measured, and a finish.

Each part carries one whole case, so that a crash loses at most the case in flight. Parts are idempotent by their
sequence number: the same part sent twice is stored once and answered with the same receipt.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, field_validator

from .base import (
    MAX_N,
    MAX_SAMPLES_PER_SERIES,
    MAX_SERIES_PER_CASE,
    MAX_STAMPS,
    SCHEMA_VERSION,
    CaseId,
    Document,
    Duration,
    Hash,
    Key,
    Name,
    Origin,
    RunStatus,
    Text,
    WaitMode,
)
from .environment import Adapter, Launch, Machine, Page, Runtime


class SuiteRef(Document):
    """The suite a run executes: its name, and the hash of the whole suite file with its kernels."""

    name: Name
    hash: Hash


class SweepStart(Document):
    """Opens a sweep: runs of several runtimes on one machine, interleaved, for comparison."""

    schema_version: Literal[1] = SCHEMA_VERSION
    sweep_id: Key
    name: Name | None = None
    machine: Machine
    suite: SuiteRef
    adapter: Literal["software", "hardware", "any"] = "any"
    created_at: datetime
    seed: int = Field(ge=0, lt=2**32)


class RunStart(Document):
    """Opens a run. A volunteer's page leaves `runtime` out and the server reads it from the user agent."""

    schema_version: Literal[1] = SCHEMA_VERSION
    run_id: Key
    sweep_id: Key | None = None
    position: int | None = Field(None, ge=0, le=100_000, description="order of the run in its sweep")
    origin: Origin = Origin.LAB
    runtime: Runtime | None = None
    launch: Launch | None = None
    machine: Machine | None = None
    suite: SuiteRef
    seed: int = Field(ge=0, lt=2**32)
    created_at: datetime


class Sample(Document):
    """One timed span. Times in microseconds on the runtime's monotonic clock.

    `start_us` counts from the run's own origin; `encoded_us` runs from the start until the last operation was issued,
    `done_us` from the start until the work was known to be done; `gpu_us` is a timestamp query's answer.
    """

    n: int = Field(ge=0, le=MAX_N, description="operations in the span")
    rep: int = Field(ge=0, le=1_000_000, description="round of the ladder, from 0")
    wait: WaitMode
    start_us: float = Field(ge=0, le=1e12)
    encoded_us: Duration
    done_us: Duration
    gpu_us: Duration | None = None
    stamps_us: list[Duration] | None = Field(
        None, max_length=MAX_STAMPS, description="submit-trace: a time stamp after each operation, from the start"
    )


class Series(Document):
    """Samples of one quantity of a case. `label` tells its quantities apart: a phase, a chunk size, before or after."""

    label: Name | None = None
    samples: list[Sample] = Field(max_length=MAX_SAMPLES_PER_SERIES)
    n_bend: int | None = Field(None, ge=1, le=MAX_N, description="N at which the runner saw the line bend upward")
    stopped: Name | None = Field(None, description="why the ladder ended: narrow, rounds, budget, cancelled, lost")


CaseStatus = Literal["measured", "unsupported", "failed", "cancelled"]


class CasePart(Document):
    """One case of a run with everything measured in it.

    `values` holds a control's readings (units in their names); `repeat` marks the carry-over repetition of the first
    case; `verified` is the result check by reading the buffer back, None where the case has no result.
    """

    kind: Literal["case"]
    sequence: int = Field(ge=0, le=100_000)
    case_id: CaseId
    repeat: bool = False
    status: CaseStatus
    reason: Text | None = None
    verified: bool | None = None
    values: dict[Name, float | int | bool | str | None] = Field(default_factory=dict, max_length=100)
    series: list[Series] = Field(default_factory=list, max_length=MAX_SERIES_PER_CASE)
    started_us: float = Field(0.0, ge=0, le=1e12)
    duration_ms: float = Field(0.0, ge=0, le=1e9)
    hidden_ms: float | None = Field(None, ge=0, le=1e9, description="time the page was hidden during the case")
    unfocused_ms: float | None = Field(None, ge=0, le=1e9)

    @field_validator("series")
    @classmethod
    def labels_differ(cls, series: list[Series]) -> list[Series]:
        """Two series of one case under one label could not be told apart."""
        labels = [one.label for one in series]
        if len(set(labels)) != len(labels):
            raise ValueError("series of one case need different labels")
        return series


class EnvironmentPart(Document):
    """What the runtime says of itself once it has an adapter; the first part of a run."""

    kind: Literal["environment"]
    sequence: int = Field(ge=0, le=100_000)
    runtime_version: Name | None = None
    adapter: Adapter | None = None
    page: Page | None = None
    libraries: dict[Name, Name] = Field(default_factory=dict, max_length=100)


Part = Annotated[EnvironmentPart | CasePart, Field(discriminator="kind")]


class Finish(Document):
    """Closes a run. `parts` is the number of parts that were sent; fewer in the store make the run `partial`."""

    status: RunStatus
    reason: Text | None = None
    parts: int = Field(ge=0, le=100_001)

    @field_validator("status")
    @classmethod
    def is_final(cls, status: RunStatus) -> RunStatus:
        """A finish says how the run ended."""
        if status is RunStatus.RUNNING:
            raise ValueError("a finish needs a final status")
        return status


class Submission(Document):
    """A whole run in one document: what a native runner yields, and what a volunteer can download."""

    start: RunStart
    parts: list[Part] = Field(max_length=1000)
    finish: Finish
