"""The result of a sweep: read from the server, shown as tables, written as JSON."""

from pathlib import Path

from pydantic import Field
from rich.console import Console
from rich.markup import escape

from dispatchmark.client import Server, ServerError
from dispatchmark.contract.base import Document
from dispatchmark.contract.comparison import Attribution, Comparison
from dispatchmark.contract.receipt import SweepReport
from dispatchmark.contract.suite import SuiteFile
from dispatchmark.sweep.table import table

from .failure import fail


class SweepResult(Document):
    """What `sweep --json` writes: the sweep with its runs, and for each case shown its comparison and attribution."""

    sweep: SweepReport
    comparisons: list[Comparison] = Field(default_factory=list)
    attributions: list[Attribution] = Field(default_factory=list)


def collect(server: Server, sweep_id: str, cases: list[str], baseline: str | None) -> SweepResult:
    """Reads the result. Raises ServerError."""
    return SweepResult(
        sweep=server.sweep(sweep_id),
        comparisons=[_comparison(server, sweep_id, case, baseline) for case in cases],
        attributions=[server.attribution(sweep_id, case) for case in cases],
    )


def _comparison(server: Server, sweep_id: str, case: str, baseline: str | None) -> Comparison:
    """A comparison with the baseline, or where it did not become a row, with the native libraries and a note."""
    try:
        return server.comparison(sweep_id, case, baseline)
    except ServerError as error:
        if baseline is None or error.status != 404:
            raise
        usual = server.comparison(sweep_id, case)
        return usual.model_copy(update={"notes": [*usual.notes, str(error)]})


def show(console: Console, result: SweepResult, suite: SuiteFile) -> None:
    """Prints a table for each case."""
    for comparison in result.comparisons:
        case = suite.case(comparison.case_id)
        console.print()
        console.print(table(comparison, escape(f"{case.id}: {case.summary}")))


def write(result: SweepResult, target: str | None) -> None:
    """Writes JSON to a file, or to the standard output where the target is `-`; nothing where it is None."""
    if target is None:
        return
    text = result.model_dump_json(indent=2)
    if target == "-":
        print(text)
        return
    try:
        Path(target).expanduser().write_text(text + "\n")
    except OSError as error:
        fail(f"cannot write {target}: {error.strerror}")
