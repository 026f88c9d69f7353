"""Runs of the real JavaScript core on a fake GPU in virtual time: ladder and wait modes are proven with the fit."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from dispatchmark.stats.spans import Spans

from .simulate import Simulated

SIMULATE = Path(__file__).resolve().parent.parent / "js" / "fake" / "simulate.mjs"
CASE = "submit/f32/chained"


def runs(plan: dict[str, Any], slope_us: float, count: int, seed: int) -> Iterator[Simulated]:
    """Simulated runs, in the wait mode that the core chooses."""
    scenario = plan | {"slope_us": slope_us, "runs": count, "seed": seed, "case_id": CASE}
    with subprocess.Popen(["node", str(SIMULATE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as node:
        assert node.stdin is not None
        assert node.stdout is not None
        node.stdin.write(json.dumps(scenario))
        node.stdin.close()
        values: dict[str, dict[str, Any]] = {}
        for line in node.stdout:
            found = json.loads(line)
            part = found["part"]
            if part["kind"] != "case":
                continue
            values[part["case_id"]] = part["values"]
            if part["case_id"] == CASE:
                yield _simulated(part, values, float(found["truth_us"]), plan)
                values = {}
    if node.returncode:
        raise RuntimeError(f"the simulation ended with code {node.returncode}")


def _simulated(
    part: dict[str, Any], values: dict[str, dict[str, Any]], slope_us: float, plan: dict[str, Any]
) -> Simulated:
    waits = values["control/wait"]
    mode = waits["wait_mode"]
    samples = [one for series in part["series"] if series["label"] is None for one in series["samples"]]
    drift = 1 + plan.get("drift_per_s", 0.0) * float(np.mean([one["start_us"] for one in samples])) / 1e6
    return Simulated(
        Spans(
            n=np.array([one["n"] for one in samples], dtype=np.int64),
            rep=np.array([one["rep"] for one in samples], dtype=np.int64),
            done_us=np.array([one["done_us"] for one in samples], dtype=np.float64),
            encoded_us=np.array([one["encoded_us"] for one in samples], dtype=np.float64),
        ),
        slope_us * drift,
        float(values["control/clock"]["quantum_us"]),
        float(waits[f"floor_{mode}_us"]),
        waits["poll_us"] if mode == "done" else None,
    )
