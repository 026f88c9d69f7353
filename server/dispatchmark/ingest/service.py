"""The one doorway into the store: everything that is measured comes in here.

Every method is one transaction at most holding the write lock for milliseconds; estimates are made outside of it.
Raw documents are stored first and judged when the run is closed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlmodel import Session

from dispatchmark.config import Settings
from dispatchmark.contract import suite
from dispatchmark.contract.base import Origin, RunStatus
from dispatchmark.contract.receipt import Estimate, Progress, Receipt, RunReport, SweepReceipt
from dispatchmark.contract.submission import (
    EnvironmentPart,
    Finish,
    Part,
    RunStart,
    Submission,
    SuiteRef,
    SweepStart,
)
from dispatchmark.store import documents, queries, reports
from dispatchmark.store.session import Store
from dispatchmark.store.tables import RunRow

from .describe import describe
from .errors import Conflict, Malformed, NotFound, OutOfDate, TooLarge
from .estimates import estimates
from .judgement import Evidence, Judgement, judge
from .readings import Readings, read


def utc_now() -> datetime:
    """The time of the server's clock."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Assessment:
    """What was made of a run's parts, and which parts they were."""

    sequences: list[int]
    readings: Readings
    estimates: list[Estimate]
    judgement: Judgement


class Ingest:
    """Receives sweeps and runs. `now` and `wgsl` (the directory of the suite) are handed in by tests."""

    def __init__(
        self, store: Store, settings: Settings, *, now: Callable[[], datetime] = utc_now, wgsl: Path | None = None
    ) -> None:
        self.store = store
        self.settings = settings
        self.now = now
        self._suite = suite.load(wgsl)
        self._suite_hash = suite.suite_hash(wgsl)

    def open_sweep(self, start: SweepStart) -> SweepReceipt:
        """Stores a sweep. Raises OutOfDate, Malformed (no such suite) and Conflict (other content under this id)."""
        with self.store.writing() as session:
            stored = queries.sweep(session, start.sweep_id)
            if stored is None:
                self._check_suite(start.suite)
                queries.insert_sweep(session, start, self.now())
            elif stored.digest != documents.digest(start):
                raise Conflict(f"sweep {start.sweep_id} was opened with other content", field="sweep_id")
            return SweepReceipt(sweep_id=start.sweep_id, duplicate=stored is not None)

    def open_run(self, start: RunStart) -> Receipt:
        """Stores a run's start. Raises OutOfDate, Malformed, NotFound (its sweep) and Conflict."""
        with self.store.writing() as session:
            return self._open_run(session, start)

    def add_part(self, run_id: str, part: Part) -> Receipt:
        """Stores one part. Raises NotFound, Conflict (other content, or run finished), Malformed and TooLarge.

        A run that the server closed because it was silent is opened again: what was measured is kept.
        """
        with self.store.writing() as session:
            return self._add_part(session, run_id, part)

    def finish_run(self, run_id: str, finish: Finish) -> RunReport:
        """Closes a run and estimates it. The first finish stands: a later one is answered with the report as it is."""
        return self._close(run_id, finish)

    def submit(self, submission: Submission) -> RunReport:
        """Takes a whole run at once, all or nothing; what is there already is not stored twice.

        Raises what its pieces raise.
        """
        run_id = submission.start.run_id
        with self.store.writing() as session:
            self._open_run(session, submission.start)
            for part in submission.parts:
                self._add_part(session, run_id, part)
        return self.finish_run(run_id, submission.finish)

    def progress(self, run_id: str) -> Progress:
        """How far a run is. Raises NotFound."""
        self._close_if_silent(run_id)
        with self.store.reading() as session:
            run = _found(queries.run(session, run_id), run_id)
            return reports.progress(run, queries.last_case(session, run_id), self.now())

    def report(self, run_id: str) -> RunReport:
        """A run's standing and estimates. Raises NotFound."""
        self._close_if_silent(run_id)
        with self.store.reading() as session:
            run = _found(queries.run(session, run_id), run_id)
            return reports.run_report(run, queries.estimates(session, [run_id])[run_id])

    def close_silent(self) -> int:
        """Closes every run that has been silent for too long, as partial; says how many."""
        with self.store.reading() as session:
            silent = queries.silent_runs(session, self.now() - timedelta(seconds=self.settings.silence_s))
        for run_id in silent:
            self._close_if_silent(run_id)
        return len(silent)

    def assess(self, session: Session, run: RunRow) -> Assessment:
        """Makes estimates and a judgement of what is stored of a run; stores nothing."""
        rows = queries.part_rows(session, run.run_id)
        parts = [queries.PART.validate_json(row.document) for row in rows]
        kinds = {row.sequence: row.case_kind for row in rows}
        readings = read(parts, kinds)
        found = estimates(parts, kinds, readings, run.seed)
        evidence = Evidence(parts, found, self.settings.carryover_limit, self.settings.hidden_limit_ms)
        return Assessment([row.sequence for row in rows], readings, found, judge(evidence))

    def _open_run(self, session: Session, start: RunStart) -> Receipt:
        stored = queries.run(session, start.run_id, lock=True)
        if stored is not None:
            if stored.start_digest != documents.digest(start):
                raise Conflict(f"run {start.run_id} was opened with other content", field="run_id")
            return reports.receipt(stored, duplicate=True)
        self._check_suite(start.suite)
        if start.origin is Origin.LAB and start.runtime is None:
            raise Malformed("a lab run names its runtime", field="runtime")
        if start.sweep_id is not None and queries.sweep(session, start.sweep_id) is None:
            raise NotFound(f"no sweep {start.sweep_id}: open it first", field="sweep_id")
        return reports.receipt(queries.insert_run(session, start, self.now()))

    def _add_part(self, session: Session, run_id: str, part: Part) -> Receipt:
        run = _found(queries.run(session, run_id, lock=True), run_id)
        stored = queries.part(session, run_id, part.sequence)
        if stored is not None:
            if stored.digest != documents.digest(part):
                raise Conflict(f"part {part.sequence} of run {run_id} has other content", field="sequence")
            return reports.receipt(run, part.sequence, duplicate=True)
        if run.finish is not None:
            raise Conflict(f"run {run_id} is {run.status}: it takes no more parts")
        if run.parts_count >= self.settings.max_parts:
            raise TooLarge(f"run {run_id} has {run.parts_count} parts, the most this server takes")
        row = queries.insert_part(session, run_id, part, self._kind(part), self.now())
        run.parts_count += 1
        run.bytes_stored += len(row.document)
        if run.bytes_stored > self.settings.max_run_bytes:
            raise TooLarge(f"the parts of run {run_id} are larger than {self.settings.max_run_bytes} bytes together")
        run.last_part_at = self.now()
        if run.status != RunStatus.RUNNING:
            _reopen(session, run)
        if isinstance(part, EnvironmentPart) and run.environment is None:
            describe(run, part)
        return reports.receipt(run, part.sequence)

    def _close_if_silent(self, run_id: str) -> None:
        with self.store.reading() as session:
            run = _found(queries.run(session, run_id), run_id)
            silent = (self.now() - run.last_part_at).total_seconds() > self.settings.silence_s
            if run.status != RunStatus.RUNNING or not silent:
                return
        self._close(run_id, None)

    def _close(self, run_id: str, finish: Finish | None) -> RunReport:
        """Closes a run by its finish, or as silent. Assesses first, and again if a part came in the meantime."""
        while True:
            with self.store.reading() as session:
                run = _found(queries.run(session, run_id), run_id)
                if run.finish is not None:
                    return reports.run_report(run, queries.estimates(session, [run_id])[run_id])
                assessment = self.assess(session, run)
            with self.store.writing() as session:
                run = _found(queries.run(session, run_id, lock=True), run_id)
                if run.finish is not None or run.parts_count != len(assessment.sequences):
                    continue
                _end(run, finish, assessment.sequences, self.now(), self.settings.silence_s)
                apply(session, run, assessment)
                return reports.run_report(run, assessment.estimates)

    def _check_suite(self, reference: SuiteRef) -> None:
        if reference.hash != self._suite_hash:
            raise OutOfDate(
                f"suite {reference.hash[:12]} is not this server's {self._suite_hash[:12]}: "
                "reload the page, or bring client and server to the same version",
                field="suite.hash",
            )
        if reference.name not in self._suite.suites:
            raise Malformed(f"no suite {reference.name}; there are {', '.join(self._suite.suites)}", field="suite.name")

    def _kind(self, part: Part) -> str | None:
        if isinstance(part, EnvironmentPart):
            return None
        try:
            return self._suite.case(part.case_id).kind
        except KeyError:
            raise Malformed(f"no case {part.case_id} in the suite", field="case_id") from None


def apply(session: Session, run: RunRow, assessment: Assessment) -> None:
    """Writes what was made of a run: figures, verdict and estimates. Nothing raw is touched."""
    run.naive_us = assessment.readings.naive_us
    run.wait_us = assessment.readings.wait_us
    run.wait_mode = assessment.readings.wait_mode
    run.verdict = assessment.judgement.verdict
    run.verdict_reasons = assessment.judgement.reasons
    run.carryover_ratio = assessment.judgement.carryover_ratio
    queries.replace_estimates(session, run.run_id, assessment.estimates)


def _found(run: RunRow | None, run_id: str) -> RunRow:
    if run is None:
        raise NotFound(f"no run {run_id}", field="run_id")
    return run


def _end(run: RunRow, finish: Finish | None, sequences: list[int], now: datetime, silence_s: float) -> None:
    run.finished_at = now
    if finish is None:
        run.status = RunStatus.PARTIAL
        run.reason = f"nothing came for {silence_s:g} s, so the server closed it"
        return
    run.finish = documents.received(finish)
    run.status, run.reason = finish.status, finish.reason
    missing = sorted(set(range(finish.parts)) - set(sequences))
    if missing and finish.status is RunStatus.FINISHED:
        shown = ", ".join(map(str, missing[:10])) + (", ..." if len(missing) > 10 else "")
        run.status = RunStatus.PARTIAL
        run.reason = f"{len(missing)} of {finish.parts} parts did not arrive: {shown}"


def _reopen(session: Session, run: RunRow) -> None:
    run.status, run.reason, run.finished_at = RunStatus.RUNNING, None, None
    run.verdict, run.verdict_reasons, run.carryover_ratio = None, [], None
    queries.replace_estimates(session, run.run_id, [])
