"""The API of sweeps and runs: each route hands a document to the doorway, or reads one back."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Path, Query, Request, Response

from dispatchmark.contract.base import Key
from dispatchmark.contract.receipt import (
    ErrorAnswer,
    Progress,
    Receipt,
    RunList,
    RunReport,
    SweepList,
    SweepReceipt,
    SweepReport,
)
from dispatchmark.contract.submission import Finish, Part, RunStart, Submission, SweepStart
from dispatchmark.store import queries, reports
from dispatchmark.store.session import Reader

from . import examples
from .body import DocumentRoute
from .errors import Conflict, NotFound
from .service import Ingest


def doorway(request: Request) -> Ingest:
    """The application's doorway."""
    ingest: Ingest = request.app.state.ingest
    return ingest


def page_rows(request: Request, limit: Annotated[int | None, Query(ge=1)] = None) -> int:
    """How many rows to list: as many as asked for, at most the setting."""
    most: int = request.app.state.settings.page_rows
    return min(limit or most, most)


Doorway = Annotated[Ingest, Depends(doorway)]
Limit = Annotated[int, Depends(page_rows)]
RunId = Annotated[Key, Path(description="the run's id, chosen by the sender: 32 hexadecimal digits")]
SweepId = Annotated[Key, Path(description="the sweep's id")]
Before = Annotated[Key | None, Query(description="list what came before this one")]

ERRORS: dict[int | str, dict[str, Any]] = {
    404: {"model": ErrorAnswer, "description": "No such run or sweep"},
    409: {"model": ErrorAnswer, "description": "Stored with other content, closed, or measured with another suite"},
    413: {"model": ErrorAnswer, "description": "Larger than the server takes; nothing is stored"},
    415: {"model": ErrorAnswer, "description": "Not plain JSON"},
    422: {"model": ErrorAnswer, "description": "Malformed; the fields say where. Nothing is stored"},
}
READ_ERRORS: dict[int | str, dict[str, Any]] = {status: ERRORS[status] for status in (404, 422)}
CREATED: dict[int | str, dict[str, Any]] = {200: {"description": "Stored before", "model": Receipt}}

router = APIRouter(prefix="/api", tags=["runs"], route_class=DocumentRoute)


@router.post("/sweeps", status_code=201, responses=ERRORS, summary="Open a sweep", tags=["sweeps"])
def open_sweep(
    start: Annotated[SweepStart, Body(openapi_examples=examples.SWEEP)], ingest: Doorway, response: Response
) -> SweepReceipt:
    """Opens a sweep. Sending the same again changes nothing and is answered with 200."""
    receipt = ingest.open_sweep(start)
    response.status_code = 200 if receipt.duplicate else 201
    return receipt


@router.get("/sweeps", responses=READ_ERRORS, summary="List sweeps", tags=["sweeps"])
def list_sweeps(session: Reader, limit: Limit, before: Before = None) -> SweepList:
    """Sweeps, newest first."""
    found = queries.sweeps(session, limit=limit, before=before)
    counts = queries.runs_per_sweep(session, [row.sweep_id for row in found])
    return SweepList(
        sweeps=[reports.sweep_line(row, counts.get(row.sweep_id, 0)) for row in found],
        before=found[-1].sweep_id if len(found) == limit else None,
    )


@router.get("/sweeps/{sweep_id}", responses=READ_ERRORS, summary="Read a sweep", tags=["sweeps"])
def read_sweep(sweep_id: SweepId, session: Reader) -> SweepReport:
    """A sweep with its runs in their order."""
    found = queries.sweep(session, sweep_id)
    if found is None:
        raise NotFound(f"no sweep {sweep_id}", field="sweep_id")
    return reports.sweep_report(found, queries.runs_of_sweep(session, sweep_id))


@router.post("/runs", status_code=201, responses=ERRORS | CREATED, summary="Open a run")
def open_run(
    start: Annotated[RunStart, Body(openapi_examples=examples.RUN)], ingest: Doorway, response: Response
) -> Receipt:
    """Opens a run. Sending the same again changes nothing and is answered with 200."""
    return _answered(ingest.open_run(start), response)


@router.post("/runs/{run_id}/parts", status_code=201, responses=ERRORS | CREATED, summary="Send a part")
def add_part(
    run_id: RunId,
    part: Annotated[Part, Body(openapi_examples=examples.PART)],
    ingest: Doorway,
    response: Response,
) -> Receipt:
    """Stores one case, or the environment. A part is stored before it is acknowledged, and once however often sent."""
    return _answered(ingest.add_part(run_id, part), response)


@router.post("/runs/{run_id}/finish", responses=ERRORS, summary="Finish a run")
def finish_run(
    run_id: RunId, finish: Annotated[Finish, Body(openapi_examples=examples.FINISH)], ingest: Doorway
) -> RunReport:
    """Closes a run and answers with verdict and estimates. The first finish stands."""
    return ingest.finish_run(run_id, finish)


@router.get("/runs", responses=READ_ERRORS, summary="List runs")
def list_runs(
    session: Reader,
    limit: Limit,
    sweep_id: Annotated[Key | None, Query(description="only runs of this sweep")] = None,
    before: Before = None,
) -> RunList:
    """Runs, newest first."""
    found = queries.runs(session, sweep_id=sweep_id, limit=limit, before=before)
    return RunList(
        runs=[reports.run_summary(row) for row in found],
        before=found[-1].run_id if len(found) == limit else None,
    )


@router.get("/runs/{run_id}", responses=READ_ERRORS, summary="Read a run")
def read_run(run_id: RunId, ingest: Doorway) -> RunReport:
    """A run's standing, verdict and estimates."""
    return ingest.report(run_id)


@router.get("/runs/{run_id}/progress", responses=READ_ERRORS, summary="Ask how far a run is")
def read_progress(run_id: RunId, ingest: Doorway) -> Progress:
    """How far a run is; cheap enough to be asked every second."""
    return ingest.progress(run_id)


@router.get(
    "/runs/{run_id}/document",
    responses=READ_ERRORS | {409: ERRORS[409]},
    response_model_exclude_unset=True,
    summary="Read a run's raw document",
)
def read_document(run_id: RunId, session: Reader) -> Submission:
    """A closed run as one document, as it was sent: it can be submitted to another server."""
    run = queries.run(session, run_id)
    if run is None:
        raise NotFound(f"no run {run_id}", field="run_id")
    if run.status == "running":
        raise Conflict(f"run {run_id} is still running: its document is complete once it is closed")
    return reports.submission(run, queries.parts(session, run_id))


@router.post("/submissions", responses=ERRORS, summary="Send a whole run")
def submit(submission: Annotated[Submission, Body(openapi_examples=examples.SUBMISSION)], ingest: Doorway) -> RunReport:
    """Takes a whole run at once, all or nothing. What is there already is not stored twice."""
    return ingest.submit(submission)


def _answered(receipt: Receipt, response: Response) -> Receipt:
    response.status_code = 200 if receipt.duplicate else 201
    return receipt
