"""The pages: each reads the store, makes a view, and fills a template."""

import hashlib
import re
from functools import cache

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from fastapi.templating import Jinja2Templates

from dispatchmark import __version__
from dispatchmark.comparison import attribution, service
from dispatchmark.contract import suite
from dispatchmark.contract.comparison import Comparison
from dispatchmark.store import queries
from dispatchmark.store.session import Reader

from . import plot, words
from .views import REFERENCE, run_view

OVERVIEW_ROWS = 50
LONGEST_NAME = 120

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

KEY = re.compile(r"[0-9a-f]{32}")
"""What is no id is nowhere, and is not looked up; a reader gets the page that says so, not an error for programs."""


@cache
def templates() -> Jinja2Templates:
    """The templates, with the words of the pages as filters. Everything is escaped."""
    found = Jinja2Templates(directory=suite.assets("web") / "templates")
    found.env.trim_blocks = found.env.lstrip_blocks = True
    for name in ("us", "interval", "ratio", "between", "kind_of_adapter", "short", "significant"):
        found.env.filters[name] = getattr(words, name)
    found.env.globals.update(
        version=__version__,
        build=page_build(),
        verdict_words=words.VERDICT_WORDS,
        status_words=words.STATUS_WORDS,
        reason_words=words.REASON_WORDS,
    )
    return found


@cache
def page_build() -> str:
    """A hash over the page's own files, which a run carries: what measured it."""
    root = suite.assets("web")
    digest = hashlib.sha256()
    for path in sorted(path for folder in ("core", "hosts", "page") for path in (root / folder).rglob("*.js")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def page(request: Request, name: str, status: int = 200, **context: object) -> HTMLResponse:
    """A filled template."""
    return templates().TemplateResponse(request, name, context, status_code=status)


def missing(request: Request, what: str) -> HTMLResponse:
    """The page for what is not there."""
    return page(request, "missing.html", 404, what=what[:LONGEST_NAME])


@router.get("/")
def overview(request: Request, session: Reader) -> HTMLResponse:
    """Sweeps, and runs outside of sweeps."""
    sweeps = queries.sweeps(session, limit=OVERVIEW_ROWS)
    return page(
        request,
        "overview.html",
        sweeps=sweeps,
        counts=queries.runs_per_sweep(session, [one.sweep_id for one in sweeps]),
        runs=queries.runs(session, limit=OVERVIEW_ROWS),
    )


@router.get("/sweeps/{sweep_id}")
def sweep(
    request: Request,
    sweep_id: str,
    session: Reader,
    case: str | None = None,
    baseline: str | None = None,
) -> HTMLResponse:
    """A sweep's runtimes compared for one case, where the microseconds go, and its runs."""
    found = queries.sweep(session, sweep_id) if KEY.fullmatch(sweep_id) else None
    if found is None:
        return missing(request, f"sweep {sweep_id}")
    runs = queries.runs_of_sweep(session, sweep_id)
    estimates = queries.estimates(session, [run.run_id for run in runs])
    cases = list(
        dict.fromkeys(
            one.case_id
            for run in runs
            for one in estimates[run.run_id]
            if one.label is None and not one.case_id.startswith("control/")
        )
    )
    chosen = case if case in cases else REFERENCE if REFERENCE in cases else next(iter(cases), REFERENCE)
    try:
        comparison = service.compare(session, sweep_id, chosen, baseline)
    except service.Unknown as error:
        return missing(request, str(error))
    return page(
        request,
        "sweep.html",
        sweep=found,
        runs=runs,
        cases=cases,
        case=chosen,
        comparison=comparison,
        forest=_forest(comparison),
        attribution=attribution.attribution(session, sweep_id, chosen),
    )


@router.get("/runs/{run_id}")
def run(request: Request, run_id: str, session: Reader) -> HTMLResponse:
    """A run: its figures, its ladders, its controls, and where it was measured."""
    found = queries.run(session, run_id) if KEY.fullmatch(run_id) else None
    if found is None:
        return missing(request, f"run {run_id}")
    view = run_view(found, queries.parts(session, run_id), queries.estimates(session, [run_id])[run_id])
    return page(request, "run.html", view=view, run=found)


@router.get("/bench")
def bench(request: Request) -> HTMLResponse:
    """The page on which a volunteer measures the own browser."""
    return page(request, "bench.html", suites=suite.load().suites, suite_hash=suite.suite_hash())


@router.get("/harness")
def harness(request: Request) -> HTMLResponse:
    """The page that automation drives."""
    return page(request, "harness.html")


def _forest(comparison: Comparison) -> object:
    rows = [
        (row.key, one.value, one.low, one.high, words.kind_of_adapter(row.software))
        for row in comparison.rows
        if (one := row.per_operation_us) is not None
    ]
    return plot.forest(rows, f"Cost per operation of {comparison.case_id}, by runtime")
