"""What the pages show, made from rows and documents: one small view per thing, nothing rounded yet."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from dispatchmark.contract.receipt import Estimate
from dispatchmark.contract.submission import CasePart, EnvironmentPart, Part, Series
from dispatchmark.store.tables import RunRow

from . import plot, words

PHASES = "phases"
EACH_DISPATCH = frozenset(
    {"encoder", "pass_begin", "set_pipeline", "set_bind_group", "dispatch", "pass_end", "finish", "submit"}
)
"""The calls of a dispatch. Their sum means something only where each has a figure."""

TRACE = "submit-trace"
REFERENCE = "submit/f32/chained"
"""The case that a run is known by, unresolved or not: the naive figure beside it is of the same dispatch."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """One series of a case with its estimate and its plot."""

    title: str
    anchor: str
    estimate: Estimate
    overstated: float | None
    """How many times the paper's figure is the marginal cost."""
    chart: Markup


@dataclass(frozen=True, slots=True)
class Control:
    """One control with its readings as text."""

    case_id: str
    status: str
    reason: str | None
    readings: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Unmeasured:
    """A case without a figure, and why."""

    case_id: str
    status: str
    reason: str


@dataclass(frozen=True, slots=True)
class RunView:
    """A run's page."""

    run: RunRow
    main: Ladder | None
    ladders: list[Ladder]
    phases: Markup
    phase_rows: list[tuple[str, Estimate]]
    phase_total_us: float | None
    traces: Markup
    controls: list[Control]
    unmeasured: list[Unmeasured]
    conditions: list[tuple[str, list[tuple[str, str]]]]


def run_view(run: RunRow, parts: Sequence[Part], estimates: Sequence[Estimate]) -> RunView:
    """A run as its page shows it."""
    cases = [part for part in parts if isinstance(part, CasePart)]
    ladders = _ladders(cases, [one for one in estimates if not one.case_id.startswith((PHASES, "control/"))])
    phases = [(str(one.label), one) for one in estimates if one.case_id.startswith(PHASES)]
    figures = [(name, one.slope_us) for name, one in phases if one.slope_us is not None]
    calls = {name: value for name, value in figures if name in EACH_DISPATCH}
    return RunView(
        run=run,
        main=next((one for one in ladders if one.estimate.case_id == REFERENCE), ladders[0] if ladders else None),
        ladders=ladders,
        phases=plot.bars([(name.replace("_", " "), value) for name, value in figures], "CPU time of each API call"),
        phase_rows=phases,
        phase_total_us=sum(calls.values()) if calls.keys() == EACH_DISPATCH else None,
        traces=_traces(cases),
        controls=[_control(case) for case in cases if case.case_id.startswith("control/")],
        unmeasured=[
            Unmeasured(case.case_id, case.status, case.reason or "") for case in cases if case.status != "measured"
        ],
        conditions=_conditions(run, [part for part in parts if isinstance(part, EnvironmentPart)]),
    )


def _ladders(cases: Sequence[CasePart], estimates: Sequence[Estimate]) -> list[Ladder]:
    found = []
    for index, one in enumerate(estimates):
        series = _series(cases, one)
        title = one.case_id + (f" · {one.label}" if one.label else "") + (" · repeated last" if one.repeat else "")
        paper, slope = one.total_over_100_us, one.slope_us
        found.append(
            Ladder(
                title=title,
                anchor=f"case-{index}",
                estimate=one,
                overstated=paper / slope if paper and slope else None,
                chart=_chart(series, one, title),
            )
        )
    return found


def _series(cases: Sequence[CasePart], one: Estimate) -> Series | None:
    for case in cases:
        if case.case_id == one.case_id and case.repeat == one.repeat:
            for series in case.series:
                if series.label == one.label:
                    return series
    return None


def _chart(series: Series | None, one: Estimate, title: str) -> Markup:
    if series is None:
        return Markup("")
    points = [(sample.n, sample.done_us) for sample in series.samples if sample.wait == one.wait]
    line = None
    if None not in (one.intercept_us, one.slope_us, one.n_low, one.n_high):
        line = plot.Line(one.intercept_us, one.slope_us, one.n_low, one.n_high)  # type: ignore[arg-type]
    cost = f"{words.us(one.slope_us)} per operation" if one.slope_us is not None else "unresolved"
    return plot.ladder(points, line, f"T(N) of {title}: {cost}, {len(points)} spans")


def _traces(cases: Sequence[CasePart]) -> Markup:
    stamps = [
        sample.stamps_us
        for case in cases
        if case.case_id.startswith(TRACE)
        for series in case.series
        for sample in series.samples
        if sample.stamps_us
    ]
    return plot.trace(stamps, "Time after each submit; a kink upward is back-pressure")


def _control(case: CasePart) -> Control:
    readings = [
        (name.replace("_us", "").replace("_", " "), _reading(name, value)) for name, value in case.values.items()
    ]
    return Control(case.case_id, case.status, case.reason, readings)


def _reading(name: str, value: object) -> str:
    if name.endswith("_us") and isinstance(value, int | float) and not isinstance(value, bool):
        return words.us(float(value))
    return words.setting(value)


def _conditions(run: RunRow, environments: Sequence[EnvironmentPart]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Adapter, page, launch and machine as named tables."""
    environment = environments[0].model_dump(mode="json") if environments else {}
    launch, machine = run.start.get("launch"), run.start.get("machine")
    tables = {
        "Adapter": environment.get("adapter"),
        "Page": environment.get("page"),
        "Libraries": environment.get("libraries"),
        "Launch": launch,
        "Machine": machine,
    }
    return [
        (title, [(name.replace("_", " "), words.setting(value)) for name, value in table.items()])
        for title, table in tables.items()
        if table
    ]
