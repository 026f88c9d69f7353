"""The loops that are timed. Everything they need is made beforehand, and looked up before the loop."""

from collections.abc import Callable
from typing import Any

from dispatchmark.contract.suite import Case

from .timestamps import GpuTimer
from .workload import ONE, Issue, Workload

Encode = Callable[[Any, int], object]


def operation(workload: Workload, case: Case, per_submit: int, timer: GpuTimer | None) -> Issue:
    """The loop that a case times, `submit` where it names none."""
    if case.operation == "cmdbufs":
        return _command_buffers(workload, case, per_submit)
    if case.operation == "passes":
        return _passes(workload, case, timer)
    if case.operation == "dispatches":
        return _dispatches(workload, case, timer)
    return _submits(workload, case)


def _submits(workload: Workload, case: Case) -> Issue:
    device, pipeline, uniform = workload.device, workload.pipeline, workload.uniform
    create_command_encoder = device.create_command_encoder
    submit, write_buffer = device.queue.submit, device.queue.write_buffer
    bind, dispatch = _binding(workload, case), _dispatching(workload)

    def issue(n: int) -> None:
        for index in range(n):
            encoder = create_command_encoder()
            run = encoder.begin_compute_pass()
            run.set_pipeline(pipeline)
            bind(run, index)
            dispatch(run, index)
            run.end()
            submit([encoder.finish()])

    def issue_with_uniform(n: int) -> None:
        for index in range(n):
            write_buffer(uniform, 0, ONE)
            encoder = create_command_encoder()
            run = encoder.begin_compute_pass()
            run.set_pipeline(pipeline)
            bind(run, index)
            dispatch(run, index)
            run.end()
            submit([encoder.finish()])

    return issue_with_uniform if case.uniform_written and uniform is not None else issue


def _command_buffers(workload: Workload, case: Case, per_submit: int) -> Issue:
    device, pipeline = workload.device, workload.pipeline
    create_command_encoder, submit = device.create_command_encoder, device.queue.submit
    bind, dispatch = _binding(workload, case), _dispatching(workload)

    def issue(n: int) -> None:
        for first in range(0, n, per_submit):
            finished = []
            for index in range(first, min(n, first + per_submit)):
                encoder = create_command_encoder()
                run = encoder.begin_compute_pass()
                run.set_pipeline(pipeline)
                bind(run, index)
                dispatch(run, index)
                run.end()
                finished.append(encoder.finish())
            submit(finished)

    return issue


def _passes(workload: Workload, case: Case, timer: GpuTimer | None) -> Issue:
    device, pipeline = workload.device, workload.pipeline
    bind, dispatch = _binding(workload, case), _dispatching(workload)

    def issue(n: int) -> None:
        encoder = device.create_command_encoder()
        begin_compute_pass = encoder.begin_compute_pass
        for index in range(n):
            run = begin_compute_pass()
            run.set_pipeline(pipeline)
            bind(run, index)
            dispatch(run, index)
            run.end()
        device.queue.submit([encoder.finish()])

    def issue_timed(n: int) -> None:
        assert timer is not None
        encoder = device.create_command_encoder()
        for index in range(n):
            run = encoder.begin_compute_pass(timestamp_writes=timer.describe(index, n))
            run.set_pipeline(pipeline)
            bind(run, index)
            dispatch(run, index)
            run.end()
        device.queue.submit([encoder.finish()])

    return issue if timer is None else issue_timed


def _dispatches(workload: Workload, case: Case, timer: GpuTimer | None) -> Issue:
    device, pipeline = workload.device, workload.pipeline
    bind, dispatch = _binding(workload, case), _dispatching(workload)
    once = len(workload.groups) == 1 and case.bind_group not in ("created", "dynamic")

    def issue(n: int) -> None:
        encoder = device.create_command_encoder()
        run = encoder.begin_compute_pass(timestamp_writes=timer.describe(0, 1) if timer else None)
        run.set_pipeline(pipeline)
        if once:
            bind(run, 0)
            for index in range(n):
                dispatch(run, index)
        else:
            for index in range(n):
                bind(run, index)
                dispatch(run, index)
        run.end()
        device.queue.submit([encoder.finish()])

    return issue


def _binding(workload: Workload, case: Case) -> Encode:
    groups, offsets, description = workload.groups, workload.offsets, workload.description
    group, count = groups[0], len(groups)
    if case.bind_group == "created":
        create_bind_group = workload.device.create_bind_group
        return lambda run, index: run.set_bind_group(0, create_bind_group(**description))
    if case.bind_group == "dynamic":
        slots = len(offsets)
        return lambda run, index: run.set_bind_group(0, group, offsets[index % slots])
    if count == 1:
        return lambda run, index: run.set_bind_group(0, group)
    return lambda run, index: run.set_bind_group(0, groups[index % count])


def _dispatching(workload: Workload) -> Encode:
    indirect, workgroups = workload.indirect, workload.workgroups
    if indirect is not None:
        return lambda run, index: run.dispatch_workgroups_indirect(indirect, 0)
    return lambda run, index: run.dispatch_workgroups(workgroups)
