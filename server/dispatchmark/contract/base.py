"""What every document of the wire contract shares: strictness, names of kinds, and the limits on sizes."""

from enum import StrEnum
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

SCHEMA_VERSION: Final = 1

MAX_N = 1_000_000
MAX_SPAN_US = 600_000_000.0
MAX_SAMPLES_PER_SERIES = 20_000
MAX_SERIES_PER_CASE = 64
MAX_STAMPS = 20_000


class Document(BaseModel):
    """A strict, immutable part of the contract: unknown fields, NaN and infinities are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


CaseId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]*(/[a-z0-9._-]+)*$", max_length=80)]
Key = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{32}$")]
Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Text = Annotated[str, StringConstraints(max_length=2000)]
Duration = Annotated[float, Field(ge=-MAX_SPAN_US, le=MAX_SPAN_US)]
"""Microseconds. Negative readings are recorded states, judged after they are stored, never refused here."""


class RuntimeName(StrEnum):
    """What executes WebGPU. The `-c` runtimes call the C API of a native library without its Python layer."""

    CHROMIUM = "chromium"
    FIREFOX = "firefox"
    WEBKIT = "webkit"
    SAFARI = "safari"
    WEBKITGTK = "webkitgtk"
    WGPU = "wgpu"
    DAWN = "dawn"
    WGPU_C = "wgpu-c"
    DAWN_C = "dawn-c"
    DENO = "deno"
    NODE_DAWN = "node-dawn"


class WaitMode(StrEnum):
    """How the end of the submitted work was awaited; modes are never mixed in one estimate."""

    DONE = "done"
    MAP = "map"
    NUDGED = "nudged"


class RunStatus(StrEnum):
    """Where a run stands. All but `running` are final."""

    RUNNING = "running"
    FINISHED = "finished"
    PARTIAL = "partial"
    CANCELLED = "cancelled"
    FAILED = "failed"
    UNSUPPORTED = "unsupported"
    UNAVAILABLE = "unavailable"


class Origin(StrEnum):
    """Who sent a run: a lab machine, or a volunteer's own browser."""

    LAB = "lab"
    VOLUNTEER = "volunteer"
