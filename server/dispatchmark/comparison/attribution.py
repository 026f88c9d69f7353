"""Attributes the cost of a dispatch: waterfalls from a native C API over a language binding up to a browser."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from sqlmodel import Session

from dispatchmark.contract.base import RuntimeName
from dispatchmark.contract.comparison import Attribution, Step, Waterfall
from dispatchmark.contract.environment import Launch

from . import comparability, figures
from .rows import Row, reason, rows
from .service import runs


@dataclass(frozen=True, slots=True)
class Path:
    """The rungs of one waterfall, from the bottom up."""

    family: Literal["dawn", "wgpu"]
    name: Literal["python", "javascript"]
    rungs: tuple[RuntimeName, ...]


PATHS: Final = (
    Path("dawn", "python", (RuntimeName.DAWN_C, RuntimeName.DAWN)),
    Path("dawn", "javascript", (RuntimeName.DAWN_C, RuntimeName.NODE_DAWN, RuntimeName.CHROMIUM)),
    Path("wgpu", "python", (RuntimeName.WGPU_C, RuntimeName.WGPU)),
    Path("wgpu", "javascript", (RuntimeName.WGPU_C, RuntimeName.DENO, RuntimeName.FIREFOX)),
)

LAYERS: Final[dict[RuntimeName, str]] = {
    RuntimeName.DAWN_C: "the library, driver and GPU, through the C API",
    RuntimeName.WGPU_C: "the library, driver and GPU, through the C API",
    RuntimeName.DAWN: "the Python binding",
    RuntimeName.WGPU: "the Python binding",
    RuntimeName.NODE_DAWN: "the JavaScript engine and its binding",
    RuntimeName.DENO: "the JavaScript engine and its binding",
    RuntimeName.CHROMIUM: "the browser: its process boundary and validation",
    RuntimeName.FIREFOX: "the browser: its process boundary and validation",
}
"""What a rung has that the one below has not."""

SEPARATE_BUILDS: Final = (
    "A step compares separate builds of one implementation: a difference between their versions is in it too."
)


def attribution(session: Session, sweep_id: str, case_id: str) -> Attribution:
    """The waterfalls of a sweep for one case. Raises Unknown for a sweep that is not there."""
    found = rows(runs(session, sweep_id, case_id))
    waterfalls = [waterfall(path, found) for path in PATHS]
    notes = list(dict.fromkeys(note for path in PATHS for note in _notes(rungs(path, found))))
    if any(len(one.steps) > 1 for one in waterfalls):
        notes.append(SEPARATE_BUILDS)
    return Attribution(sweep_id=sweep_id, case_id=case_id, waterfalls=waterfalls, notes=notes)


def waterfall(path: Path, found: Sequence[Row]) -> Waterfall:
    """The waterfall of a path over the rungs that have a figure; the others are named as missing, with the reason."""
    present = rungs(path, found)
    total_us = figures.center_us(present[-1]) if present else None
    steps: list[Step] = []
    below: Row | None = None
    lowest = 0
    for row in present:
        place = path.rungs.index(row.conditions.runtime)
        # A rung that is missing leaves its layer in the step of the next one.
        what = "; ".join(LAYERS[layer] for layer in path.rungs[lowest : place + 1])
        steps.append(figures.step(below, row, what, total_us or 1.0))
        below, lowest = row, place + 1
    runtimes = [row.conditions.runtime for row in present]
    return Waterfall(
        family=path.family,
        path=path.name,
        steps=steps,
        total_us=total_us,
        missing=[_missing(name, found, present) for name in path.rungs if name not in runtimes],
    )


def rungs(path: Path, found: Sequence[Row]) -> list[Row]:
    """The rows of a path that may be compared with each other: on hardware, and as automated, if there is a choice."""
    candidates = [row for name in path.rungs for row in found if row.conditions.runtime is name and row.slopes_us]
    candidates.sort(key=lambda row: (row.conditions.software is True, row.conditions.profile != Launch().profile))
    chosen: dict[RuntimeName, Row] = {}
    for row in candidates:
        fair = all(not comparability.withheld(row.conditions, other.conditions) for other in chosen.values())
        if fair:
            chosen.setdefault(row.conditions.runtime, row)
    return [chosen[name] for name in path.rungs if name in chosen]


def _notes(present: Sequence[Row]) -> list[str]:
    return [
        f"{low.key} to {high.key}: {note}"
        for low, high in pairwise(present)
        for note in comparability.notes(low.conditions, high.conditions)
    ]


def _missing(name: RuntimeName, found: Sequence[Row], present: Sequence[Row]) -> str:
    mine = [row for row in found if row.conditions.runtime is name]
    if not mine:
        return f"{name}: not in this sweep"
    with_figure = [row for row in mine if row.slopes_us]
    if not with_figure:
        return f"{name}: {reason(mine[0])}"
    forbidden = [why for row in present for why in comparability.withheld(with_figure[0].conditions, row.conditions)]
    return f"{name}: not comparable with the others: {forbidden[0]}"
