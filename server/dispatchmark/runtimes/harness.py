"""Where a browser finds the page of a run."""

import os

from dispatchmark.contract.submission import RunStart

from .base import Job


def harness_url(job: Job, start: RunStart) -> str:
    """The URL of the harness page; a drill, named by DISPATCHMARK_DRILL, breaks something on purpose, for tests."""
    base = (job.page_url or job.server_url).rstrip("/")
    drill = os.environ.get("DISPATCHMARK_DRILL")
    query = f"run={start.run_id}&suite={start.suite.name}&seed={start.seed}"
    return f"{base}/harness?{query}" + (f"&drill={drill}" if drill else "")
