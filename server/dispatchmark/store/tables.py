"""The four tables: sweeps, runs, their raw parts, and the estimates made from them.

Raw documents are kept as received and are never altered; samples live in the parts and nowhere else. Estimates can be
thrown away and made again. Times in microseconds, moments in UTC.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, ForeignKey, Index, String, Text
from sqlmodel import Field, SQLModel

from .columns import Utc


class SweepRow(SQLModel, table=True):
    """Runs of several runtimes on one machine. `start` is the SweepStart as received."""

    __tablename__ = "sweep"

    sweep_id: str = Field(primary_key=True, max_length=32)
    name: str | None = None
    machine: str
    suite_name: str
    suite_hash: str = Field(max_length=64)
    adapter: str
    seed: int = Field(sa_type=BigInteger)
    created_at: datetime = Field(sa_type=Utc)
    received_at: datetime = Field(sa_type=Utc, index=True)
    start: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    digest: str = Field(max_length=64)


class RunRow(SQLModel, table=True):
    """One process of one runtime executing a suite once.

    `start` and `finish` are documents as received. What stands between them is read from the parts: `environment` is
    the EnvironmentPart, verdict and figures are judgements that recomputing makes anew. `finish` is None for a run
    that is still going on, and for one that the server closed because nothing more came.
    """

    __tablename__ = "run"
    __table_args__ = (
        Index("ix_run_received", "received_at", "run_id"),
        Index("ix_run_status", "status", "last_part_at"),
        Index("ix_run_sweep", "sweep_id", "position"),
    )

    run_id: str = Field(primary_key=True, max_length=32)
    sweep_id: str | None = Field(default=None, sa_column=Column(String(32), ForeignKey("sweep.sweep_id")))
    position: int | None = None
    origin: str
    runtime_name: str | None = None
    runtime_version: str | None = None
    profile: str | None = None
    suite_name: str
    suite_hash: str = Field(max_length=64)
    seed: int = Field(sa_type=BigInteger)
    status: str
    reason: str | None = None
    verdict: str | None = None
    verdict_reasons: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    carryover_ratio: float | None = None
    naive_us: float | None = None
    wait_us: float | None = None
    wait_mode: str | None = None
    software: bool | None = None
    adapter_label: str | None = None
    created_at: datetime = Field(sa_type=Utc)
    received_at: datetime = Field(sa_type=Utc)
    finished_at: datetime | None = Field(default=None, sa_type=Utc)
    last_part_at: datetime = Field(sa_type=Utc)
    """When the last part came; the moment of the start while there is none."""
    parts_count: int = 0
    bytes_stored: int = 0
    """Characters of the stored parts."""
    start: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    start_digest: str = Field(max_length=64)
    environment: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    finish: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))


class PartRow(SQLModel, table=True):
    """One case of a run, raw: the only place where samples are."""

    __tablename__ = "part"

    run_id: str = Field(sa_column=Column(String(32), ForeignKey("run.run_id"), primary_key=True))
    sequence: int = Field(primary_key=True)
    kind: str
    case_id: str | None = None
    case_kind: str | None = None
    """How the suite measured the case, kept because a later suite may not know the case any more."""
    repeat: bool = False
    status: str | None = None
    document: str = Field(sa_column=Column(Text, nullable=False))
    digest: str = Field(max_length=64)
    received_at: datetime = Field(sa_type=Utc)


class EstimateRow(SQLModel, table=True):
    """The marginal cost of one series of a run, as contract.receipt.Estimate."""

    __tablename__ = "estimate"
    __table_args__ = (Index("ix_estimate_case", "case_id", "run_id"),)

    run_id: str = Field(sa_column=Column(String(32), ForeignKey("run.run_id"), primary_key=True))
    ordinal: int = Field(primary_key=True)
    """Order within the run: by part, then by series."""
    case_id: str
    label: str | None = None
    repeat: bool = False
    wait: str
    verdict: str
    reason: str | None = None
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
    residual_us: float | None = None
    encode_slope_us: float | None = None
    gpu_slope_us: float | None = None
    total_over_100_us: float | None = None
    estimator_version: str = ""
