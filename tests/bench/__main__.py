"""`python -m tests.bench`: does the harness measure what a plain loop measures?

In each runtime both issue the same calls on the same device, in random order in one process, beside the plain loop once
more as a control; several processes make a figure. The ratio of the slopes should lie within 0.97 and 1.03. Figures,
not assertions: on a busy machine the intervals are wide.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from dispatchmark.contract.base import RuntimeName
from dispatchmark.runtimes import vulkan
from dispatchmark.runtimes.base import Options
from tests.bench import pages
from tests.bench.ratio import Ratio, Span, fidelity

ROOT = Path(__file__).parents[2]
NATIVE = ("wgpu", "dawn")
BROWSERS = ("chromium", "firefox")
OPERATIONS = ("submit", "cmdbufs", "passes", "dispatches")
TIMEOUT_S = 600

Answers = Iterator[tuple[str, dict[str, Any]]]


def main(arguments: list[str] | None = None) -> int:
    """Measures, and prints a table. Exit code 1 where a runtime could not be measured or miscounted."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--runtimes", nargs="+", choices=NATIVE + BROWSERS, default=list(NATIVE + BROWSERS))
    parser.add_argument("--operations", nargs="+", choices=OPERATIONS, default=list(OPERATIONS))
    parser.add_argument("--runs", type=int, default=5, help="processes per runtime and operation")
    parser.add_argument("--rounds", type=int, default=12, help="rounds in each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--adapter", choices=["software", "hardware", "any"], default="any")
    parser.add_argument("--json", type=Path, help="write the figures, with all spans, to this file")
    chosen = parser.parse_args(arguments)
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    problems = []
    with tempfile.TemporaryDirectory() as folder, pages.served(Path(folder)) as url:
        for run in range(chosen.runs):
            # In another order every time, so that no runtime has the machine's better hours.
            for runtime in random.Random(run).sample(chosen.runtimes, len(chosen.runtimes)):
                try:
                    for operation, answer in answers(runtime, chosen, chosen.seed + run, url):
                        found.setdefault((runtime, operation), []).append(answer)
                except Exception as error:
                    # A runtime that cannot be measured must not cost the figures of the others.
                    problems.append(f"{runtime}: {error}")
                print(f"run {run + 1} of {chosen.runs}: {runtime}", file=sys.stderr)
    rows = [row(*key, found[key]) for key in sorted(found)]
    show(rows)
    for problem in problems:
        print(problem, file=sys.stderr)
    if chosen.json:
        chosen.json.write_text(json.dumps({"results": rows, "problems": problems}, indent=1) + "\n")
    return 1 if problems or not all(one["verified"] for one in rows) else 0


def answers(runtime: str, chosen: argparse.Namespace, seed: int, url: str) -> Answers:
    """Each operation with what one run of the runtime measured of it."""
    if runtime in BROWSERS:
        options = Options(adapter=chosen.adapter)
        yield from pages.compare(RuntimeName(runtime), chosen.operations, chosen.rounds, seed, options, url)
        return
    environment = {**os.environ, **vulkan.variables(chosen.adapter), "PYTHONPATH": f"{ROOT / 'server'}:{ROOT}"}
    for operation in chosen.operations:
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.native", runtime, operation, str(chosen.rounds), str(seed)],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
        )
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip()[-600:])
        yield operation, json.loads(done.stdout.splitlines()[-1])


def row(runtime: str, operation: str, runs: list[dict[str, Any]]) -> dict[str, Any]:
    """The figures of one comparison, with the runs they come from."""
    found = fidelity([[Span(**span) for span in answer["spans"]] for answer in runs])
    return {
        "runtime": runtime,
        "operation": operation,
        **{name: runs[0][name] for name in ("version", "adapter", "wait")},
        **asdict(found),
        "verdict": found.verdict,
        "verified": all(answer["verified"] for answer in runs),
        "spans": [answer["spans"] for answer in runs],
    }


def show(rows: list[dict[str, Any]]) -> None:
    """Prints the table."""
    table = Table(title="Harness against a plain loop, us per operation; the control is the plain loop against itself")
    for heading in ("runtime", "adapter", "operation", "wait", "harness", "plain", "ratio", "control", "0.97-1.03?"):
        table.add_column(heading, overflow="fold")
    for one in rows:
        table.add_row(
            f"{one['runtime']} {one['version']}",
            one["adapter"] or "masked",
            one["operation"],
            one["wait"],
            f"{one['harness_us']:.2f}",
            f"{one['plain_us']:.2f}",
            str(Ratio(**one["ratio"])),
            str(Ratio(**one["control"])),
            one["verdict"] if one["verified"] else "miscounted",
        )
    Console(width=150).print(table)


if __name__ == "__main__":
    raise SystemExit(main())
