"""Rows as the documents that the server answers with."""

from collections.abc import Sequence
from datetime import datetime

from dispatchmark.contract.environment import Runtime
from dispatchmark.contract.receipt import Estimate, Progress, Receipt, RunReport, RunSummary, SweepLine, SweepReport
from dispatchmark.contract.submission import Finish, Part, RunStart, Submission, SuiteRef, SweepStart

from .tables import RunRow, SweepRow


def receipt(run: RunRow, sequence: int | None = None, *, duplicate: bool = False) -> Receipt:
    """Acknowledges a start or a part."""
    return Receipt.model_validate(
        {"run_id": run.run_id, "sequence": sequence, "duplicate": duplicate, "status": run.status}
    )


def progress(run: RunRow, last_case: str | None, now: datetime) -> Progress:
    """How far a run is."""
    return Progress.model_validate(
        {
            "run_id": run.run_id,
            "status": run.status,
            "parts": run.parts_count,
            "last_case": last_case,
            "seconds_since_last_part": max(0.0, (now - run.last_part_at).total_seconds()),
        }
    )


def runtime(run: RunRow) -> Runtime | None:
    """The runtime of a run; None for a volunteer's whose environment has not arrived."""
    if run.runtime_name is None:
        return None
    return Runtime.model_validate({"name": run.runtime_name, "version": run.runtime_version})


def run_report(run: RunRow, estimates: Sequence[Estimate]) -> RunReport:
    """A run's standing, verdict and estimates."""
    return RunReport.model_validate(
        {
            "run_id": run.run_id,
            "status": run.status,
            "reason": run.reason,
            "verdict": run.verdict,
            "verdict_reasons": run.verdict_reasons,
            "carryover_ratio": run.carryover_ratio,
            "naive_us": run.naive_us,
            "wait_us": run.wait_us,
            "estimates": list(estimates),
        }
    )


def run_summary(run: RunRow) -> RunSummary:
    """One line of a list."""
    return RunSummary.model_validate(
        {
            "run_id": run.run_id,
            "sweep_id": run.sweep_id,
            "position": run.position,
            "origin": run.origin,
            "runtime": runtime(run),
            "profile": run.profile,
            "suite": SuiteRef(name=run.suite_name, hash=run.suite_hash),
            "adapter": run.adapter_label,
            "software": run.software,
            "status": run.status,
            "reason": run.reason,
            "verdict": run.verdict,
            "parts": run.parts_count,
            "created_at": run.created_at,
            "received_at": run.received_at,
            "finished_at": run.finished_at,
        }
    )


def submission(run: RunRow, parts: Sequence[Part]) -> Submission:
    """A closed run as one document. A run that the server closed itself carries the finish that it never sent."""
    finish = run.finish or {"status": run.status, "reason": run.reason, "parts": run.parts_count}
    return Submission(start=RunStart.model_validate(run.start), parts=list(parts), finish=Finish.model_validate(finish))


def sweep_line(sweep: SweepRow, runs: int) -> SweepLine:
    """One line of a list."""
    return SweepLine(
        sweep_id=sweep.sweep_id,
        name=sweep.name,
        machine=sweep.machine,
        suite=SuiteRef(name=sweep.suite_name, hash=sweep.suite_hash),
        runs=runs,
        created_at=sweep.created_at,
        received_at=sweep.received_at,
    )


def sweep_report(sweep: SweepRow, runs: Sequence[RunRow]) -> SweepReport:
    """A sweep with its runs."""
    return SweepReport(
        start=SweepStart.model_validate(sweep.start),
        received_at=sweep.received_at,
        runs=[run_summary(run) for run in runs],
    )
