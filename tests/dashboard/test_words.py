import pytest

from dispatchmark.dashboard import words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.01234, "0.0123"),
        (0.0999951, "0.100"),
        (1.2364, "1.24"),
        (9.999, "10.0"),
        (41.25, "41.2"),
        (99.96, "100"),
        (1040.4, "1,040"),
        (-25.04, "-25.0"),
        (123456.0, "123,456"),
        (1e-300, "1.00e-300"),
        (1e300, "1.00e+300"),
        (-4.2e-7, "-4.20e-07"),
    ],
)
def test_numbers_have_three_significant_digits(value: float, text: str) -> None:
    assert words.significant(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0.0, "0 µs"),
        (0.0421, "0.0421 µs"),
        (25.04, "25.0 µs"),
        (9_999.0, "9,999 µs"),
        (10_000.0, "10.0 ms"),
        (100_230.0, "100 ms"),
        (1_500_000.0, "1.50 s"),
        (-20_000.0, "-20.0 ms"),
    ],
)
def test_times_are_in_the_unit_that_reads_best(value: float | None, text: str) -> None:
    assert words.us(value) == text


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (25.0, 24.04, 26.0, "24.0 – 26.0"),
        (9_900.0, 9_700.0, 10_100.0, "9,700 – 10,100"),
        (10_100.0, 9_900.0, 10_300.0, "9.90 – 10.3"),
        (-0.5, -1.0, 0.25, "-1.00 – 0.250"),
        (25.0, None, 26.0, ""),
        (25.0, 24.0, None, ""),
    ],
)
def test_an_interval_is_in_the_unit_of_its_value(
    value: float, low: float | None, high: float | None, text: str
) -> None:
    assert words.interval(value, low, high) == text


def test_ratios_kinds_and_ids() -> None:
    assert (words.ratio(1.9432), words.ratio(None)) == ("1.94×", "–")
    assert [words.kind_of_adapter(one) for one in (True, False, None)] == ["software", "hardware", "unknown"]
    assert (words.short("0123456789abcdef"), words.short(None)) == ("01234567", "–")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        ("", "–"),
        ([], "–"),
        ({}, "–"),
        (0, "0"),
        (True, "yes"),
        (False, "no"),
        (5.00001, "5.000"),
        (1e-300, "1.000e-300"),
        (["a", 1], "a, 1"),
        ({"limit": 4.0}, "limit=4"),
        ({"flag": True, "none": None}, "flag=yes, none=–"),
        ("text", "text"),
    ],
)
def test_readings_are_text(value: object, text: str) -> None:
    assert words.setting(value) == text
