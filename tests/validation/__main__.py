"""`python -m tests.validation`: proves the estimator on planted truths; exit code 1 where it misses its acceptance.

Writes table and figures into docs/methodology.md, unless `--quick` simulates fewer runs and writes nothing.
"""

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from time import monotonic

# One thread each for the linear algebra of the workers, which are as many as the cores. It is read at the import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from . import report
from .campaign import Cell, Task, across_runs, cell, problems

SCENARIOS = Path(__file__).with_name("scenarios.json")
RUNS, QUICK_RUNS = 500, 60
SWEEP_RUNS, SPREAD = 5, 0.1


def main() -> int:
    """Simulates, prints a line per cell, writes the report."""
    parser = argparse.ArgumentParser(prog="python -m tests.validation", description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_RUNS} runs a cell, and nothing is written")
    parser.add_argument("--runs", type=int, help=f"simulated runs a cell (default {RUNS})")
    parser.add_argument("--only", default="", help="only scenarios whose name contains this; nothing is written")
    parser.add_argument("--source", choices=["fit", "core"], help="only one source; nothing is written")
    parser.add_argument("--json", type=Path, help="write all cells as JSON")
    chosen = parser.parse_args()
    plan = json.loads(SCENARIOS.read_text())
    runs = chosen.runs or (QUICK_RUNS if chosen.quick else RUNS)
    tasks = [
        Task(scenario, slope_us, source, runs, 1000 * index + round(slope_us))
        for source in ("core", "fit")
        if chosen.source in (None, source)
        for index, scenario in enumerate(plan["scenarios"])
        if chosen.only in scenario["name"]
        for slope_us in plan["slopes_us"]
    ]
    began = monotonic()
    cells: list[Cell] = []
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as workers:
        pooled = [workers.submit(across_runs, slope, SPREAD, SWEEP_RUNS, runs, 7) for slope in plan["slopes_us"]]
        for done, one in enumerate(workers.map(cell, tasks), start=1):
            cells.append(one)
            print(report.line(one, done, len(tasks), monotonic() - began), flush=True)
        sweeps = [(slope, *one.result()) for slope, one in zip(plan["slopes_us"], pooled, strict=True)]
    for slope, bias, coverage in sweeps:
        print(f"{SWEEP_RUNS} runs pooled, {slope:g} us: bias {bias:+.2%}, coverage {coverage:.1%}")
    misses = problems(cells)
    print(f"{len(cells) - len({text.split(':')[0] for text in misses})} of {len(cells)} cells meet the acceptance")
    for text in misses:
        print(f"  missed: {text}", file=sys.stderr)
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(one) for one in cells], indent=1) + "\n")
    if not (chosen.quick or chosen.only or chosen.source):
        report.write(cells, sweeps, SWEEP_RUNS, SPREAD)
    return 1 if misses else 0


if __name__ == "__main__":
    raise SystemExit(main())
