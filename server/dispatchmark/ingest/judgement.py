"""Is a run to be trusted? Pure, named rules over stored parts; each finds reasons in words or nothing.

An `invalid` run did not do the work; a `disturbed` one did, under conditions that change the cost. Both are kept and
shown, with the reasons.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dispatchmark.contract.receipt import Estimate, Verdict
from dispatchmark.contract.submission import Part

from .readings import cases, environments


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the rules look at: parts, estimates, and the limits."""

    parts: Sequence[Part]
    estimates: Sequence[Estimate]
    carryover_limit: float
    hidden_limit_ms: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a run; None where it measured nothing."""

    verdict: Verdict | None
    reasons: list[str]
    carryover_ratio: float | None


Rule = Callable[[Evidence], Iterator[str]]


def result_check_failed(evidence: Evidence) -> Iterator[str]:
    """A buffer read back with the wrong values: dispatches did not happen, so their cost is no cost."""
    for part in cases(evidence.parts):
        if part.verified is False:
            yield f"{part.case_id}: the result read back is wrong"


def work_ended_before_it_began(evidence: Evidence) -> Iterator[str]:
    """A negative span cannot be a duration: the clock ran backwards, or the sender made it up."""
    for part in cases(evidence.parts):
        count = sum(sample.done_us < 0 or sample.encoded_us < 0 for one in part.series for sample in one.samples)
        if count:
            yield f"{part.case_id}: {count} spans are negative"


def clock_not_monotonic(evidence: Evidence) -> Iterator[str]:
    """The clock control saw the clock step back."""
    for part in cases(evidence.parts):
        if part.case_id == "control/clock" and part.values.get("monotonic") is False:
            yield "control/clock: the clock stepped back"


def carried_over(evidence: Evidence) -> Iterator[str]:
    """The first case, repeated last, costs something else: the runtime remembers what ran between."""
    ratio = carryover_ratio(evidence.estimates)
    limit = evidence.carryover_limit
    if ratio is not None and not 1 / limit <= ratio <= limit:
        yield f"the first case, repeated last, cost {ratio:.2f} times as much (limit {limit:g})"


def page_hidden(evidence: Evidence) -> Iterator[str]:
    """Browsers slow hidden pages down."""
    for part in cases(evidence.parts):
        if part.hidden_ms is not None and part.hidden_ms > evidence.hidden_limit_ms:
            yield f"{part.case_id}: the page was hidden for {part.hidden_ms:.0f} ms"


def adapter_changed(evidence: Evidence) -> Iterator[str]:
    """The run describes two different adapters: it began on one GPU and ended on another."""
    adapters = [part.adapter for part in environments(evidence.parts) if part.adapter is not None]
    names = [(one.vendor, one.architecture, one.device, one.description, one.software) for one in adapters]
    if len(set(names)) > 1:
        yield "the adapter changed during the run"


INVALIDATING: tuple[Rule, ...] = (result_check_failed, work_ended_before_it_began)
DISTURBING: tuple[Rule, ...] = (clock_not_monotonic, carried_over, page_hidden, adapter_changed)


def judge(evidence: Evidence) -> Judgement:
    """Applies all rules; the gravest finding is the verdict."""
    invalid = [reason for rule in INVALIDATING for reason in rule(evidence)]
    disturbed = [reason for rule in DISTURBING for reason in rule(evidence)]
    verdict: Verdict | None = None
    if invalid:
        verdict = "invalid"
    elif disturbed:
        verdict = "disturbed"
    elif any(part.status == "measured" for part in cases(evidence.parts)):
        verdict = "accepted"
    return Judgement(verdict, invalid + disturbed, carryover_ratio(evidence.estimates))


def carryover_ratio(estimates: Sequence[Estimate]) -> float | None:
    """Cost of the repeated first case over its first cost; None unless both are resolved and positive."""
    first = {_quantity(one): one.slope_us for one in estimates if not one.repeat}
    for again in estimates:
        if again.repeat:
            before, after = first.get(_quantity(again)), again.slope_us
            return after / before if before and after and before > 0 and after > 0 else None
    return None


def _quantity(estimate: Estimate) -> tuple[str, str | None, str]:
    return estimate.case_id, estimate.label, estimate.wait
