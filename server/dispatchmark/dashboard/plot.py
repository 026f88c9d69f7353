"""Charts as SVG made on the server, so that pages show them without a script. Colours are the style sheet's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from markupsafe import Markup, escape

from .words import tick, tick_us, us

WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 96, 36, 14, 48
ROW = 34
LABEL_WIDTH = 190
MOST_TICKS = 10
STEPS = ((1.0,), (1.0, 2.0, 5.0), (1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0))
TRACE_POINTS = 300


@dataclass(frozen=True, slots=True)
class Axis:
    """A logarithmic axis from `low` to `high`, mapped to pixels `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The pixel of a positive value."""
        share = (log10(value) - log10(self.low)) / (log10(self.high) - log10(self.low))
        return round(self.start + share * (self.end - self.start), 2)

    def ticks(self) -> list[float]:
        """Round numbers within the axis: powers of ten, and steps between them where there would be fewer than two."""
        powers = range(floor(log10(self.low)), floor(log10(self.high)) + 1)
        for steps in STEPS:
            found = [step * 10.0**power for power in powers for step in steps]
            found = [one for one in found if self.low <= one <= self.high]
            if len(found) >= 2:
                break
        return found[:: ceil(len(found) / MOST_TICKS)]


@dataclass(frozen=True, slots=True)
class Line:
    """A fitted line T = a + b N over a range of N."""

    intercept_us: float
    slope_us: float
    n_low: int
    n_high: int


def ladder(points: Sequence[tuple[int, float]], line: Line | None, description: str) -> Markup:
    """T(N) on logarithmic axes: every span a dot, the fitted line over the range in which it holds.

    `points` are (N, microseconds). Spans of N = 0 or without a duration have no place on such axes and are left out.
    """
    shown = [(n, span) for n, span in points if n > 0 and span > 0]
    if not shown:
        return Markup("")
    x = _axis([n for n, _ in shown], LEFT, WIDTH - RIGHT)
    y = _axis([span for _, span in shown], HEIGHT - BOTTOM, TOP)
    parts = [_frame(x, y, "N, operations in the span", "T(N)")]
    if line is not None:
        parts.append(_regime(line, x))
    parts += [f'<circle class="span" cx="{x.at(n)}" cy="{y.at(span)}" r="2.4"/>' for n, span in shown]
    if line is not None:
        parts.append(_fitted(line, x, y))
    return _svg(WIDTH, HEIGHT, description, "".join(parts))


def forest(
    rows: Sequence[tuple[str, float, float | None, float | None, str]],
    description: str,
) -> Markup:
    """One row per runtime: its figure as a dot, its interval as a bar, on a logarithmic axis of microseconds."""
    rows = [row for row in rows if row[1] > 0]
    if not rows:
        return Markup("")
    height = TOP + ROW * len(rows) + BOTTOM
    ends = [end for _, value, low, high, _ in rows for end in (value, low, high) if end is not None and end > 0]
    x = _axis(ends, LABEL_WIDTH, WIDTH - RIGHT)
    parts = [_vertical_grid(x, TOP, height - BOTTOM, tick_us), _title_x(x, height, "per operation")]
    for index, (name, value, low, high, kind) in enumerate(rows):
        middle = TOP + ROW * (index + 0.5)
        parts.append(f'<text class="name" x="{LABEL_WIDTH - 12}" y="{middle + 4}">{escape(name)}</text>')
        if low is not None and high is not None:
            ends_at = x.at(max(low, x.low)), x.at(max(high, x.low))
            parts.append(f'<line class="bar" x1="{ends_at[0]}" x2="{ends_at[1]}" y1="{middle}" y2="{middle}"/>')
        parts.append(f'<circle class="{kind}" cx="{x.at(value)}" cy="{middle}" r="5"/>')
    return _svg(WIDTH, height, description, "".join(parts))


def bars(rows: Sequence[tuple[str, float]], description: str) -> Markup:
    """Named times in microseconds as horizontal bars from zero."""
    rows = [row for row in rows if row[1] > 0]
    if not rows:
        return Markup("")
    most = max(value for _, value in rows)
    height = TOP + ROW * len(rows) + TOP
    parts = []
    for index, (name, value) in enumerate(rows):
        top = TOP + ROW * index
        width = round((WIDTH - RIGHT - LABEL_WIDTH - 90) * value / most, 2)
        parts.append(
            f'<text class="name" x="{LABEL_WIDTH - 12}" y="{top + 20}">{escape(name)}</text>'
            f'<rect class="phase" x="{LABEL_WIDTH}" y="{top + 5}" width="{max(width, 1)}" height="{ROW - 12}" rx="2"/>'
            f'<text class="value" x="{LABEL_WIDTH + width + 8}" y="{top + 20}">{us(value)}</text>'
        )
    return _svg(WIDTH, height, description, "".join(parts))


def trace(stamps: Sequence[Sequence[float]], description: str) -> Markup:
    """Time after each of N submits, a line per repetition, on linear axes: a kink is back-pressure."""
    lines = [one for one in stamps if len(one) > 1]
    if not lines:
        return Markup("")
    most_n, most_us = max(map(len, lines)), max(map(max, lines))
    if most_us <= 0:
        return Markup("")
    wide, high = WIDTH - RIGHT - LEFT, HEIGHT - BOTTOM - TOP
    parts = [
        f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{HEIGHT - BOTTOM}" y2="{HEIGHT - BOTTOM}"/>',
        f'<text class="tick end" x="{LEFT - 8}" y="{TOP + 8}">{us(most_us)}</text>',
        f'<text class="tick end" x="{LEFT - 8}" y="{HEIGHT - BOTTOM}">0</text>',
        f'<text class="tick middle" x="{WIDTH - RIGHT - 20}" y="{HEIGHT - BOTTOM + 18}">{most_n:,}</text>',
        f'<text class="title middle" x="{LEFT + wide / 2}" y="{HEIGHT - 8}">submits issued</text>',
    ]
    for one in lines:
        # A few hundred points draw the same line as thousands; the last one is always among them.
        step = max(1, len(one) // TRACE_POINTS)
        path = " ".join(
            f"{LEFT + wide * n / most_n:.1f},{HEIGHT - BOTTOM - high * max(one[n - 1], 0.0) / most_us:.1f}"
            for n in [*range(1, len(one), step), len(one)]
        )
        parts.append(f'<polyline class="trace" points="{path}"/>')
    return _svg(WIDTH, HEIGHT, description, "".join(parts))


def _axis(values: Sequence[float], start: float, end: float) -> Axis:
    low, high = min(values), max(values)
    return Axis(low / 1.25, high * 1.25, start, end)


def _frame(x: Axis, y: Axis, x_title: str, y_title: str) -> str:
    rows = "".join(
        f'<line class="grid" x1="{x.start}" x2="{x.end}" y1="{y.at(value)}" y2="{y.at(value)}"/>'
        f'<text class="tick end" x="{x.start - 8}" y="{y.at(value) + 4}">{tick_us(value)}</text>'
        for value in y.ticks()
    )
    columns = _vertical_grid(x, y.end, y.start, tick)
    title = f'<text class="title" x="8" y="{TOP + 4}">{escape(y_title)}</text>'
    return rows + columns + _title_x(x, HEIGHT, x_title) + title


def _vertical_grid(x: Axis, top: float, bottom: float, label: Callable[[float], str]) -> str:
    return "".join(
        f'<line class="grid" x1="{x.at(value)}" x2="{x.at(value)}" y1="{top}" y2="{bottom}"/>'
        f'<text class="tick middle" x="{x.at(value)}" y="{bottom + 18}">{label(value)}</text>'
        for value in x.ticks()
    )


def _title_x(x: Axis, height: float, title: str) -> str:
    return f'<text class="title middle" x="{(x.start + x.end) / 2}" y="{height - 8}">{escape(title)}</text>'


def _regime(line: Line, x: Axis) -> str:
    left, right = x.at(line.n_low), x.at(line.n_high)
    return f'<rect class="regime" x="{left}" y="{TOP}" width="{right - left}" height="{HEIGHT - BOTTOM - TOP}"/>'


def _fitted(line: Line, x: Axis, y: Axis) -> str:
    """The line, which is a curve on logarithmic axes."""
    steps = 40
    points = []
    for step in range(steps + 1):
        n = line.n_low * (line.n_high / line.n_low) ** (step / steps)
        span = line.intercept_us + line.slope_us * n
        if y.low <= span <= y.high:
            points.append(f"{x.at(n)},{y.at(span)}")
    return f'<polyline class="fit" points="{" ".join(points)}"/>'


def _svg(width: float, height: float, description: str, body: str) -> Markup:
    return Markup(
        f'<svg class="plot" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(description)}" '
        f'xmlns="http://www.w3.org/2000/svg">{body}</svg>'
    )
