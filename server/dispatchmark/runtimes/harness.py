"""Where a browser finds the page of a run."""

import os
from urllib.parse import urlencode

from dispatchmark.contract.submission import RunStart

from .base import Job


def harness_url(job: Job, start: RunStart) -> str:
    """The URL of the harness page; a drill, named by DISPATCHMARK_DRILL, breaks something on purpose, for tests."""
    base = (job.page_url or job.server_url).rstrip("/")
    drill = os.environ.get("DISPATCHMARK_DRILL")
    query = {"run": start.run_id, "suite": start.suite.name, "seed": start.seed} | ({"drill": drill} if drill else {})
    return f"{base}/harness?{urlencode(query)}"
