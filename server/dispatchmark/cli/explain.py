"""`dispatchmark explain`: where the microseconds of a dispatch go."""

from typing import Annotated

import typer

from dispatchmark.comparison.attribution import attribution as attribute
from dispatchmark.contract import suite
from dispatchmark.store import queries
from dispatchmark.store.session import open_store
from dispatchmark.sweep import waterfall

from . import choices, settings
from .failure import explained, fail


def explain(
    sweep: Annotated[str | None, typer.Argument(help="Id of a sweep, or its beginning. Default: the newest.")] = None,
    case: Annotated[str | None, typer.Option(help="The case. Default: submit/f32/chained.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the Attribution document instead of text.")] = False,
    database: settings.Database = None,
) -> None:
    """Explain where the cost of a dispatch comes from: library, language binding, browser.

    For each family of implementations a waterfall goes from the native C API up to the browser; every step carries
    a 95 % interval.

    Examples:

    `dispatchmark explain`

    `dispatchmark explain 3f2a --case dispatches/f32/chained`
    """
    (case_id,) = choices.cases([case] if case else [], suite.load())
    chosen = settings.chosen(database=database)
    with explained():
        store = open_store(chosen.database_url, busy_timeout_s=chosen.busy_timeout_s)
        try:
            with store.reading() as session:
                recent = [row.sweep_id for row in queries.sweeps(session, limit=chosen.page_rows)]
                found = [one for one in recent if one.startswith(sweep or "")]
                if not found and sweep is not None and queries.sweep(session, sweep) is not None:
                    found = [sweep]
                if not found:
                    fail(f"no sweep {sweep} in {chosen.database}" if sweep else f"no sweeps in {chosen.database}")
                if sweep is not None and len(found) > 1:
                    fail(f"sweep {sweep} is ambiguous: {', '.join(found)}")
                attribution = attribute(session, found[0], case_id)
        finally:
            store.close()
    if json:
        print(attribution.model_dump_json(indent=2))
        return
    print(f"sweep {attribution.sweep_id}, {attribution.case_id}\n")
    for line in waterfall.lines(attribution):
        print(line)
