"""The figure that docs/methodology.md explains a ladder with: `python -m tests.validation.example` draws it.

The ladder is made up; what is marked as its line is what the estimator finds.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dispatchmark.stats.estimate import Estimate, estimate
from dispatchmark.stats.spans import Spans

FIGURE = Path(__file__).resolve().parents[2] / "docs" / "figures" / "ladder.svg"
SLOPE_US, INTERCEPT_US, FLOOR_US = 25.0, 150.0, 1500.0
BEND_N, BEND_FACTOR = 3000, 4
ROUNDS = 12
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 70, 20, 20, 50
N_RANGE, US_RANGE = (0.8, 30_000.0), (800.0, 3_000_000.0)
INK, BLUE, GREY = "#3c4349", "#2a59c4", "#8a8f94"


def ladder() -> Spans:
    """A wait that takes its time whatever N is, a line, and back-pressure."""
    rng = np.random.default_rng(4)
    rungs = np.array([1, 2, 5, 10, 22, 46, 100, 180, 320, 560, 1000, 1700, 3000, 5500, 10_000, 18_000])
    work = INTERCEPT_US + SLOPE_US * (rungs + (BEND_FACTOR - 1) * np.maximum(0, rungs - BEND_N))
    spans = np.maximum(work, FLOOR_US) * (1 + 0.03 * rng.standard_normal((ROUNDS, len(rungs))))
    rep = np.repeat(np.arange(ROUNDS), len(rungs))
    return Spans(np.tile(rungs, ROUNDS), rep, spans.ravel(), spans.ravel() / 3)


def draw() -> str:
    """The figure as SVG."""
    spans = ladder()
    found = estimate(spans, clock_quantum_us=5.0, wait_us=300.0, rng=np.random.default_rng(1))
    assert found.slope_us is not None
    assert found.intercept_us is not None
    assert found.n_low is not None
    assert found.n_high is not None
    return _svg([*_axes(), *_parts(found), *_dots(spans, found), *_line(found.intercept_us, found.slope_us)])


def x(n: float) -> float:
    """Place of N, on a logarithmic axis."""
    low, high = np.log10(N_RANGE)
    return round(float(LEFT + (WIDTH - LEFT - RIGHT) * (np.log10(n) - low) / (high - low)), 1)


def y(us: float) -> float:
    """Place of a time, on a logarithmic axis."""
    low, high = np.log10(US_RANGE)
    return round(float(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (np.log10(us) - low) / (high - low)), 1)


def _axes() -> list[str]:
    parts = []
    for power in range(5):
        at = x(10**power)
        parts.append(_rule(at, TOP, at, HEIGHT - BOTTOM))
        parts.append(_text(at, HEIGHT - BOTTOM + 18, f"{10**power:,}", "middle"))
    for us, name in ((1e3, "1 ms"), (1e4, "10 ms"), (1e5, "100 ms"), (1e6, "1 s")):
        parts.append(_rule(LEFT, y(us), WIDTH - RIGHT, y(us)))
        parts.append(_text(LEFT - 8, y(us) + 4, name, "end"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, "N, operations in a span", "middle"))
    parts.append(_text(LEFT + 6, TOP + 14, "T(N)", "start"))
    return parts


def _parts(found: Estimate) -> list[str]:
    """The part that makes the estimate shaded, and a name for each part."""
    assert found.n_low is not None
    assert found.n_high is not None
    low, high = x(found.n_low * 0.85), x(found.n_high * 1.18)
    return [
        f'<rect x="{low}" y="{TOP}" width="{high - low:.1f}" height="{HEIGHT - TOP - BOTTOM}" fill="{BLUE}" '
        'fill-opacity="0.08"/>',
        _text((LEFT + low) / 2, y(FLOOR_US) - 18, "a wait: T(N) is flat", "middle"),
        _text((low + high) / 2, TOP + 32, f"a line: {found.slope_us:.1f} µs for each", "middle", BLUE),
        _text((low + high) / 2, TOP + 48, f"N = {found.n_low} to {found.n_high}", "middle", BLUE),
        _text(high + 8, y(4000), "back-", "start"),
        _text(high + 8, y(4000) + 15, "pressure", "start"),
    ]


def _dots(spans: Spans, found: Estimate) -> list[str]:
    assert found.n_low is not None
    assert found.n_high is not None
    return [
        f'<circle cx="{x(n)}" cy="{y(us)}" r="2.6" fill="{BLUE if found.n_low <= n <= found.n_high else GREY}" '
        'fill-opacity="0.55"/>'
        for n, us in zip(spans.n.tolist(), spans.done_us.tolist(), strict=True)
    ]


def _line(intercept_us: float, slope_us: float) -> list[str]:
    n = np.geomspace(40, N_RANGE[1], 60)
    points = " ".join(f"{x(one)},{y(intercept_us + slope_us * one)}" for one in n)
    return [f'<polyline points="{points}" fill="none" stroke="{BLUE}" stroke-width="1.5" stroke-dasharray="5 4"/>']


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{GREY}" stroke-opacity="0.35"/>'


def _text(at: float, down: float, text: str, anchor: str, colour: str = INK) -> str:
    return f'<text x="{at:.1f}" y="{down:.1f}" text-anchor="{anchor}" fill="{colour}">{text}</text>'


def _svg(parts: Sequence[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        f'font-size="13" role="img" aria-label="T(N) of a made-up ladder: a floor, a line, and a bend">\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n{body}\n</svg>\n'
    )


if __name__ == "__main__":
    FIGURE.parent.mkdir(exist_ok=True)
    FIGURE.write_text(draw())
