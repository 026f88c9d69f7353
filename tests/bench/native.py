"""The native harness against plain loops, as one would write them from the packages' own examples."""

import gc
import json
import random
import struct
import sys
from collections.abc import Callable
from dataclasses import asdict
from time import perf_counter_ns
from typing import Any

from dispatchmark.contract import suite
from dispatchmark.contract.suite import wgsl
from dispatchmark.runtimes.native import controls, libraries
from dispatchmark.runtimes.native.kinds import prepare
from dispatchmark.runtimes.native.library import describe
from dispatchmark.runtimes.native.measure import Conditions, Context, Result, meter
from dispatchmark.runtimes.native.run import Run
from tests.bench.ratio import Span

SPAN_US = 30_000
STEPS = (1, 2, 4, 8)
WORKGROUPS = 4

Loop = Callable[[int], None]


def plain_loops(device: Any, code: str) -> tuple[dict[str, Loop], Any]:
    """The loops by operation, and the buffer in which their dispatches count."""
    buffer = device.create_buffer(size=1024, usage=0x80 | 0x4 | 0x8)
    layout = device.create_bind_group_layout(
        entries=[{"binding": 0, "visibility": 4, "buffer": {"type": "storage"}}],
    )
    pipeline = device.create_compute_pipeline(
        layout=device.create_pipeline_layout(bind_group_layouts=[layout]),
        compute={"module": device.create_shader_module(code=code), "entry_point": "main"},
    )
    group = device.create_bind_group(
        layout=layout, entries=[{"binding": 0, "resource": {"buffer": buffer, "offset": 0, "size": 1024}}]
    )

    def submit(n: int) -> None:
        for _ in range(n):
            encoder = device.create_command_encoder()
            compute = encoder.begin_compute_pass()
            compute.set_pipeline(pipeline)
            compute.set_bind_group(0, group)
            compute.dispatch_workgroups(WORKGROUPS)
            compute.end()
            device.queue.submit([encoder.finish()])

    def cmdbufs(n: int) -> None:
        buffers = []
        for _ in range(n):
            encoder = device.create_command_encoder()
            compute = encoder.begin_compute_pass()
            compute.set_pipeline(pipeline)
            compute.set_bind_group(0, group)
            compute.dispatch_workgroups(WORKGROUPS)
            compute.end()
            buffers.append(encoder.finish())
        device.queue.submit(buffers)

    def passes(n: int) -> None:
        encoder = device.create_command_encoder()
        for _ in range(n):
            compute = encoder.begin_compute_pass()
            compute.set_pipeline(pipeline)
            compute.set_bind_group(0, group)
            compute.dispatch_workgroups(WORKGROUPS)
            compute.end()
        device.queue.submit([encoder.finish()])

    def dispatches(n: int) -> None:
        encoder = device.create_command_encoder()
        compute = encoder.begin_compute_pass()
        compute.set_pipeline(pipeline)
        compute.set_bind_group(0, group)
        for _ in range(n):
            compute.dispatch_workgroups(WORKGROUPS)
        compute.end()
        device.queue.submit([encoder.finish()])

    return {"submit": submit, "cmdbufs": cmdbufs, "passes": passes, "dispatches": dispatches}, buffer


def compare(runtime: str, operation: str, rounds: int, seed: int) -> dict[str, Any]:
    """Spans of both loops on one device, in random order within each round."""
    file, library = suite.load(), libraries.load(runtime)
    run, case = Run(library, file, "quick", seed), file.case(f"{operation}/f32/chained")
    rng, conditions = random.Random(seed), Conditions()
    context = Context(
        library=library,
        file=file,
        case=case,
        limits=run._limits(case),
        conditions=conditions,
        result=Result(),
        origin_ns=run.origin_ns,
        rng=rng,
        open=lambda: run._device(case),
        progress=lambda fraction: None,
    )
    controls.examine_clock(context)
    controls.wait(context)
    device = context.open()
    _, tally, timer, issue = prepare(context, device)
    measure = meter(context, device, issue, tally=tally, timer=timer)
    loops, buffer = plain_loops(device, wgsl(file.kernels["add_f32"]))
    loop, total = loops[operation], 0
    wait = device._poll_wait if runtime == "wgpu" else device.queue.on_submitted_work_done_sync

    def harness(n: int) -> float:
        return measure(n, 0).done_us

    def plain(n: int) -> float:
        nonlocal total
        total += n
        start = perf_counter_ns()
        loop(n)
        wait()
        return (perf_counter_ns() - start) / 1000

    # Off for both: a collection would fall into the spans of one loop or the other by chance.
    gc.disable()
    top = STEPS[-1]
    for timed in (harness, plain):
        timed(32)
    while min(plain(top) for _ in range(3)) < SPAN_US and 2 * top <= case.max_n:
        top *= 2
    spans = []
    for number in range(rounds):
        turns = [("harness", harness), ("plain", plain), ("again", plain)]
        for name, timed, n in rng.sample(
            [(name, timed, top // step) for name, timed in turns for step in STEPS], len(turns) * len(STEPS)
        ):
            spans.append(Span(name, number, n, timed(n)))  # type: ignore[arg-type]
    (counted,) = set(struct.unpack("256f", bytes(device.queue.read_buffer(buffer))))
    return {
        "version": library.version,
        "adapter": describe(library.adapter()).label,
        "wait": conditions.wait.value,
        "verified": tally.verify() and counted == min(total, 2**24),
        "spans": [asdict(span) for span in spans],
    }


if __name__ == "__main__":
    name, case_operation, count, number = sys.argv[1:]
    print(json.dumps(compare(name, case_operation, int(count), int(number))))
