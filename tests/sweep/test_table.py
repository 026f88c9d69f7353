import io
from typing import Any

import pytest
from rich.console import Console

from dispatchmark.contract.comparison import Comparison
from dispatchmark.sweep.table import figure, footnotes, table

NATIVE: dict[str, Any] = {
    "key": "dawn",
    "runtime": "dawn",
    "version": "0.32",
    "adapter": "SwiftShader Device",
    "software": True,
    "wait_mode": "done",
    "per_operation_us": {"value": 23.42, "low": 22.1, "high": 24.74},
    "run_slopes_us": [23.0, 23.4, 23.9],
    "wait_us": 12.0,
    "naive_us": 46.0,
    "total_over_100_us": 23.6,
    "no_ratio": "it is the baseline",
}
BROWSER: dict[str, Any] = NATIVE | {
    "key": "chromium",
    "runtime": "chromium",
    "version": "156.0.1",
    "adapter": "google swiftshader",
    "per_operation_us": {"value": 47.1, "low": 41.0, "high": 53.2},
    "run_slopes_us": [46.0, 47.0, 48.3],
    "no_ratio": None,
    "ratio": {
        "baseline": "dawn",
        "ratio": {"value": 2.01, "low": 1.8, "high": 2.24},
        "verdict": "differs",
        "percent": 5.0,
        "notes": ["drivers are named differently: A and B"],
    },
}
POLLED: dict[str, Any] = {
    "key": "firefox",
    "runtime": "firefox",
    "reason": "unresolved: poll (waits end on a 100 ms poll)",
    "wait_mode": "done",
    "wait_us": 100_200.0,
    "naive_us": 100_300.0,
    "total_over_100_us": 1002.0,
    "no_ratio": "the row has no figure",
}
GONE: dict[str, Any] = {"key": "safari", "runtime": "safari", "reason": "unavailable: Safari runs on macOS only"}


def comparison(*rows: dict[str, Any], **changes: Any) -> Comparison:
    head = {"sweep_id": "0" * 32, "case_id": "submit/f32/chained", "rows": list(rows)}
    return Comparison.model_validate(head | changes)


def printed(*rows: dict[str, Any], width: int = 120, **changes: Any) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(table(comparison(*rows, **changes)))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_every_figure_is_in_the_table() -> None:
    text = printed(NATIVE, BROWSER)
    for cell in (
        "156.0.1",
        "google swiftshader",
        "software",
        "47.1",
        "[41.0, 53.2]",
        "12.0",
        "46.0",
        "23.6",
        "2.01",
        "[1.80, 2.24]",
        "ratio to",
        "native",
        "baseline",
    ):
        assert cell in text


@pytest.mark.parametrize("width", [80, 100, 200])
def test_a_narrow_terminal_still_shows_the_figures(width: int) -> None:
    text = printed(NATIVE, BROWSER, POLLED, GONE, width=width)
    for cell in ("chromium", "47.1", "2.01", "unavailable", "100 200"):
        assert cell in text
    assert max(map(len, text.splitlines())) <= width


def test_rows_without_a_figure_say_why() -> None:
    text = printed(POLLED, GONE)
    assert "unresolved" in text
    assert "firefox: unresolved: poll (waits end on a 100 ms poll)" in text
    assert "safari: unavailable: Safari runs on macOS only" in text


@pytest.mark.parametrize(
    ("slopes", "words"),
    [
        ([23.0, 24.5], "2 runs: 23.0 to 24.5 µs; too few for an interval"),
        ([23.0], "1 run; too few for an interval"),
    ],
)
def test_few_runs_are_shown_as_what_they_are(slopes: list[float], words: str) -> None:
    few = NATIVE | {"per_operation_us": {"value": 23.7}, "run_slopes_us": slopes}
    assert f"dawn: {words}" in footnotes(comparison(few))


def test_what_is_true_of_several_rows_is_said_once() -> None:
    other = BROWSER | {"key": "chromium/user"}
    notes = footnotes(comparison(NATIVE, BROWSER, other, notes=["the machine was busy"]))
    assert notes == [
        "chromium, chromium/user: ratio to dawn: drivers are named differently: A and B",
        "the machine was busy",
    ]


def test_a_withheld_ratio_says_why() -> None:
    withheld = BROWSER | {"ratio": None, "no_ratio": "not comparable with dawn: different adapters: A and B"}
    assert "chromium: no ratio: not comparable with dawn: different adapters: A and B" in footnotes(
        comparison(withheld)
    )


def test_a_chosen_baseline_is_named() -> None:
    assert "native" not in printed(NATIVE, baseline="wgpu")
    assert "wgpu" in printed(NATIVE, baseline="wgpu")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (0.0, "0"),
        (0.01234, "0.012"),
        (0.5, "0.50"),
        (9.994, "9.99"),
        (9.996, "10.0"),
        (99.94, "99.9"),
        (99.96, "100"),
        (1234.5, "1 234"),
        (103_490.0, "103 490"),
        (-4.2, "-4.20"),
    ],
)
def test_figures_have_three_digits(value: float | None, text: str) -> None:
    assert figure(value) == text
