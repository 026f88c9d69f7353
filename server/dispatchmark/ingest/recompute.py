"""Makes the estimates of stored runs anew, after the estimator or a rule has changed. Nothing raw is altered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dispatchmark.store import queries

from .service import Ingest, apply


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What became of one run."""

    run_id: str
    verdict_before: str | None
    verdict: str | None
    changed: int
    """Estimates that differ from the stored ones."""


def recompute(
    ingest: Ingest,
    run_ids: Sequence[str] | None = None,
    progress: Callable[[int, int, Recomputed], None] | None = None,
) -> list[Recomputed]:
    """Re-estimates closed runs (default: all), one transaction each, so that it can be stopped at any time.

    `progress` is called after each run with the number done, the number of all, and what became of it.
    """
    with ingest.store.reading() as session:
        chosen = list(queries.closed_runs(session)) if run_ids is None else list(run_ids)
    done: list[Recomputed] = []
    for run_id in chosen:
        one = _recompute_run(ingest, run_id)
        if one is not None:
            done.append(one)
            if progress is not None:
                progress(len(done), len(chosen), one)
    return done


def _recompute_run(ingest: Ingest, run_id: str) -> Recomputed | None:
    """None for a run that is not there, or is open (it is estimated when it closes)."""
    with ingest.store.reading() as session:
        run = queries.run(session, run_id)
        if run is None or run.status == "running":
            return None
        assessment = ingest.assess(session, run)
        before = queries.estimates(session, [run_id])[run_id]
    with ingest.store.writing() as session:
        run = queries.run(session, run_id, lock=True)
        if run is None or run.parts_count != len(assessment.sequences):
            return None
        verdict_before = run.verdict
        apply(session, run, assessment)
        changed = sum(old != new for old, new in zip(before, assessment.estimates, strict=False))
        changed += abs(len(before) - len(assessment.estimates))
        return Recomputed(run_id, verdict_before, run.verdict, changed)
