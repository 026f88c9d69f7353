"""The CPU time of each API call of a dispatch, in batches, since no clock resolves a single call."""

from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

from .workload import COPY_DST, ONE, UNIFORM, Workload

Batch = Callable[[int], list[tuple[str, int, int]]]
"""Dispatches n times; gives for each kind of call its label, when its calls began and how long they took, in ns."""


def batch(workload: Workload) -> Batch:
    """The calls of the Python packages. Lists are made by comprehensions, the cheapest loop there is here."""
    device, group, pipeline, workgroups = workload.device, workload.groups[0], workload.pipeline, workload.workgroups
    queue, uniform = device.queue, device.create_buffer(size=16, usage=UNIFORM | COPY_DST)

    def dispatch(n: int) -> list[tuple[str, int, int]]:
        times = range(n)
        timed: list[tuple[str, int, int]] = []

        def time(label: str, calls: Callable[[], Any]) -> Any:
            start = perf_counter_ns()
            answer = calls()
            timed.append((label, start, perf_counter_ns() - start))
            return answer

        encoders = time("encoder", lambda: [device.create_command_encoder() for _ in times])
        runs = time("pass_begin", lambda: [encoder.begin_compute_pass() for encoder in encoders])
        time("set_pipeline", lambda: [run.set_pipeline(pipeline) for run in runs])
        time("set_bind_group", lambda: [run.set_bind_group(0, group) for run in runs])
        time("dispatch", lambda: [run.dispatch_workgroups(workgroups) for run in runs])
        time("pass_end", lambda: [run.end() for run in runs])
        buffers = time("finish", lambda: [encoder.finish() for encoder in encoders])
        time("submit", lambda: [queue.submit([buffer]) for buffer in buffers])
        time("create_bind_group", lambda: [device.create_bind_group(**workload.description) for _ in times])
        time("write_buffer", lambda: [queue.write_buffer(uniform, 0, ONE) for _ in times])
        return timed

    return dispatch
