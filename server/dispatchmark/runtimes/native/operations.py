"""The loops that are timed, put together from text, as dataclasses are, before they are timed.

A loop that asked for each choice of a case, or called a function for it, would measure that as well: such a call takes
2 % of a dispatch within a pass. So a choice costs nothing here, and the loops are those that one would write by hand.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import indent
from typing import Any

from dispatchmark.contract.suite import Case

from .timestamps import GpuTimer
from .workload import ONE, Issue, Workload


@dataclass(frozen=True, slots=True)
class Dialect:
    """How the calls of a dispatch are written, as statements on the names of a workload."""

    encoder: str
    run: str
    set_pipeline: str
    bind: Mapping[str, str]
    dispatch: Mapping[str, str]
    end: str
    submit: str
    collect: str
    submit_all: str
    write: str


OBJECTS = Dialect(
    encoder="encoder = device.create_command_encoder()",
    run="run = encoder.begin_compute_pass({timestamps})",
    set_pipeline="run.set_pipeline(pipeline)",
    bind={
        "one": "run.set_bind_group(0, group)",
        "in turn": "run.set_bind_group(0, groups[index % group_count])",
        "created": "run.set_bind_group(0, device.create_bind_group(**description))",
        "dynamic": "run.set_bind_group(0, group, offsets[index % offset_count])",
    },
    dispatch={
        "direct": "run.dispatch_workgroups(workgroups)",
        "indirect": "run.dispatch_workgroups_indirect(indirect, 0)",
        "immediates": "run.set_immediates(0, one, 0, 4)\nrun.dispatch_workgroups(workgroups)",
    },
    end="run.end()",
    submit="queue.submit([encoder.finish()])",
    collect="finished.append(encoder.finish())",
    submit_all="queue.submit(finished)",
    write="queue.write_buffer(uniform, 0, one)",
)
"""The calls of the Python packages."""


def operation(workload: Workload, case: Case, per_submit: int, timer: GpuTimer | None) -> Issue:
    """The loop that a case times, `submit` where it names none."""
    return compose(OBJECTS, case, workload, per_submit, timer, names_of(workload))


def names_of(workload: Workload) -> dict[str, Any]:
    """What the loops call things."""
    return {
        "device": workload.device,
        "queue": workload.device.queue,
        "pipeline": workload.pipeline,
        "group": workload.groups[0],
        "groups": workload.groups,
        "group_count": len(workload.groups),
        "description": workload.description,
        "offsets": workload.offsets,
        "offset_count": len(workload.offsets),
        "indirect": workload.indirect,
        "uniform": workload.uniform,
        "workgroups": workload.workgroups,
        "one": ONE,
    }


def compose(
    dialect: Dialect, case: Case, workload: Workload, per_submit: int, timer: GpuTimer | None, names: dict[str, Any]
) -> Issue:
    """Writes the loop of a case in a dialect and compiles it, with its names in a closure, where look-ups are quick."""
    given = {**names, "per_submit": per_submit, "describe": timer.describe if timer else None}
    body = indent(_loop(dialect, case, workload, timed=timer is not None), " " * 8)
    # Globals of the loop keep the workload, whose objects own the handles that a loop may hold as bare pointers.
    made: dict[str, Any] = {"workload": workload}
    exec(f"def make({', '.join(given)}):\n    def issue(n):\n{body}\n    return issue", made)
    issue: Issue = made["make"](**given)
    return issue


def _loop(dialect: Dialect, case: Case, workload: Workload, *, timed: bool) -> str:
    bind, once = _binding(dialect, case, workload)
    dispatch = dialect.dispatch[_dispatching(workload)]
    stamps = {"passes": "timestamp_writes=describe(index, n)", "dispatches": "timestamp_writes=describe(0, 1)"}
    run = dialect.run.format(timestamps=stamps.get(case.operation or "", "") if timed else "")
    whole_pass = [run, dialect.set_pipeline, bind, dispatch, dialect.end]
    if case.operation == "cmdbufs":
        inner = _for("index in range(first, min(n, first + per_submit))", dialect.encoder, *whole_pass, dialect.collect)
        return _for("first in range(0, n, per_submit)", "finished = []", inner, dialect.submit_all)
    if case.operation == "passes":
        return "\n".join([dialect.encoder, _for("index in range(n)", *whole_pass), dialect.submit])
    if case.operation == "dispatches":
        before, each = (bind, dispatch) if once else ("", f"{bind}\n{dispatch}")
        opened = [dialect.encoder, run, dialect.set_pipeline, before]
        return "\n".join([*opened, _for("index in range(n)", each), dialect.end, dialect.submit])
    write = dialect.write if case.uniform_written else ""
    return _for("index in range(n)", write, dialect.encoder, *whole_pass, dialect.submit)


def _for(what: str, *statements: str) -> str:
    return f"for {what}:\n{indent(chr(10).join(statements), '    ')}"


def _binding(dialect: Dialect, case: Case, workload: Workload) -> tuple[str, bool]:
    """The statement that binds, and whether one such statement serves a whole pass."""
    if case.bind_group in ("created", "dynamic"):
        return dialect.bind[case.bind_group], False
    if len(workload.groups) == 1:
        return dialect.bind["one"], True
    return dialect.bind["in turn"], False


def _dispatching(workload: Workload) -> str:
    if workload.indirect is not None:
        return "indirect"
    return "immediates" if workload.kernel.uses == "immediates" else "direct"
