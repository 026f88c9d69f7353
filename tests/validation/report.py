"""The validation as text, as a table in docs/methodology.md, and as figures beside it."""

from collections.abc import Sequence
from pathlib import Path

from .campaign import BIAS_LIMIT, COVERAGE_LIMITS, Cell

DOCS = Path(__file__).resolve().parents[2] / "docs"
BEGIN = "<!-- validation: written by `make validate-estimator`, do not edit -->"
END = "<!-- end of validation -->"
WIDTH, ROW, LEFT = 720, 20, 230


def line(one: Cell, done: int, total: int, seconds: float) -> str:
    """One cell in the terminal."""
    figure = (
        f"bias {one.bias:+6.2%} coverage {one.coverage:6.1%} +-{one.width:.1%}"
        if one.bias is not None and one.coverage is not None and one.width is not None
        else "unresolved"
    )
    mark = "MISSED " + "; ".join(one.problems) if one.problems else "ok"
    return (
        f"[{done}/{total} {seconds:4.0f} s] {one.source:4} {one.scenario:30} {one.slope_us:5g} us "
        f"resolved {one.resolved:6.1%} {figure:45} {mark}"
    )


def write(cells: Sequence[Cell], sweeps: Sequence[tuple[float, float, float]], runs: int, spread: float) -> None:
    """Puts table and figures into the documentation."""
    page = DOCS / "methodology.md"
    text = page.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    page.write_text(f"{before}{BEGIN}\n\n{_table(cells)}\n\n{_sweeps(sweeps, runs, spread)}\n\n{END}{after}")
    figures = DOCS / "figures"
    figures.mkdir(exist_ok=True)
    (figures / "validation-coverage.svg").write_text(_coverage(cells))
    (figures / "validation-errors.svg").write_text(_errors(cells))


def _table(cells: Sequence[Cell]) -> str:
    rows = [
        f"Each row: {cells[0].runs} simulated runs. `core` is the JavaScript core on a fake GPU in virtual time, `fit` "
        "the estimator alone on a fixed ladder. Bias and coverage are of the runs that say resolved; naive and "
        "total/100 are the biases of the other two methods on the same data.",
        "",
        "| scenario | source | true cost | resolved | bias | coverage | half-width | naive | total/100 |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for one in cells:
        bias = f"{one.bias:+.2%}" if one.bias is not None and one.resolved > 0.01 else "–"
        coverage = f"{one.coverage:.1%}" if one.coverage is not None and one.resolved > 0.01 else "–"
        width = f"{one.width:.1%}" if one.width is not None and one.resolved > 0.01 else "–"
        resolved = f"{one.resolved:.1%}" if one.resolved else "never: " + ", ".join(one.reasons)
        rows.append(
            f"| {one.scenario} | {one.source} | {one.slope_us:g} µs | {resolved} | {bias} | {coverage} | {width} "
            f"| {_times(one.naive_bias)} | {_times(one.paper_bias)} |"
        )
    met = sum(not one.problems for one in cells)
    rows += ["", f"{met} of {len(cells)} rows meet the acceptance."]
    return "\n".join(rows)


def _sweeps(sweeps: Sequence[tuple[float, float, float]], runs: int, spread: float) -> str:
    rows = [
        f"Across runs: {runs} runs a sweep, each with a cost of its own that spreads by {spread:.0%}.",
        "",
        "| true cost | bias of the pooled figure | coverage |",
        "|---:|---:|---:|",
    ]
    return "\n".join(rows + [f"| {slope:g} µs | {bias:+.2%} | {coverage:.1%} |" for slope, bias, coverage in sweeps])


def _times(bias: float) -> str:
    return f"{bias:+.0%}" if bias < 3 else f"×{bias + 1:,.0f}"


def _coverage(cells: Sequence[Cell]) -> str:
    """Coverage of every resolved cell as a dot between its limits."""
    names, groups = _grouped(cells)
    left, right = 0.85, 1.0

    def x(value: float) -> float:
        return round(LEFT + (WIDTH - LEFT - 20) * (min(max(value, left), right) - left) / (right - left), 1)

    low, high = COVERAGE_LIMITS
    height = ROW * len(names) + 60
    parts = [
        f'<rect x="{x(low)}" y="20" width="{x(high) - x(low)}" height="{height - 60}" fill="#2a59c4" opacity="0.10"/>',
        *(_tick(x(value), height, f"{value:.0%}") for value in (0.85, 0.90, 0.95, 1.0)),
    ]
    for index, name in enumerate(names):
        parts.append(_name(index, name))
        for one in groups[name]:
            if one.coverage is not None and one.resolved > 0.01:
                parts.append(_dot(x(one.coverage), index, one))
    return _svg(height, "Coverage of the 95 % interval; shaded: 92 to 98 %", parts)


def _errors(cells: Sequence[Cell]) -> str:
    """Bias of the three methods on a scale of powers of ten of the true cost."""
    names, groups = _grouped(cells)
    height = ROW * len(names) + 60

    def x(ratio: float) -> float:
        from math import log10

        return round(LEFT + (WIDTH - LEFT - 20) * (min(max(log10(ratio), -0.3), 5) + 0.3) / 5.3, 1)

    parts = [_tick(x(10.0**power), height, f"×{10**power:,}") for power in range(6)]
    for index, name in enumerate(names):
        parts.append(_name(index, name))
        for one in groups[name]:
            for bias, colour in ((one.naive_bias, "#b3261e"), (one.paper_bias, "#9a5b00")):
                parts.append(_circle(x(1 + bias), index, colour))
            if one.bias is not None and one.resolved > 0.01:
                parts.append(_circle(x(1 + one.bias), index, "#2a59c4"))
    legend = "Estimate as a multiple of the true cost: slope (blue), total/100 (brown), naive (red)"
    return _svg(height, legend, parts)


def _grouped(cells: Sequence[Cell]) -> tuple[list[str], dict[str, list[Cell]]]:
    groups: dict[str, list[Cell]] = {}
    for one in cells:
        groups.setdefault(one.scenario, []).append(one)
    return list(groups), groups


def _name(index: int, name: str) -> str:
    return f'<text x="{LEFT - 12}" y="{34 + ROW * index}" text-anchor="end">{name}</text>'


def _dot(x: float, index: int, one: Cell) -> str:
    return _circle(x, index, "#2a59c4" if one.source == "core" else "#5f8a00")


def _circle(x: float, index: int, colour: str) -> str:
    return f'<circle cx="{x}" cy="{30 + ROW * index}" r="3.5" fill="{colour}" fill-opacity="0.75"/>'


def _tick(x: float, height: int, text: str) -> str:
    return (
        f'<line x1="{x}" x2="{x}" y1="20" y2="{height - 40}" stroke="#8a8f94" stroke-opacity="0.35"/>'
        f'<text x="{x}" y="{height - 24}" text-anchor="middle">{text}</text>'
    )


def _svg(height: int, title: str, parts: Sequence[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
        f'font-size="12" fill="#5b646d" role="img" aria-label="{title}">\n'
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n{body}\n'
        f'<text x="{WIDTH / 2}" y="{height - 6}" text-anchor="middle">{title}</text>\n</svg>\n'
    )


__all__ = ["BIAS_LIMIT", "line", "write"]
