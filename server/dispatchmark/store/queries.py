"""Every SELECT and INSERT. Callers pass a session; nothing here commits."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from pydantic import TypeAdapter
from sqlalchemy import and_, delete, func, or_
from sqlmodel import Session, col, select

from dispatchmark.contract.base import RunStatus
from dispatchmark.contract.receipt import Estimate
from dispatchmark.contract.submission import CasePart, EnvironmentPart, Part, RunStart, SweepStart

from . import documents
from .tables import EstimateRow, PartRow, RunRow, SweepRow

PART: TypeAdapter[EnvironmentPart | CasePart] = TypeAdapter(Part)
ESTIMATE_FIELDS = tuple(Estimate.model_fields)


def insert_sweep(session: Session, start: SweepStart, received_at: datetime) -> SweepRow:
    """Stores a sweep."""
    row = SweepRow(
        sweep_id=start.sweep_id,
        name=start.name,
        machine=start.machine.name,
        suite_name=start.suite.name,
        suite_hash=start.suite.hash,
        adapter=start.adapter,
        seed=start.seed,
        created_at=start.created_at,
        received_at=received_at,
        start=documents.received(start),
        digest=documents.digest(start),
    )
    session.add(row)
    session.flush()
    return row


def sweep(session: Session, sweep_id: str) -> SweepRow | None:
    """A sweep, or None."""
    return session.get(SweepRow, sweep_id)


def sweeps(session: Session, *, limit: int = 100, before: str | None = None) -> Sequence[SweepRow]:
    """Sweeps, newest first; `before` is the id of a sweep to go on after. An unknown one gives nothing."""
    query = select(SweepRow).order_by(col(SweepRow.received_at).desc(), col(SweepRow.sweep_id).desc()).limit(limit)
    if before is not None:
        last = sweep(session, before)
        if last is None:
            return []
        earlier = col(SweepRow.received_at) < last.received_at
        tied = and_(col(SweepRow.received_at) == last.received_at, col(SweepRow.sweep_id) < before)
        query = query.where(or_(earlier, tied))
    return session.exec(query).all()


def runs_per_sweep(session: Session, sweep_ids: Iterable[str]) -> dict[str, int]:
    """How many runs each of these sweeps has; a sweep without runs is left out."""
    query = (
        select(RunRow.sweep_id, func.count())
        .where(col(RunRow.sweep_id).in_(list(sweep_ids)))
        .group_by(col(RunRow.sweep_id))
    )
    return {sweep_id: count for sweep_id, count in session.exec(query) if sweep_id is not None}


def insert_run(session: Session, start: RunStart, received_at: datetime) -> RunRow:
    """Stores a run that has just begun."""
    row = RunRow(
        run_id=start.run_id,
        sweep_id=start.sweep_id,
        position=start.position,
        origin=start.origin,
        runtime_name=start.runtime.name if start.runtime else None,
        runtime_version=start.runtime.version if start.runtime else None,
        profile=start.launch.profile if start.launch else None,
        suite_name=start.suite.name,
        suite_hash=start.suite.hash,
        seed=start.seed,
        status=RunStatus.RUNNING,
        created_at=start.created_at,
        received_at=received_at,
        last_part_at=received_at,
        start=documents.received(start),
        start_digest=documents.digest(start),
    )
    session.add(row)
    session.flush()
    return row


def run(session: Session, run_id: str, *, lock: bool = False) -> RunRow | None:
    """A run, or None. `lock` keeps other writers off it until the transaction ends, in databases with row locks."""
    return session.get(RunRow, run_id, with_for_update=lock or None)


def runs(
    session: Session,
    *,
    sweep_id: str | None = None,
    origin: str | None = None,
    limit: int = 100,
    before: str | None = None,
) -> Sequence[RunRow]:
    """Runs, newest first; `before` is the id of a run to go on after. An unknown one gives nothing."""
    query = select(RunRow).order_by(col(RunRow.received_at).desc(), col(RunRow.run_id).desc()).limit(limit)
    if sweep_id is not None:
        query = query.where(col(RunRow.sweep_id) == sweep_id)
    if origin is not None:
        query = query.where(col(RunRow.origin) == origin)
    if before is not None:
        last = run(session, before)
        if last is None:
            return []
        earlier = col(RunRow.received_at) < last.received_at
        tied = and_(col(RunRow.received_at) == last.received_at, col(RunRow.run_id) < before)
        query = query.where(or_(earlier, tied))
    return session.exec(query).all()


def runs_of_sweep(session: Session, sweep_id: str) -> Sequence[RunRow]:
    """All runs of a sweep, in their order."""
    query = select(RunRow).where(col(RunRow.sweep_id) == sweep_id)
    return session.exec(query.order_by(col(RunRow.position), col(RunRow.received_at), col(RunRow.run_id))).all()


def silent_runs(session: Session, since: datetime) -> Sequence[str]:
    """Ids of running runs of which nothing has come since a moment."""
    query = select(RunRow.run_id).where(RunRow.status == RunStatus.RUNNING, col(RunRow.last_part_at) < since)
    return session.exec(query).all()


def closed_runs(session: Session) -> Sequence[str]:
    """Ids of all runs that have ended, oldest first."""
    query = select(RunRow.run_id).where(RunRow.status != RunStatus.RUNNING)
    return session.exec(query.order_by(col(RunRow.received_at), col(RunRow.run_id))).all()


def insert_part(session: Session, run_id: str, part: Part, case_kind: str | None, received_at: datetime) -> PartRow:
    """Stores a part as it was received."""
    row = PartRow(
        run_id=run_id,
        sequence=part.sequence,
        kind=part.kind,
        case_id=part.case_id if isinstance(part, CasePart) else None,
        case_kind=case_kind,
        repeat=part.repeat if isinstance(part, CasePart) else False,
        status=part.status if isinstance(part, CasePart) else None,
        document=documents.canonical(part),
        digest=documents.digest(part),
        received_at=received_at,
    )
    session.add(row)
    session.flush()
    return row


def part(session: Session, run_id: str, sequence: int) -> PartRow | None:
    """One part as a row, or None."""
    return session.get(PartRow, (run_id, sequence))


def part_rows(session: Session, run_id: str) -> Sequence[PartRow]:
    """The parts of a run as rows, in their order."""
    return session.exec(select(PartRow).where(PartRow.run_id == run_id).order_by(col(PartRow.sequence))).all()


def parts(session: Session, run_id: str) -> list[EnvironmentPart | CasePart]:
    """The parts of a run, parsed, in their order."""
    return [PART.validate_json(row.document) for row in part_rows(session, run_id)]


def last_case(session: Session, run_id: str) -> str | None:
    """The case of a run's last part that has one."""
    query = select(PartRow.case_id).where(PartRow.run_id == run_id, col(PartRow.case_id).is_not(None))
    return session.exec(query.order_by(col(PartRow.sequence).desc()).limit(1)).first()


def replace_estimates(session: Session, run_id: str, estimates: Iterable[Estimate]) -> None:
    """Puts new estimates of a run in the place of the old ones."""
    session.exec(delete(EstimateRow).where(col(EstimateRow.run_id) == run_id))
    for ordinal, one in enumerate(estimates):
        session.add(EstimateRow(run_id=run_id, ordinal=ordinal, **one.model_dump(mode="json")))
    session.flush()


def estimates(session: Session, run_ids: Iterable[str]) -> dict[str, list[Estimate]]:
    """The estimates of runs by run id, in the order of their cases; a run without any has an empty list."""
    found: dict[str, list[Estimate]] = {run_id: [] for run_id in run_ids}
    query = select(EstimateRow).where(col(EstimateRow.run_id).in_(list(found)))
    for row in session.exec(query.order_by(col(EstimateRow.run_id), col(EstimateRow.ordinal))):
        found[row.run_id].append(Estimate.model_validate({name: getattr(row, name) for name in ESTIMATE_FIELDS}))
    return found
