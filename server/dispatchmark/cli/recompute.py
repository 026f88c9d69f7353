"""`dispatchmark recompute`: estimates made anew from the stored raw samples."""

from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from dispatchmark.ingest import recompute as room
from dispatchmark.ingest.service import Ingest
from dispatchmark.store.session import open_store

from . import settings
from .failure import explained, fail


def recompute(
    run_ids: Annotated[list[str] | None, typer.Argument(help="Runs; all that are closed if none is named.")] = None,
    database: settings.Database = None,
) -> None:
    """Make the estimates and verdicts of stored runs anew, after the estimator has changed.

    Raw samples are never altered. It can be stopped at any time and started again.

    Examples:

    `dispatchmark recompute`

    `dispatchmark recompute --database lab.db 0123456789abcdef0123456789abcdef`
    """
    chosen = settings.chosen(database=database)
    with explained():
        store = open_store(chosen.database_url, busy_timeout_s=chosen.busy_timeout_s)
        try:
            with Progress(console=Console(stderr=True), transient=True) as bar:
                task = bar.add_task("recomputing", total=None)
                done = room.recompute(
                    Ingest(store, chosen),
                    run_ids,
                    lambda number, total, one: bar.update(task, completed=number, total=total),
                )
        finally:
            store.close()
    changed = [one for one in done if one.changed or one.verdict != one.verdict_before]
    for one in changed:
        verdict = f", {one.verdict_before} -> {one.verdict}" if one.verdict != one.verdict_before else ""
        print(f"{one.run_id}: {one.changed} estimates changed{verdict}")
    print(f"{len(done)} runs estimated anew, {len(changed)} changed")
    missing = sorted(set(run_ids or ()) - {one.run_id for one in done})
    if missing:
        fail(f"not there, or not closed: {', '.join(missing)}")
