"""Units, rounding and words: how figures and states are said on the pages, and nowhere else."""

from collections.abc import Mapping
from math import floor, log10

VERDICT_WORDS: Mapping[str, str] = {
    "accepted": "accepted",
    "disturbed": "disturbed: something changed while it was measured",
    "invalid": "invalid: the results were not those of the dispatches",
}
STATUS_WORDS: Mapping[str, str] = {
    "running": "running",
    "finished": "finished",
    "partial": "partial: it ended early, what was measured is kept",
    "cancelled": "cancelled",
    "failed": "failed",
    "unsupported": "unsupported",
    "unavailable": "not available",
}
REASON_WORDS: Mapping[str, str] = {
    "clock": "the clock is too coarse",
    "poll": "the wait ends only on a poll",
    "noise": "too much noise",
    "too few": "too few spans",
    "bent": "no straight part",
}
NONE = "–"
PLAIN = (1e-5, 1e15)
"""Numbers that are written out. Anyone may send others, and they would fill pages with zeros."""


def significant(value: float, digits: int = 3) -> str:
    """A number with so many significant digits: 0.0123, 1.24, 41.2, 1,040. Only absurd ones get an exponent."""
    if value == 0:
        return "0"
    if not PLAIN[0] <= abs(value) < PLAIN[1]:
        return f"{value:.{digits - 1}e}"
    # Rounding may carry into one more digit: 9.999 is 10.0.
    carried = float(f"{value:.{digits - 1}e}")
    places = max(0, digits - 1 - floor(log10(abs(carried))))
    return f"{value:,.{places}f}"


def us(value: float | None) -> str:
    """A time given in microseconds, in the unit that reads best."""
    if value is None:
        return NONE
    scale, unit = _unit(value)
    return f"{significant(value / scale)} {unit}"


def interval(value: float, low: float | None, high: float | None) -> str:
    """An interval of microseconds in the unit that `us` gives its value, which stands beside it."""
    if low is None or high is None:
        return ""
    scale, _ = _unit(value)
    return f"{significant(low / scale)} – {significant(high / scale)}"


def tick(value: float) -> str:
    """A round number on an axis."""
    return f"{value:,.12g}"


def tick_us(value: float) -> str:
    """A round time on an axis, given in microseconds."""
    scale, unit = _unit(value)
    return f"{tick(value / scale)} {unit}"


def _unit(value: float) -> tuple[float, str]:
    if abs(value) >= 1e6:
        return 1e6, "s"
    return (1e3, "ms") if abs(value) >= 1e4 else (1.0, "µs")


def ratio(value: float | None) -> str:
    """A ratio, as in 1.94×."""
    return NONE if value is None else f"{significant(value)}×"


def between(low: float | None, high: float | None) -> str:
    """The interval of a ratio, which stands beside it."""
    return "" if low is None or high is None else f"{significant(low)} – {significant(high)}"


def kind_of_adapter(software: bool | None) -> str:
    """Software, hardware, or unknown."""
    return {True: "software", False: "hardware", None: "unknown"}[software]


def short(identifier: str | None) -> str:
    """The first characters of an id or a hash, enough to tell it from others."""
    return identifier[:8] if identifier else NONE


def setting(value: object) -> str:
    """A reading of a control or an environment as text."""
    if value is None or value == "" or value == [] or value == {}:
        return NONE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return significant(value, 4)
    if isinstance(value, list):
        return ", ".join(str(one) for one in value)
    if isinstance(value, dict):
        return ", ".join(f"{key}={_item(one)}" for key, one in value.items())
    return str(value)


def _item(value: object) -> str:
    """Limits are whole numbers that come as floats."""
    return tick(value) if isinstance(value, float) else setting(value)
