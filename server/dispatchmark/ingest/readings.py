"""What a run's controls say about its clock and its waits, and its naive figure. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from dispatchmark.contract.base import MAX_SPAN_US, WaitMode
from dispatchmark.contract.submission import CasePart, EnvironmentPart, Part
from dispatchmark.contract.suite import CaseKind
from dispatchmark.stats.estimate import naive

Kinds = Mapping[int, str | None]
"""How each part's case was measured, by sequence."""


@dataclass(frozen=True, slots=True)
class Readings:
    """Controls of a run; None where the control is missing or saw nothing. Times in microseconds."""

    quantum_us: float | None = None
    wait_mode: WaitMode | None = None
    floors_us: Mapping[WaitMode, float] = field(default_factory=dict)
    """Median wait on an empty queue in each mode that was tried."""
    poll_us: float | None = None
    naive_us: float | None = None

    @property
    def wait_us(self) -> float | None:
        """Median wait on an empty queue in the run's wait mode."""
        return self.floors_us.get(self.wait_mode) if self.wait_mode else None


def cases(parts: Sequence[Part]) -> list[CasePart]:
    """The parts that are cases."""
    return [part for part in parts if isinstance(part, CasePart)]


def environments(parts: Sequence[Part]) -> list[EnvironmentPart]:
    """The parts that are environments; a run should have one."""
    return [part for part in parts if isinstance(part, EnvironmentPart)]


def read(parts: Sequence[Part], kinds: Kinds) -> Readings:
    """Reads the controls of a run."""
    clock = _values(parts, "control/clock")
    wait = _values(parts, "control/wait")
    mode = wait.get("wait_mode")
    wait_mode = WaitMode(mode) if isinstance(mode, str) and mode in set(WaitMode) else None
    return Readings(
        quantum_us=_positive(clock.get("quantum_us")),
        wait_mode=wait_mode,
        floors_us={mode: us for mode in WaitMode if (us := _number(wait.get(f"floor_{mode}_us"))) is not None},
        poll_us=_positive(wait.get("poll_us")),
        naive_us=_naive(parts, kinds),
    )


def _values(parts: Sequence[Part], case_id: str) -> dict[str, float | int | bool | str | None]:
    for part in cases(parts):
        if part.case_id == case_id and part.status == "measured":
            return part.values
    return {}


def _number(value: float | int | bool | str | None) -> float | None:
    """A reading as a time; None for what is no time at all, or longer than any span may be."""
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > MAX_SPAN_US:
        return None
    return float(value)


def _positive(value: float | int | bool | str | None) -> float | None:
    number = _number(value)
    return number if number is not None and number > 0 else None


def _naive(parts: Sequence[Part], kinds: Kinds) -> float | None:
    """The naive figure of the first naive case that measured something, in the wait mode that it began with."""
    for part in cases(parts):
        samples = [sample for series in part.series for sample in series.samples]
        if samples and kinds.get(part.sequence) == CaseKind.NAIVE and not part.repeat:
            spans_us = [sample.done_us for sample in samples if sample.wait is samples[0].wait]
            return naive(np.array(spans_us, dtype=np.float64))
    return None
