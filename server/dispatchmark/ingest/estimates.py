"""From a run's raw parts to its estimates: series become arrays, each wait mode apart, and go to `stats`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from zlib import crc32

import numpy as np

from dispatchmark.contract.base import WaitMode
from dispatchmark.contract.receipt import Estimate
from dispatchmark.contract.submission import CasePart, Part, Sample, Series
from dispatchmark.contract.suite import CaseKind
from dispatchmark.stats.estimate import ESTIMATOR_VERSION, estimate, total_over_100
from dispatchmark.stats.spans import Spans

from .readings import Kinds, Readings, cases

ESTIMATED = frozenset({CaseKind.LADDER, CaseKind.PHASES, CaseKind.CHUNK, CaseKind.CARRYOVER})
ESTIMATED_CONTROLS = frozenset({"control/spin", "control/submit"})
UNAWAITED = frozenset({CaseKind.PHASES})
"""Kinds whose spans end without a wait, so that no wait floor or poll hides in them."""

PAPER_LABEL = "done"
"""Label of the few spans with the plain wait beside a nudged ladder: what the reference paper's method would see."""

MAX_CELLS = 10_000
"""Largest table of rounds and rungs that is estimated. The full suite's ladders have 1,100; the bootstrap needs memory
in proportion, and a stranger's scattered spans must not take all of it."""

UNKNOWN_QUANTUM_US = 1.0
"""Assumed where a run has no clock control: coarser than any clock of a native runtime."""


def estimates(parts: Sequence[Part], kinds: Kinds, readings: Readings, seed: int) -> list[Estimate]:
    """The estimates of a run in the order of its parts and series. The same parts and seed give the same figures."""
    return [
        _one(part, series, wait, samples, kinds.get(part.sequence), readings, seed)
        for part in cases(parts)
        if _is_estimated(part, kinds.get(part.sequence))
        for series in part.series
        if not _is_paper_series(series)
        for wait, samples in _by_wait(series)
    ]


def _is_estimated(part: CasePart, kind: str | None) -> bool:
    return kind in ESTIMATED or part.case_id in ESTIMATED_CONTROLS


def _is_paper_series(series: Series) -> bool:
    """Whether a series holds the plain-wait spans of a ladder that was waited for in another mode."""
    return series.label == PAPER_LABEL


def _paper_us(part: CasePart) -> float | None:
    """The paper's figure of a ladder where the wait mode of the run would hide what the paper's method reports."""
    samples = [sample for series in part.series if _is_paper_series(series) for sample in series.samples]
    return total_over_100(spans(samples)) if samples else None


def _by_wait(series: Series) -> Iterator[tuple[WaitMode, list[Sample]]]:
    """Wait modes are never mixed in one estimate."""
    for wait in WaitMode:
        samples = [sample for sample in series.samples if sample.wait is wait]
        if samples:
            yield wait, samples


def spans(samples: Sequence[Sample]) -> Spans:
    """Samples as arrays; GPU times only where every sample has one."""
    gpu = [sample.gpu_us for sample in samples if sample.gpu_us is not None]
    return Spans(
        n=np.array([sample.n for sample in samples], dtype=np.int64),
        rep=np.array([sample.rep for sample in samples], dtype=np.int64),
        done_us=np.array([sample.done_us for sample in samples], dtype=np.float64),
        encoded_us=np.array([sample.encoded_us for sample in samples], dtype=np.float64),
        gpu_us=np.array(gpu, dtype=np.float64) if len(gpu) == len(samples) else None,
    )


def cells(samples: Sequence[Sample]) -> int:
    """Size of the table of rounds and rungs that samples make; equal spans of one round take rounds of their own."""
    repeated = Counter((sample.rep, sample.n) for sample in samples)
    rounds: dict[int, int] = {}
    for (rep, _), count in repeated.items():
        rounds[rep] = max(count, rounds.get(rep, 0))
    return sum(rounds.values()) * len({sample.n for sample in samples})


def _one(
    part: CasePart,
    series: Series,
    wait: WaitMode,
    samples: Sequence[Sample],
    kind: str | None,
    readings: Readings,
    seed: int,
) -> Estimate:
    head = {"case_id": part.case_id, "label": series.label, "repeat": part.repeat, "wait": wait}
    if cells(samples) > MAX_CELLS:
        detail = f"{len(samples)} spans scattered over {cells(samples)} places of rounds and N are no ladder"
        nothing = {"verdict": "unresolved", "reason": "too few", "detail": detail, "spans": len(samples)}
        return Estimate.model_validate(head | nothing | {"estimator_version": ESTIMATOR_VERSION})
    name = f"{part.case_id}\0{series.label}\0{part.repeat}\0{wait}"
    awaited = kind not in UNAWAITED and part.case_id != "control/spin"
    found = estimate(
        spans(samples),
        clock_quantum_us=readings.quantum_us or UNKNOWN_QUANTUM_US,
        wait_us=readings.floors_us.get(wait, 0.0) if awaited else None,
        poll_us=readings.poll_us if awaited and wait is not WaitMode.NUDGED else None,  # Nudging breaks the poll.
        rng=np.random.default_rng([seed, crc32(name.encode())]),
    )
    paper = {"total_over_100_us": _paper_us(part)} if series.label is None and _paper_us(part) is not None else {}
    return Estimate.model_validate(head | asdict(found) | paper)
