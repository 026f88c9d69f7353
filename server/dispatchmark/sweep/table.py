"""A comparison as a table on the terminal. Rounding and units of the command line live here."""

from collections.abc import Iterable, Iterator

from rich import box
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from dispatchmark.contract.comparison import Comparison, ComparisonRow, Interval

ENOUGH_RUNS = 3
"""Runs from which an interval is given."""

BASELINE = "it is the baseline"
"""What a comparison says of the row that others are held against."""


def table(comparison: Comparison, title: str | None = None) -> RenderableType:
    """Every row of a comparison with its figures, or why it has none; what must be known of them below."""
    against = comparison.baseline or "native"
    shown = Table(
        title=title,
        title_justify="left",
        box=box.HORIZONTALS,
        show_lines=True,
        pad_edge=False,
        collapse_padding=True,
        header_style="bold",
    )
    shown.add_column("runtime\nadapter", overflow="fold", min_width=20)
    for header in ("µs per\ndispatch", "wait\nµs", "naive\nµs", "total/100\nµs"):
        shown.add_column(header, justify="right", no_wrap=True)
    shown.add_column(f"ratio to\n{escape(against)}", justify="right")
    for row in comparison.rows:
        shown.add_row(*cells(row))
    lines = [Padding(Text(line, overflow="fold"), (0, 0, 0, 1)) for line in footnotes(comparison)]
    return Group(shown, *lines)


def cells(row: ComparisonRow) -> list[str]:
    """One row's cells, two lines each: the figure and its interval, the name and what belongs to it."""
    kind = {True: "software", False: "hardware", None: ""}[row.software]
    mode = f"({row.wait_mode})" if row.wait_mode is not None and row.wait_us is not None else ""
    about = ", ".join(filter(None, (row.adapter, kind)))
    return [
        f"[bold]{escape(row.key)}[/bold] {escape(row.version or '')}\n{escape(about)}".strip(),
        _cost(row),
        f"{figure(row.wait_us)}\n{mode}",
        figure(row.naive_us),
        figure(row.total_over_100_us),
        _ratio(row),
    ]


def footnotes(comparison: Comparison) -> list[str]:
    """What must be known of the figures, each thing once, with the rows that it is about."""
    subjects: dict[str, list[str]] = {}
    for row in comparison.rows:
        for note in _notes(row):
            subjects.setdefault(in_one_line(note), []).append(row.key)
    return [f"{', '.join(keys)}: {note}" for note, keys in subjects.items()] + list(comparison.notes)


def in_one_line(text: str) -> str:
    """A reason without the line breaks that a program's own message may have."""
    return " ".join(text.split())


def figure(value: float | None) -> str:
    """A number with three significant digits, as people write it; empty for None."""
    if value is None:
        return ""
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 99.95:
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.1f}" if size >= 9.995 else f"{value:.2f}" if size >= 0.0995 else f"{value:.2g}"


def interval(found: Interval) -> str:
    """The 95 % interval; empty where there is none."""
    return "" if found.low is None or found.high is None else f"[{figure(found.low)}, {figure(found.high)}]"


def too_few(row: ComparisonRow) -> str | None:
    """Says how far the runs spread where they are too few for an interval."""
    slopes = sorted(row.run_slopes_us)
    if not slopes or len(slopes) >= ENOUGH_RUNS:
        return None
    if len(slopes) == 1:
        return "1 run; too few for an interval"
    return f"{len(slopes)} runs: {figure(slopes[0])} to {figure(slopes[-1])} µs; too few for an interval"


def _cost(row: ComparisonRow) -> str:
    if row.per_operation_us is None:
        return f"[yellow]{escape(_standing(row))}[/yellow]"
    below = interval(row.per_operation_us) or f"({_count(len(row.run_slopes_us), 'run')})"
    return f"[bold]{figure(row.per_operation_us.value)}[/bold]\n{escape(below)}"


def _standing(row: ComparisonRow) -> str:
    """A figureless row's standing in a word or two; its whole reason is below the table."""
    head, _, rest = (row.reason or "no figure").partition(": ")
    return f"{head}:\n{rest.partition(' (')[0]}" if head == "unresolved" else head


def _ratio(row: ComparisonRow) -> str:
    if row.ratio is None:
        return "baseline" if row.no_ratio == BASELINE else ""
    below = escape(interval(row.ratio.ratio)) or row.ratio.verdict
    mark = {"same": " same", "differs": "", "insufficient data": ""}[row.ratio.verdict]
    return f"{figure(row.ratio.ratio.value)}{mark}\n{below}"


def _notes(row: ComparisonRow) -> Iterator[str]:
    if row.per_operation_us is None and row.reason:
        yield row.reason
    few = too_few(row)
    if few is not None:
        yield few
    yield from row.notes
    if row.per_operation_us is not None and row.no_ratio not in (None, BASELINE):
        yield f"no ratio: {row.no_ratio}"
    if row.ratio is not None:
        yield from _about(row.ratio.baseline, row.ratio.notes)


def _about(baseline: str, notes: Iterable[str]) -> Iterator[str]:
    for note in notes:
        yield f"ratio to {baseline}: {note}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
