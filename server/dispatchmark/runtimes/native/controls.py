"""The control cases: clock, CPU, wait, empty submits, timestamp queries."""

from dataclasses import replace
from itertools import pairwise
from statistics import median
from time import perf_counter_ns

from dispatchmark.contract.base import WaitMode
from dispatchmark.contract.submission import Sample, Series

from . import clock
from .library import Unsupported
from .measure import Context, meter, run_ladder
from .timestamps import GpuTimer
from .workload import build

WAITS = 25
SPINS = 12
SPIN_US = 5000.0
LENGTHS = (1, 10, 100, 1000)
REPETITIONS = 6
POLL_US = 1000.0
POLL_SPREAD = 0.1


def examine_clock(context: Context) -> None:
    """Quantum, jitter and cost of the clock."""
    readings = clock.examine()
    context.conditions.quantum_us = readings.quantum_us
    context.result.values = {
        "quantum_us": readings.quantum_us,
        "jitter_us": readings.jitter_us,
        "call_overhead_us": readings.call_overhead_us,
        "monotonic": readings.monotonic,
        "isolated": True,
    }


def spin(context: Context) -> None:
    """A CPU loop of known work."""

    def once(units: int) -> tuple[int, float]:
        start = perf_counter_ns()
        clock.spin(units)
        return start, (perf_counter_ns() - start) / 1000

    units = 10
    while once(units)[1] < SPIN_US:
        units *= 2
    samples = []
    for rep in range(SPINS):
        start, span_us = once(units)
        start_us = (start - context.origin_ns) / 1000
        samples.append(
            # Nothing is awaited here; the contract wants a wait mode of every sample.
            Sample(n=units, rep=rep, wait=WaitMode.DONE, start_us=start_us, encoded_us=span_us, done_us=span_us)
        )
    context.result.series.append(Series(samples=samples))
    context.result.values = {"us_per_unit": median(sample.done_us for sample in samples) / units}


def wait(context: Context) -> None:
    """The wait on an empty queue by each mode. Native libraries answer at once, so the plain wait is the run's."""
    device = context.open()
    floors: dict[WaitMode, float] = {}
    for mode in context.library.waits(device):
        measure = meter(context, device, lambda n: None, wait=mode)
        measure(0, 0)
        samples = [measure(0, rep) for rep in range(WAITS)]
        context.result.series.append(Series(label=mode.value, samples=samples))
        floors[mode] = median(sample.done_us for sample in samples)
        if mode is WaitMode.DONE:
            poll_us = detect_poll([sample.done_us for sample in samples])
    context.conditions.floor_us = floors[WaitMode.DONE]
    context.result.values = {
        "floor_done_us": floors[WaitMode.DONE],
        "floor_map_us": floors.get(WaitMode.MAP),
        "floor_nudged_us": None,
        "poll_us": poll_us,
        "wait_mode": WaitMode.DONE.value,
    }


def detect_poll(waits_us: list[float]) -> float | None:
    """The period of a poll that waits end on: long waits that hardly differ. Microseconds."""
    middle = median(waits_us)
    spread = median(abs(one - middle) for one in waits_us)
    return middle if middle >= POLL_US and spread <= POLL_SPREAD * middle else None


def empty_submits(context: Context) -> None:
    """Submits of nothing: the queue's own cost."""
    device = context.open()
    issue = context.library.empty_submits(device)
    limits = replace(context.limits, budget_us=context.limits.budget_us / 4, rungs=5, min_rounds=3, max_rounds=12)
    context.result.values = dict(run_ladder(context, meter(context, device, issue), limits, None))


def timestamps(context: Context) -> None:
    """Timestamp queries, examined: their step, and whether they are zero, negative, or in a wrong unit."""
    if not context.library.times_gpu:
        raise Unsupported("the loops of the C API carry no timestamp queries; the Python runtime's run has them")
    device = context.open()
    workload = build(device, context.file, context.case)
    timer = GpuTimer(device)
    dispatches = context.case.model_copy(update={"operation": "dispatches"})
    measure = meter(context, device, context.library.operation(workload, dispatches, 1, timer))
    stamps: list[int] = []
    zeros = negatives = beyond = pairs = 0
    for rep in range(REPETITIONS):
        for n in LENGTHS:
            done_us = measure(n, rep).done_us
            begin, end = timer.read()
            stamps += (begin, end)
            pairs += 1
            if begin == 0 or end == 0:
                zeros += 1
            elif end < begin:
                negatives += 1
            elif (end - begin) / 1000 > 1.5 * done_us + 1000:
                beyond += 1
    steps = [later - earlier for earlier, later in pairwise(sorted(set(stamps)))]
    context.result.values = {
        "valid": zeros + negatives + beyond == 0 and bool(steps),
        "step_us": min(steps) / 1000 if steps else None,
        "zeros": zeros,
        "negatives": negatives,
        "pairs": pairs,
        "period_note": f"{beyond} spans longer than the wall clock's: not nanoseconds" if beyond else "ns",
    }


CONTROLS = {
    "control/clock": examine_clock,
    "control/spin": spin,
    "control/wait": wait,
    "control/submit": empty_submits,
    "control/timestamps": timestamps,
}
