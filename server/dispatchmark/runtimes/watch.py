"""Watches one run from outside, and ends it in order when its process dies, hangs, or is stopped."""

import time
from collections.abc import Callable
from threading import Event

from dispatchmark.client import Server, ServerError
from dispatchmark.contract.base import RunStatus
from dispatchmark.contract.receipt import Progress
from dispatchmark.contract.submission import Finish

from .base import Job, Outcome

POLL_S = 1.0
"""Polling the server once a second costs the measured process nothing it could notice; asking the page would."""

GRACE_S = 3.0
"""A process that ends by itself may have sent its last words just before: so long is waited for them."""


def watch_run(
    job: Job,
    server: Server,
    watch: Callable[[Progress], None],
    stop: Event,
    *,
    ended: Callable[[], str | None],
    pause: Callable[[float], None] = time.sleep,
) -> Outcome:
    """Waits until the run is closed, and closes it where nobody else will.

    `ended` says why the process is gone, None while it lives; `pause` lets the process's driver work meanwhile.
    """
    run_id = job.start.run_id
    began = time.monotonic()
    gone_since: float | None = None
    while True:
        progress = server.progress(run_id)
        if progress is None:
            return Outcome(RunStatus.FAILED, "the server does not know the run any more")
        watch(progress)
        if progress.status is not RunStatus.RUNNING:
            return Outcome(progress.status, server.report(run_id).reason)
        why = ended()
        if why is not None:
            gone_since = gone_since or time.monotonic()
            if time.monotonic() - gone_since >= GRACE_S:
                return close_run(job, server, RunStatus.PARTIAL, why)
        if stop.is_set():
            return close_run(job, server, RunStatus.CANCELLED, "stopped by the user")
        if progress.seconds_since_last_part > job.stall_s:
            return close_run(job, server, RunStatus.PARTIAL, f"hung: no case finished within {job.stall_s:g} s")
        if time.monotonic() - began > job.timeout_s:
            return close_run(job, server, RunStatus.PARTIAL, f"not done within {job.timeout_s:.0f} s")
        pause(0.1 if gone_since else POLL_S)


def close_run(job: Job, server: Server, status: RunStatus, reason: str) -> Outcome:
    """Closes a run from outside. One without parts has failed; one with some is kept as what it is."""
    progress = server.progress(job.start.run_id)
    parts = progress.parts if progress else 0
    if status is RunStatus.PARTIAL and parts == 0:
        status = RunStatus.FAILED
    try:
        report = server.finish(job.start.run_id, Finish(status=status, reason=reason[:2000], parts=parts))
    except ServerError as error:
        return Outcome(RunStatus.FAILED, f"{reason}; then {error}")
    return Outcome(report.status, report.reason)
