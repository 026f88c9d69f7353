import re
from xml.etree import ElementTree

import pytest
from markupsafe import Markup

from dispatchmark.dashboard import plot
from dispatchmark.dashboard.plot import Axis, Line

SVG = "{http://www.w3.org/2000/svg}"
POINTS = [(n, 100.0 + 25.0 * n) for n in (1, 10, 100, 1000)]


def drawn(markup: Markup) -> ElementTree.Element:
    """The chart as XML, with everything within its frame."""
    root = ElementTree.fromstring(markup)
    width, height = map(float, root.attrib["viewBox"].split()[2:])
    for element in root.iter():
        for name in ("x", "x1", "x2", "cx"):
            assert 0 <= float(element.get(name, 0)) <= width, ElementTree.tostring(element)
        for name in ("y", "y1", "y2", "cy"):
            assert 0 <= float(element.get(name, 0)) <= height, ElementTree.tostring(element)
        for x, y in re.findall(r"([-\d.e+]+),([-\d.e+]+)", element.get("points", "")):
            assert 0 <= float(x) <= width
            assert 0 <= float(y) <= height
    return root


def texts(root: ElementTree.Element, name: str) -> list[str]:
    return [str(one.text) for one in root.iter(f"{SVG}text") if name in one.attrib["class"].split()]


def test_every_span_is_a_dot_and_the_line_holds_over_its_range_only() -> None:
    root = drawn(plot.ladder(POINTS, Line(100.0, 25.0, 10, 100), "T(N) of a case"))
    assert root.attrib["aria-label"] == "T(N) of a case"
    dots = list(root.iter(f"{SVG}circle"))
    assert len(dots) == len(POINTS)
    (regime,) = root.iter(f"{SVG}rect")
    left, right = float(regime.attrib["x"]), float(regime.attrib["x"]) + float(regime.attrib["width"])
    assert [round(left, 1), round(right, 1)] == [round(float(dots[index].attrib["cx"]), 1) for index in (1, 2)]
    (line,) = root.iter(f"{SVG}polyline")
    ends = [tuple(map(float, one.split(","))) for one in line.attrib["points"].split()]
    for (x, y), dot in zip((ends[0], ends[-1]), dots[1:3], strict=True):
        assert x == pytest.approx(float(dot.attrib["cx"]), abs=0.1)
        assert y == pytest.approx(float(dot.attrib["cy"]), abs=0.1)
    assert {"1", "10", "100", "1,000"} <= set(texts(root, "tick"))


def test_spans_that_have_no_place_on_such_axes_are_left_out() -> None:
    root = drawn(plot.ladder([(0, 5.0), (1, 0.0), (2, -3.0), (4, 8.0)], None, "T(N)"))
    assert len(list(root.iter(f"{SVG}circle"))) == 1
    assert plot.ladder([(0, 5.0)], None, "T(N)") == ""
    assert plot.ladder([], Line(1.0, 1.0, 1, 2), "T(N)") == ""


@pytest.mark.parametrize("line", [Line(100.0, 25.0, 10, 10), Line(-5000.0, 25.0, 1, 1000), Line(1e12, 1e9, 1, 1000)])
def test_a_line_beyond_the_spans_stays_within_the_frame(line: Line) -> None:
    drawn(plot.ladder(POINTS, line, "T(N)"))


def test_extremes_that_the_contract_allows_can_be_drawn() -> None:
    drawn(plot.ladder([(1, 1e-320), (1_000_000, 6e8)], None, "T(N)"))
    drawn(plot.forest([("a", 1e-320, None, None, "software"), ("b", 6e8, 1.0, 6e8, "hardware")], "costs"))
    drawn(plot.trace([[0.0, 6e8, -6e8], [1.0, 5.0]], "trace"))
    drawn(plot.bars([("submit", 1e-320), ("finish", 6e8)], "phases"))


@pytest.mark.parametrize(("low", "high"), [(24.0, 36.0), (2.1, 2.9), (1.0, 9.0), (0.5, 5e5), (41.0, 41.0)])
def test_an_axis_always_has_ticks_to_read_it_by(low: float, high: float) -> None:
    axis = Axis(low / 1.25, high * 1.25, 0.0, 100.0)
    ticks = axis.ticks()
    assert 2 <= len(ticks) <= 10
    assert all(axis.low <= tick <= axis.high for tick in ticks)
    assert ticks == sorted(ticks)


def test_a_runtime_is_a_row_with_its_interval() -> None:
    rows = [("dawn", 25.0, 24.0, 26.0, "hardware"), ("firefox", 67.0, None, None, "unknown"), ("none", 0.0, 0, 0, "")]
    root = drawn(plot.forest(rows, "costs"))
    assert texts(root, "name") == ["dawn", "firefox"]
    assert [one.attrib["class"] for one in root.iter(f"{SVG}circle")] == ["hardware", "unknown"]
    (bar,) = [one for one in root.iter(f"{SVG}line") if one.attrib["class"] == "bar"]
    (dot, _) = root.iter(f"{SVG}circle")
    assert float(bar.attrib["x1"]) < float(dot.attrib["cx"]) < float(bar.attrib["x2"])
    assert plot.forest([], "costs") == ""


def test_an_interval_that_reaches_below_zero_ends_at_the_axis() -> None:
    drawn(plot.forest([("dawn", 25.0, -4.0, 54.0, "hardware")], "costs"))


def test_phases_are_bars_in_proportion() -> None:
    root = drawn(plot.bars([("submit", 10.0), ("finish", 5.0), ("dispatch", 0.0)], "phases"))
    widths = [float(one.attrib["width"]) for one in root.iter(f"{SVG}rect")]
    assert widths[0] == pytest.approx(2 * widths[1])
    assert texts(root, "value") == ["10.0 µs", "5.00 µs"]
    assert plot.bars([("dispatch", 0.0)], "phases") == ""


def test_a_trace_is_drawn_to_its_end_in_a_few_hundred_points() -> None:
    stamps = [float(n) for n in range(1, 8193)]
    root = drawn(plot.trace([stamps, stamps[:100]], "trace"))
    long, short = (one.attrib["points"].split() for one in root.iter(f"{SVG}polyline"))
    assert 100 < len(long) < 700
    assert len(short) <= 101
    assert float(long[-1].split(",")[1]) == pytest.approx(plot.TOP, abs=1.0)
    assert "8,192" in texts(root, "tick")
    assert plot.trace([], "trace") == plot.trace([[1.0]], "trace") == plot.trace([[0.0, 0.0]], "trace") == ""


def test_names_cannot_leave_their_place() -> None:
    name = '"><script>alert(1)</script>'
    for chart in (
        plot.ladder(POINTS, None, name),
        plot.forest([(name, 25.0, None, None, "software")], name),
        plot.bars([(name, 25.0)], name),
        plot.trace([[1.0, 2.0]], name),
    ):
        root = drawn(chart)
        assert root.attrib["aria-label"] == name
        assert not list(root.iter(f"{SVG}script"))
