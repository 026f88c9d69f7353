"""Builds jobs for runtime drivers."""

import itertools
from typing import Any

from dispatchmark.contract import suite
from dispatchmark.contract.submission import RunStart
from dispatchmark.runtimes.base import Job, Options
from tests.ingest import documents

_numbers = itertools.count(1)


def run_start(**changes: Any) -> RunStart:
    """A start with an id of its own, of the smoke suite."""
    run_id = f"{next(_numbers):032x}"
    smoke = suite.reference("smoke").model_dump()
    return RunStart.model_validate(documents.run_start(run_id, suite=smoke) | changes)


def job(server_url: str = "http://server.test", **changes: Any) -> Job:
    """A job that waits long enough for a slow machine."""
    given: dict[str, Any] = {"options": Options(adapter="software"), "timeout_s": 300.0, "stall_s": 120.0}
    return Job(start=changes.pop("start", None) or run_start(), server_url=server_url, **(given | changes))
