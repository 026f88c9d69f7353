"""Builds documents of runs whose costs are known."""

from typing import Any

import numpy as np

from dispatchmark.contract import suite

RUN_ID = f"{1:032x}"
SWEEP_ID = f"{10:032x}"
LADDER = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
CREATED = "2026-01-01T12:00:00Z"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0"


def suite_ref(name: str = "quick") -> dict[str, str]:
    return {"name": name, "hash": suite.suite_hash()}


def sweep_start(sweep_id: str = SWEEP_ID, **changes: Any) -> dict[str, Any]:
    machine = {"name": "bench-1", "cpu": "a CPU"}
    start = {"sweep_id": sweep_id, "machine": machine, "suite": suite_ref(), "created_at": CREATED, "seed": 1}
    return start | changes


def run_start(run_id: str = RUN_ID, **changes: Any) -> dict[str, Any]:
    runtime = {"name": "chromium", "version": "156.0"}
    start = {"run_id": run_id, "runtime": runtime, "suite": suite_ref(), "created_at": CREATED, "seed": 2}
    return start | changes


def volunteer_start(run_id: str = RUN_ID) -> dict[str, Any]:
    start = run_start(run_id, origin="volunteer")
    del start["runtime"]
    return start


def environment(sequence: int = 0, **changes: Any) -> dict[str, Any]:
    adapter = {"vendor": "nvidia", "architecture": "hopper", "software": False}
    page = {"user_agent": FIREFOX, "isolated": True}
    return {"kind": "environment", "sequence": sequence, "adapter": adapter, "page": page} | changes


def sample(n: int, done_us: float, rep: int = 0, **changes: Any) -> dict[str, Any]:
    times = {"start_us": 0.0, "encoded_us": done_us / 2, "done_us": done_us}
    return {"n": n, "rep": rep, "wait": "done"} | times | changes


def case(sequence: int, case_id: str, samples: list[dict[str, Any]] | None = None, **changes: Any) -> dict[str, Any]:
    series = [] if samples is None else [{"samples": samples}]
    head = {"kind": "case", "sequence": sequence, "case_id": case_id, "status": "measured", "series": series}
    return head | changes


def control(sequence: int, case_id: str, **values: Any) -> dict[str, Any]:
    return case(sequence, case_id, values=values)


def ladder(
    sequence: int, slope_us: float, *, wait_us: float = 100.0, case_id: str = "submit/f32/chained", **changes: Any
) -> dict[str, Any]:
    """A ladder of 12 rounds whose marginal cost is `slope_us`, with noise of 1 %."""
    random = np.random.default_rng(sequence)
    samples = [
        sample(n, float((wait_us + slope_us * n) * random.normal(1.0, 0.01)), rep)
        for rep in range(12)
        for n in random.permutation(LADDER).tolist()
    ]
    return case(sequence, case_id, samples, verified=True) | changes


def parts(slope_us: float = 25.0, again_us: float | None = None) -> list[dict[str, Any]]:
    """All parts of a sound run: controls, the first case, the naive one, and the first case again."""
    return [
        environment(),
        control(1, "control/clock", quantum_us=5.0, monotonic=True),
        control(2, "control/wait", floor_done_us=90.0, floor_map_us=170.0, poll_us=None, wait_mode="done"),
        ladder(3, slope_us),
        case(4, "naive/f32", [sample(1, done_us) for done_us in (120.0, 130.0, 500.0)]),
        ladder(5, again_us or slope_us, repeat=True),
    ]


def finish(count: int, status: str = "finished", **changes: Any) -> dict[str, Any]:
    return {"status": status, "parts": count} | changes


def submission(run_id: str = RUN_ID, **changes: Any) -> dict[str, Any]:
    measured = parts()
    return {"start": run_start(run_id), "parts": measured, "finish": finish(len(measured))} | changes
