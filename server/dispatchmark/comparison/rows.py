"""Groups the runs of a sweep into rows: repetitions under the same conditions. Pure."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from dispatchmark.contract.base import RunStatus

from .families import ORDER
from .runs import Conditions, Run

ASPECTS: tuple[Callable[[Conditions], object], ...] = (
    lambda row: row.channel,
    lambda row: row.version,
    lambda row: row.adapter,
    lambda row: {True: "software", False: "hardware", None: None}[row.software],
    lambda row: row.backend,
    lambda row: row.driver,
    lambda row: row.wait_mode,
)
"""What can tell rows of one runtime and profile apart, in the order in which a reader would ask."""

NO_FIGURE_STATUSES = (RunStatus.UNSUPPORTED, RunStatus.UNAVAILABLE, RunStatus.FAILED, RunStatus.CANCELLED)


@dataclass(frozen=True, slots=True)
class Row:
    """Runs that are repetitions of each other, under a name."""

    key: str
    conditions: Conditions
    runs: list[Run]

    @property
    def slopes_us(self) -> list[float]:
        """The resolved costs of the runs that count, in their order."""
        return [run.slope_us for run in self.runs if run.counts and run.slope_us is not None]


def rows(runs: Iterable[Run]) -> list[Row]:
    """Rows in the order in which they are shown: by family, from native to browser."""
    groups: dict[Conditions, list[Run]] = {}
    silent: list[Run] = []
    for run in runs:
        if run.estimate is None:
            silent.append(run)
        else:
            groups.setdefault(run.conditions, []).append(run)
    for run in silent:
        groups.setdefault(_home(run, list(groups)), []).append(run)
    ordered = sorted(groups, key=lambda conditions: ORDER[conditions.runtime])
    return [Row(key, conditions, groups[conditions]) for key, conditions in zip(_keys(ordered), ordered, strict=True)]


def reason(row: Row) -> str | None:
    """Why a row has no figure, in words; None where it has one."""
    if row.slopes_us:
        return None
    found: list[str] = []
    for run in row.runs:
        if run.verdict in ("disturbed", "invalid"):
            found.append(f"{run.verdict}: {'; '.join(run.verdict_reasons)}")
        elif run.estimate is not None and run.estimate.verdict == "unresolved":
            detail = f" ({run.estimate.detail})" if run.estimate.detail else ""
            found.append(f"unresolved: {run.estimate.reason}{detail}")
        elif run.status in NO_FIGURE_STATUSES:
            found.append(f"{run.status}: {run.reason}" if run.reason else str(run.status))
        else:
            found.append(run.missing or run.reason or f"the run is {run.status}")
    return Counter(found).most_common(1)[0][0]


def left_out(row: Row) -> list[str]:
    """Which runs do not enter a row's figure, and why; empty for a row without any figure, whose reason says it."""
    if not row.slopes_us:
        return []
    found = [_why_left_out(run) for run in row.runs]
    counts = Counter(why for why in found if why is not None)
    return [f"{count} of {len(row.runs)} runs left out: {why}" for why, count in counts.items()]


def _why_left_out(run: Run) -> str | None:
    if run.verdict in ("disturbed", "invalid"):
        return f"{run.verdict} ({'; '.join(run.verdict_reasons)})"
    if run.counts and run.slope_us is not None:
        return None
    if run.estimate is not None:
        return f"unresolved ({run.estimate.reason})" if run.counts else "no verdict yet"
    return f"{run.status}, {run.reason or run.missing or 'without a figure'}"


def _home(run: Run, known: Sequence[Conditions]) -> Conditions:
    """The row of a run that measured nothing of the case: that of its likes where there is exactly one.

    A run that failed early says nothing of its adapter and its wait mode.
    """
    mine = run.conditions
    likes = [
        row
        for row in known
        if (row.runtime, row.profile, row.channel) == (mine.runtime, mine.profile, mine.channel)
        and mine.adapter in ("", row.adapter)
        and mine.software in (None, row.software)
        and mine.version in (None, row.version)
    ]
    return likes[0] if len(likes) == 1 else mine


def _keys(conditions: Sequence[Conditions]) -> list[str]:
    """A unique, readable name for each: as short as the others allow."""
    keys: dict[Conditions, str] = {}
    for base in dict.fromkeys(map(_base, conditions)):
        _name(base, [one for one in conditions if _base(one) == base], ASPECTS, keys)
    return [keys[one] for one in conditions]


def _name(
    key: str, rows: Sequence[Conditions], aspects: Sequence[Callable[[Conditions], object]], keys: dict[Conditions, str]
) -> None:
    """Names rows that share a key: by the first aspect that tells them apart, then those still alike by the next."""
    if len(rows) == 1 or not aspects:
        keys.update({row: f"{key} #{number}" if number > 1 else key for number, row in enumerate(rows, start=1)})
        return
    values = dict.fromkeys(map(aspects[0], rows))
    for value in values:
        alike = [row for row in rows if aspects[0](row) == value]
        longer = f"{key} [{value or 'unnamed'}]" if len(values) > 1 else key
        _name(longer, alike, aspects[1:], keys)


def _base(conditions: Conditions) -> str:
    plain = conditions.profile == "automation"
    return str(conditions.runtime) if plain else f"{conditions.runtime}/{conditions.profile}"
