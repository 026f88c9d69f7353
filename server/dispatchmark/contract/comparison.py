"""A sweep compared and attributed, on the wire: the table, the dashboard and `explain` show these."""

from typing import Literal

from pydantic import Field

from .base import CaseId, Document, Key, RuntimeName, WaitMode


class Interval(Document):
    """A value with its 95 % interval; the ends are None where there are too few runs for one."""

    value: float
    low: float | None = None
    high: float | None = None


class Ratio(Document):
    """A row against a baseline: Hodges-Lehmann ratio of run estimates. `percent` is the margin of `same`."""

    baseline: str = Field(description="key of the row that this one is compared with")
    ratio: Interval
    verdict: Literal["differs", "same", "insufficient data"]
    percent: float
    notes: list[str] = Field(default_factory=list, description="what differs between the two, never silent")


class ComparisonRow(Document):
    """One runtime under one launch profile on one adapter, over all its runs in the sweep. Times in microseconds."""

    key: str = Field(description="stable name of the row: runtime, and profile where it is not automation")
    runtime: RuntimeName
    version: str | None = None
    profile: str = "automation"
    adapter: str = ""
    driver: str = ""
    software: bool | None = None
    run_ids: list[Key] = Field(default_factory=list)
    statuses: dict[str, int] = Field(default_factory=dict, description="runs by status")
    verdicts: dict[str, int] = Field(default_factory=dict, description="runs by verdict")
    reason: str | None = Field(None, description="why the row has no figure")
    wait_mode: WaitMode | None = None
    per_operation_us: Interval | None = Field(None, description="pooled slope; run-to-run variance is in the interval")
    run_slopes_us: list[float] = Field(default_factory=list)
    wait_us: float | None = None
    naive_us: float | None = None
    total_over_100_us: float | None = None
    ratio: Ratio | None = None
    no_ratio: str | None = Field(
        None, description="why there is no ratio: the two are not comparable, or one is missing"
    )
    notes: list[str] = Field(default_factory=list, description="runs left out of the figures, and why")


class Comparison(Document):
    """The runtimes of a sweep for one case, each against a baseline row."""

    sweep_id: Key
    case_id: CaseId
    baseline: str | None = Field(
        None, description="the row chosen for all; None where each is compared with the native library of its family"
    )
    rows: list[ComparisonRow]
    notes: list[str] = Field(default_factory=list)


class Step(Document):
    """One step of a waterfall: what `to` costs more than `from_`. `from_` None is the base of the waterfall."""

    from_: str | None = None
    to: str
    what: str
    added_us: Interval
    share: float = Field(description="of the last rung's cost")
    verdict: Literal["adds", "saves", "no difference seen", "insufficient data"]


class Waterfall(Document):
    """Where the microseconds go, from a native C API up to the last rung, for one implementation family."""

    family: Literal["dawn", "wgpu"]
    path: Literal["python", "javascript"]
    steps: list[Step]
    total_us: float | None = None
    missing: list[str] = Field(default_factory=list)


class Attribution(Document):
    """All waterfalls of a sweep for one case."""

    sweep_id: Key
    case_id: CaseId
    waterfalls: list[Waterfall]
    notes: list[str] = Field(default_factory=list)
