"""The kinds of cases, as web/core/kinds has them."""

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter_ns
from typing import Any

from dispatchmark.contract.submission import Sample, Series
from dispatchmark.contract.suite import CaseKind

from .controls import CONTROLS
from .measure import Context, meter, run_ladder
from .timestamps import GpuTimer
from .workload import Issue, Tally, Workload, build

NAIVE_MOST, NAIVE_LEAST, NAIVE_WARM_UP, NAIVE_SHARE = 200, 5, 3, 0.3
PHASE_WARM_UP = 2
TRACE_REPETITIONS, TRACE_CALIBRATION, TRACE_CAPS = 4, 64, 3
CHUNK_MULTIPLES, CHUNK_FEW, CHUNK_ROUNDS = (1, 2, 4), (1, 2), 2
CARRYOVER_LADDERS, CARRYOVER_LARGEST = 3, 2048


def prepare(context: Context, device: Any) -> tuple[Workload, Tally, GpuTimer | None, Issue]:
    """The operation of a case on a device, ready to be timed, with what checks it. It has run twice."""
    workload = build(device, context.file, context.case)
    tally = Tally(workload)
    timed = context.case.timestamps and context.library.times_gpu and "timestamp-query" in device.features
    timer = GpuTimer(device) if timed else None
    issue = context.library.operation(workload, context.case, context.file.workload.command_buffers_per_submit, timer)
    issue(2)
    tally.add(2)
    return workload, tally, timer, issue


def ladder(context: Context) -> None:
    """N operations and one wait, over a ladder of N."""
    device = context.open()
    _, tally, timer, issue = prepare(context, device)
    found = run_ladder(context, meter(context, device, issue, tally=tally, timer=timer), context.limits, None)
    context.result.values = {**found, **({"gpu_invalid": timer.invalid} if timer else {})}
    context.result.verified = tally.verify()


def naive(context: Context) -> None:
    """One operation and a wait, each time."""
    device = context.open()
    _, tally, _, issue = prepare(context, device)
    measure = meter(context, device, issue, tally=tally)
    for _ in range(NAIVE_WARM_UP):
        measure(1, 0)
    samples: list[Sample] = []
    begun, budget_ns = perf_counter_ns(), context.limits.budget_us * NAIVE_SHARE * 1000
    while len(samples) < NAIVE_LEAST or (len(samples) < NAIVE_MOST and perf_counter_ns() - begun < budget_ns):
        samples.append(measure(1, len(samples)))
    stopped = "budget" if len(samples) < NAIVE_MOST else "rounds"
    context.result.series.append(Series(samples=samples, stopped=stopped))
    context.result.verified = tally.verify()


def phases(context: Context) -> None:
    """The CPU time of each API call of a dispatch, in batches, since no clock resolves a single call."""
    device = context.open()
    workload, tally, _, _ = prepare(context, device)
    dispatch, done = context.library.phases(workload), context.wait(device)
    wait = context.conditions.wait
    timed: dict[str, list[Sample]] = {}
    sizes = [context.case.max_n >> 2, context.case.max_n >> 1, context.case.max_n]
    limits, begun, rep = context.limits, perf_counter_ns(), -PHASE_WARM_UP
    while rep < limits.min_rounds or (rep < limits.max_rounds and perf_counter_ns() - begun < limits.budget_us * 1000):
        for n in context.rng.sample(sizes, len(sizes)):
            spans = dispatch(n)
            done()
            tally.add(n)
            for label, start_ns, span_ns in spans if rep >= 0 else ():
                start_us, span_us = (start_ns - context.origin_ns) / 1000, span_ns / 1000
                sample = Sample(n=n, rep=rep, wait=wait, start_us=start_us, encoded_us=span_us, done_us=span_us)
                timed.setdefault(label, []).append(sample)
        rep += 1
    context.result.series += [Series(label=label, samples=samples) for label, samples in timed.items()]
    context.result.verified = tally.verify()


def trace(context: Context) -> None:
    """A time stamp after each of N submits."""
    device = context.open()
    _, tally, _, issue = prepare(context, device)
    done = context.wait(device)
    calibrate = meter(context, device, issue, tally=tally)
    calibrate(TRACE_CALIBRATION, 0)
    done_us = calibrate(TRACE_CALIBRATION, 1).done_us
    per_operation_us = max(done_us - context.conditions.floor_us, 1.0) / TRACE_CALIBRATION
    n = max(1, min(context.case.max_n, int(TRACE_CAPS * context.limits.cap_us / per_operation_us)))
    samples: list[Sample] = []
    context.result.series.append(Series(samples=samples))
    for rep in range(TRACE_REPETITIONS):
        stamps = [0] * n
        start = perf_counter_ns()
        for index in range(n):
            issue(1)
            stamps[index] = perf_counter_ns()
        done()
        ended = perf_counter_ns()
        for _ in range(n):
            tally.add(1)
        samples.append(
            Sample(
                n=n,
                rep=rep,
                wait=context.conditions.wait,
                start_us=(start - context.origin_ns) / 1000,
                encoded_us=(stamps[-1] - start) / 1000,
                done_us=(ended - start) / 1000,
                stamps_us=[round((stamp - start) / 1000, 1) for stamp in stamps],
            )
        )
    context.result.series[-1] = Series(samples=samples)
    context.result.verified = tally.verify()


def chunk(context: Context) -> None:
    """The same number of dispatches with 1, 2, 4 ... of them in one submit."""
    device = context.open()
    _, tally, _, issue = prepare(context, device)
    most = context.case.max_n
    sizes = [1 << power for power in range(most.bit_length()) if 1 << power <= most]

    def chunks(size: int) -> Issue:
        def issue_chunks(n: int) -> None:
            for _ in range(n // size):
                issue(size)

        return issue_chunks

    # A chunk begins at the first slot again; with one slot, as here, that makes no difference to the count.
    meters = {size: meter(context, device, chunks(size), tally=tally) for size in sizes}
    found: dict[int, list[Sample]] = {size: [] for size in sizes}
    begun, budget_ns = perf_counter_ns(), context.limits.budget_us * 1000
    for measure in meters.values():
        measure(most, 0)
    # Where a round of all multiples would be most of the budget, there are fewer.
    multiples = CHUNK_MULTIPLES if perf_counter_ns() - begun < budget_ns / 10 else CHUNK_FEW
    spans = [(size, multiple * most) for size in sizes for multiple in multiples]
    rep = 0
    while rep < CHUNK_ROUNDS or (rep < context.limits.max_rounds and perf_counter_ns() - begun < budget_ns):
        for size, n in context.rng.sample(spans, len(spans)):
            found[size].append(meters[size](n, rep))
        rep += 1
    context.result.series += [Series(label=str(size), samples=samples) for size, samples in found.items()]
    context.result.verified = tally.verify()


def carryover(context: Context) -> None:
    """The same submits before and after one large batch of passes on one device, then on a new device."""
    limits = replace(
        context.limits,
        budget_us=context.limits.budget_us / CARRYOVER_LADDERS,
        max_n=min(CARRYOVER_LARGEST, context.case.max_n),
    )
    verified = True
    for loaded in (True, False):
        device = context.open()
        workload, tally, _, issue = prepare(context, device)
        measure = meter(context, device, issue, tally=tally)
        run_ladder(context, measure, limits, "before" if loaded else "new device")
        if loaded:
            passes = context.library.operation(workload, context.case.model_copy(update={"operation": "passes"}), 1)
            batch = meter(context, device, passes, tally=tally)(context.case.max_n, 0)
            context.result.values = {"batch_passes": context.case.max_n, "batch_us": batch.done_us}
            run_ladder(context, measure, limits, "after")
        verified = tally.verify() and verified
    context.result.verified = verified


def control(context: Context) -> None:
    """A control case."""
    CONTROLS[context.case.id](context)


KINDS: dict[CaseKind, Callable[[Context], None]] = {
    CaseKind.CONTROL: control,
    CaseKind.NAIVE: naive,
    CaseKind.LADDER: ladder,
    CaseKind.PHASES: phases,
    CaseKind.TRACE: trace,
    CaseKind.CHUNK: chunk,
    CaseKind.CARRYOVER: carryover,
}
