"""Compares the runtimes of a sweep for one case: reads runs from the store, groups them, and asks `stats`."""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median
from typing import cast

from sqlmodel import Session

from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.contract.comparison import Comparison, ComparisonRow, Ratio
from dispatchmark.contract.receipt import Estimate, Verdict
from dispatchmark.contract.submission import CasePart, EnvironmentPart, RunStart
from dispatchmark.store import queries
from dispatchmark.store.tables import RunRow

from . import comparability, figures
from .families import FAMILY, NATIVE
from .rows import NO_FIGURE_STATUSES, Row, left_out, reason, rows
from .runs import Run


class Unknown(Exception):
    """No such sweep, or no such row to compare with; the message says which there are."""


def compare(session: Session, sweep_id: str, case_id: str, baseline: str | None = None) -> Comparison:
    """The rows of a sweep for one case, each against `baseline`, or where that is None against its native library.

    Raises Unknown.
    """
    found = rows(runs(session, sweep_id, case_id))
    sweep = queries.sweep(session, sweep_id)
    asked = sweep.adapter if sweep is not None else "any"
    if baseline is not None and baseline not in {row.key for row in found}:
        raise Unknown(f"no row {baseline}; there are {', '.join(row.key for row in found) or 'none yet'}")
    return Comparison(
        sweep_id=sweep_id,
        case_id=case_id,
        baseline=baseline,
        rows=[_document(row, found, baseline, asked) for row in found],
    )


def runs(session: Session, sweep_id: str, case_id: str) -> list[Run]:
    """The runs of a sweep as a comparison sees them, in their order. Raises Unknown."""
    if queries.sweep(session, sweep_id) is None:
        raise Unknown(f"no sweep {sweep_id}")
    stored = [row for row in queries.runs_of_sweep(session, sweep_id) if row.runtime_name is not None]
    estimates = queries.estimates(session, [row.run_id for row in stored])
    return [_run(session, row, case_id, estimates[row.run_id]) for row in stored]


def baseline_of(row: Row, found: Sequence[Row], chosen: str | None = None) -> Row | None:
    """The row that another is compared with; None where there is none with a figure.

    The chosen one, else the first native runtime of its family that it may be compared with, else the first at all,
    so that the reason is given.
    """
    if chosen is not None:
        return next(other for other in found if other.key == chosen)
    candidates = [
        other
        for name in NATIVE[FAMILY[row.conditions.runtime]]
        for other in found
        if other.conditions.runtime is name and other.slopes_us
    ]
    fair = [other for other in candidates if not comparability.withheld(row.conditions, other.conditions)]
    return next(iter(fair or candidates), None)


def _run(session: Session, row: RunRow, case_id: str, estimates: Sequence[Estimate]) -> Run:
    start = RunStart.model_validate(row.start)
    environment = EnvironmentPart.model_validate(row.environment) if row.environment else None
    estimate = _of_case(estimates, case_id, row.wait_mode)
    return Run(
        run_id=row.run_id,
        runtime=RuntimeName(row.runtime_name or ""),
        version=(environment.runtime_version if environment else None) or row.runtime_version,
        launch=start.launch,
        adapter=environment.adapter if environment else None,
        machine=start.machine,
        suite=row.suite_hash,
        status=RunStatus(row.status),
        reason=row.reason,
        verdict=cast(Verdict | None, row.verdict),
        verdict_reasons=row.verdict_reasons,
        wait_us=row.wait_us,
        naive_us=row.naive_us,
        estimate=estimate,
        missing=None if estimate else _missing(session, row, case_id),
    )


def _of_case(estimates: Sequence[Estimate], case_id: str, wait_mode: str | None) -> Estimate | None:
    """The estimate of a case's one unlabelled series in the run's wait mode. Cases with several quantities have none
    that stands for all."""
    found = [one for one in estimates if one.case_id == case_id and not one.repeat and one.label is None]
    return next((one for one in found if one.wait == wait_mode), found[0] if found else None)


def _missing(session: Session, row: RunRow, case_id: str) -> str | None:
    """Why a run has no estimate of a case: what its part says."""
    for stored in queries.part_rows(session, row.run_id):
        if stored.case_id == case_id and not stored.repeat:
            part = queries.PART.validate_json(stored.document)
            if isinstance(part, CasePart) and part.status != "measured":
                return f"case {part.status}: {part.reason}" if part.reason else f"case {part.status}"
            return "the case gave nothing to estimate"
    return None if row.status in NO_FIGURE_STATUSES else f"the run did not get to {case_id}"


def _document(row: Row, found: Sequence[Row], chosen: str | None, asked: str) -> ComparisonRow:
    conditions = row.conditions
    ratio, no_ratio = _ratio(row, found, chosen)
    shown = [run for run in row.runs if run.verdict != "invalid"]
    counted = [run for run in shown if run.counts] or shown
    return ComparisonRow(
        key=row.key,
        runtime=conditions.runtime,
        version=conditions.version,
        profile=conditions.profile,
        adapter=conditions.adapter,
        driver=conditions.driver,
        software=conditions.software,
        run_ids=[run.run_id for run in row.runs],
        statuses=Counter(str(run.status) for run in row.runs),
        verdicts=Counter(run.verdict for run in row.runs if run.verdict is not None),
        reason=reason(row),
        wait_mode=conditions.wait_mode,
        per_operation_us=figures.pooled(row) if row.slopes_us else None,
        run_slopes_us=row.slopes_us,
        wait_us=_median(run.wait_us for run in counted),
        naive_us=_median(run.naive_us for run in counted),
        total_over_100_us=_median(run.estimate.total_over_100_us for run in counted if run.estimate),
        ratio=ratio,
        no_ratio=no_ratio,
        notes=left_out(row) + comparability.not_as_asked(conditions, asked),
    )


def _ratio(row: Row, found: Sequence[Row], chosen: str | None) -> tuple[Ratio | None, str | None]:
    """A row's ratio to its baseline, or why there is none."""
    if not row.slopes_us:
        return None, "the row has no figure"
    baseline = baseline_of(row, found, chosen)
    if baseline is None:
        family = FAMILY[row.conditions.runtime]
        names = " or ".join(NATIVE[family])
        return None, f"no native figure to hold it against ({names})" if names else f"{family} has no native library"
    if baseline is row:
        return None, "it is the baseline"
    if not baseline.slopes_us:
        return None, f"{baseline.key} has no figure"
    forbidden = comparability.withheld(row.conditions, baseline.conditions)
    if forbidden:
        return None, f"not comparable with {baseline.key}: {'; '.join(forbidden)}"
    if min(*row.slopes_us, *baseline.slopes_us) <= 0:
        return None, "a run's cost is not positive"
    return figures.ratio(row, baseline, comparability.notes(row.conditions, baseline.conditions)), None


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None
