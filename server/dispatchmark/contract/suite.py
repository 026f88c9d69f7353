"""Reads `wgsl/suite.json`: kernels, cases and suites as data, shared by page, JS hosts and native runners."""

import hashlib
import json
import os
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from .base import CaseId, Document, Name, Text
from .submission import SuiteRef


class Kernel(Document):
    """A WGSL file with what a caller must know of it."""

    file: Name
    entry: Name = "main"
    type: Literal["f32", "f16", "i32"]
    bytes_per_element: int = Field(ge=2, le=4)
    uses: Literal["storage", "uniform", "immediates"] = "storage"
    features: list[Name] = Field(default_factory=list)


class CaseKind(StrEnum):
    """How a case is measured."""

    CONTROL = "control"
    NAIVE = "naive"
    LADDER = "ladder"
    PHASES = "phases"
    TRACE = "trace"
    CHUNK = "chunk"
    CARRYOVER = "carryover"


class Case(Document):
    """One benchmark with its parameters, identified by a stable id."""

    id: CaseId
    kind: CaseKind
    summary: Text
    operation: Literal["submit", "cmdbufs", "passes", "dispatches"] | None = None
    kernel: Name | None = None
    buffers: Literal["chained", "independent"] = "chained"
    bind_group: Literal["reused", "switched", "created", "dynamic"] = "reused"
    uniform_written: bool = False
    indirect: bool = False
    timestamps: bool = Field(False, description="measure GPU time by timestamp query where the adapter has it")
    max_n: int = Field(16384, ge=1, le=100_000)
    features: list[Name] = Field(default_factory=list)


class Suite(Document):
    """A named list of cases with the limits within which they are measured."""

    summary: Text
    cases: list[CaseId] = Field(min_length=1)
    case_budget_ms: int = Field(ge=1, description="time after which a ladder stops adding rounds")
    batch_cap_ms: int = Field(ge=1, description="longest span; GPU watchdogs kill work beyond seconds")
    min_rounds: int = Field(ge=2)
    max_rounds: int = Field(ge=2)
    rungs: int = Field(ge=4, le=20)
    narrow: float = Field(gt=0, lt=1, description="relative half-width of the slope at which a ladder may stop")


class Workload(Document):
    """The reference workload of every case: `elements` values, each invocation adds 1 to one of them.

    Every runner issues the same calls. `submit`: encoder, pass, set pipeline, set bind group, dispatch, end, finish
    and submit, N times. `cmdbufs`: the same encoders, submitted `command_buffers_per_submit` at a time. `passes`: one
    encoder of N passes. `dispatches`: one pass; pipeline and a reused bind group are set once, others per dispatch.
    `independent` and `dynamic` cases go round a ring of `ring` buffers or offsets, `switched` ones round two.
    """

    elements: int
    workgroup_size: int
    workgroups: int
    ring: int = Field(64, ge=2)
    command_buffers_per_submit: int = Field(512, ge=1, le=1000)


class SuiteFile(Document):
    """The whole of suite.json. Raises ValueError where a case or suite names something that is not there."""

    schema_version: Literal[1]
    workload: Workload
    kernels: dict[str, Kernel]
    cases: list[Case]
    suites: dict[str, Suite]

    @model_validator(mode="after")
    def names_exist(self) -> Self:
        """Every kernel a case names and every case a suite names is defined, once."""
        ids = [case.id for case in self.cases]
        if len(set(ids)) != len(ids):
            raise ValueError("case ids must differ")
        for case in self.cases:
            if case.kernel is not None and case.kernel not in self.kernels:
                raise ValueError(f"case {case.id}: no kernel {case.kernel}")
        for name, suite in self.suites.items():
            for case_id in suite.cases:
                if case_id not in ids:
                    raise ValueError(f"suite {name}: no case {case_id}")
        return self

    def case(self, case_id: str) -> Case:
        """The case of that id. Raises KeyError."""
        for case in self.cases:
            if case.id == case_id:
                return case
        raise KeyError(case_id)

    def cases_of(self, suite: str) -> list[Case]:
        """The cases of a suite, in its order. Raises KeyError."""
        return [self.case(case_id) for case_id in self.suites[suite].cases]


def assets(folder: Literal["web", "wgsl"]) -> Path:
    """Where the page's or the kernels' files lie: inside the installed package, else in the source tree."""
    chosen = os.environ.get(f"DISPATCHMARK_{folder.upper()}")
    if chosen:
        return Path(chosen)
    package = Path(__file__).resolve().parent.parent
    inside = package / "assets" / folder
    return inside if inside.is_dir() else package.parent.parent / folder


@cache
def load(directory: Path | None = None) -> SuiteFile:
    """The suite file of a directory (default: the shipped one). Raises ValueError with file and field."""
    path = (directory or assets("wgsl")) / "suite.json"
    try:
        return SuiteFile.model_validate(json.loads(path.read_text()))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error


def wgsl(kernel: Kernel, directory: Path | None = None) -> str:
    """The text of a kernel."""
    return ((directory or assets("wgsl")) / kernel.file).read_text()


@cache
def suite_hash(directory: Path | None = None) -> str:
    """SHA-256 over suite.json and every kernel it names, in name order: what was measured, as one value."""
    root = directory or assets("wgsl")
    digest = hashlib.sha256((root / "suite.json").read_bytes())
    for _, kernel in sorted(load(directory).kernels.items()):
        digest.update(kernel.file.encode() + b"\0" + (root / kernel.file).read_bytes())
    return digest.hexdigest()


def reference(name: str, directory: Path | None = None) -> SuiteRef:
    """The reference to a suite that a run carries. Raises KeyError for an unknown suite."""
    if name not in load(directory).suites:
        raise KeyError(name)
    return SuiteRef(name=name, hash=suite_hash(directory))
