"""`python -m dispatchmark.runtimes.native wgpu|dawn|wgpu-c|dawn-c --suite NAME --seed S`: a run as lines of JSON.

Lines on stdout are `{"part": ...}`, `{"progress": ...}`, and last `{"finish": ...}`; what is for people goes to
stderr. With `--probe` one line tells the adapter.
"""

import argparse
import json
import os
import signal
import sys
from time import monotonic
from typing import Any

from dispatchmark.contract import suite

from . import libraries, library, packages
from .run import Run

PROGRESS_S = 0.5


def main(arguments: list[str] | None = None) -> int:
    """Runs, or probes. Exit code 0 unless the library cannot be loaded."""
    parser = argparse.ArgumentParser(prog="python -m dispatchmark.runtimes.native", description=__doc__)
    parser.add_argument("runtime", choices=packages.RUNTIMES)
    parser.add_argument("--suite", default="quick")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--probe", action="store_true")
    chosen = parser.parse_args(arguments)
    # The parent decides when a run ends; Ctrl-C at the terminal reaches this process too.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out = _own_stdout()
    try:
        loaded = libraries.load(chosen.runtime)
    except (ImportError, OSError) as error:
        print(f"{packages.package_of(chosen.runtime)} cannot be loaded: {error}", file=sys.stderr)
        return 1
    if chosen.probe:
        _print(out, _probed(loaded))
        return 0
    last = 0.0

    def progress(case_id: str, index: int, total: int, fraction: float) -> None:
        nonlocal last
        if monotonic() - last >= PROGRESS_S:
            last = monotonic()
            _print(out, {"progress": {"case_id": case_id, "index": index, "total": total, "fraction": fraction}})

    run = Run(loaded, suite.load(), chosen.suite, chosen.seed, progress)
    signal.signal(signal.SIGTERM, lambda *_: run.cancel())
    for part in run.parts():
        _print(out, {"part": part.model_dump(mode="json", exclude_none=True)})
    _print(out, {"finish": run.finish.model_dump(mode="json")})
    # Libraries take their time to fall apart, and may crash over it, when all is said.
    out.flush()
    os._exit(0)


def _own_stdout() -> Any:
    """The real stdout for our lines; what a library prints there goes to stderr instead."""
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return own


def _print(out: Any, line: dict[str, Any]) -> None:
    out.write(json.dumps(line, separators=(",", ":")) + "\n")
    out.flush()


def _probed(loaded: library.Library) -> dict[str, Any]:
    try:
        adapter = library.describe(loaded.adapter())
    except RuntimeError as error:
        return {"version": loaded.version, "adapter": None, "reason": str(error)}
    return {"version": loaded.version, "adapter": adapter.model_dump(mode="json")}


if __name__ == "__main__":
    raise SystemExit(main())
