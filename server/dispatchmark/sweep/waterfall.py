"""An attribution as text: where the microseconds of a dispatch go, rung by rung."""

from collections.abc import Iterator

from dispatchmark.contract.comparison import Attribution, Step, Waterfall

from .table import figure, in_one_line, interval

BAR = 30
"""Characters of the longest bar."""


def lines(attribution: Attribution) -> Iterator[str]:
    """The waterfalls of an attribution, line by line."""
    for waterfall in attribution.waterfalls:
        yield from _waterfall(waterfall)
        yield ""
    for note in attribution.notes:
        yield f"note: {note}"


def _waterfall(waterfall: Waterfall) -> Iterator[str]:
    yield f"{waterfall.family}, {waterfall.path} path{_total(waterfall)}"
    widths = _widths(waterfall)
    for step, width in zip(waterfall.steps, widths, strict=True):
        cost = f"{_figure(step):>9} µs {interval(step.added_us):<18} {step.share:>6.0%}"
        yield f"  {cost}  {'█' * width:<{BAR}}  {_what(step)}"
    for missing in waterfall.missing:
        yield f"  missing: {in_one_line(missing)}"


def _total(waterfall: Waterfall) -> str:
    if waterfall.total_us is None:
        return ""
    return f": {waterfall.steps[-1].to} costs {figure(waterfall.total_us)} µs per dispatch"


def _figure(step: Step) -> str:
    sign = "+" if step.from_ is not None and step.added_us.value >= 0 else ""
    return sign + figure(step.added_us.value)


def _what(step: Step) -> str:
    seen = "" if step.verdict in ("adds", "saves") or step.from_ is None else f" ({step.verdict})"
    return f"{step.to}: {step.what}{seen}"


def _widths(waterfall: Waterfall) -> list[int]:
    longest = max((abs(step.added_us.value) for step in waterfall.steps), default=0.0)
    return [round(BAR * abs(step.added_us.value) / longest) if longest else 0 for step in waterfall.steps]
