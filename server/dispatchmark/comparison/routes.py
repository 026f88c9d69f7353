"""The API of comparisons: read-only, made anew from the stored estimates at every request."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.exceptions import HTTPException

from dispatchmark.contract.base import CaseId, Key
from dispatchmark.contract.comparison import Attribution, Comparison
from dispatchmark.contract.receipt import ErrorAnswer
from dispatchmark.store.session import Reader

from . import attribution, service

ERRORS: dict[int | str, dict[str, Any]] = {
    404: {"model": ErrorAnswer, "description": "No such sweep, or no such row to compare with"},
    422: {"model": ErrorAnswer, "description": "Malformed"},
}
SweepId = Annotated[Key, Path(description="the sweep's id")]
Case = Annotated[CaseId, Query(alias="case", description="the case", examples=["submit/f32/chained"])]

router = APIRouter(prefix="/api/sweeps/{sweep_id}", tags=["comparison"], responses=ERRORS)


@router.get("/comparison", summary="Compare the runtimes of a sweep")
def read_comparison(
    sweep_id: SweepId,
    case_id: Case,
    session: Reader,
    baseline: Annotated[str | None, Query(max_length=400, description="key of the row to compare all with")] = None,
) -> Comparison:
    """Every runtime of a sweep for one case, with its ratio to the native library of its family or to `baseline`."""
    try:
        return service.compare(session, sweep_id, case_id, baseline)
    except service.Unknown as error:
        raise HTTPException(404, str(error)) from None


@router.get("/attribution", summary="Attribute the cost of a dispatch")
def read_attribution(sweep_id: SweepId, case_id: Case, session: Reader) -> Attribution:
    """Where the microseconds go: waterfalls from a native C API up to the browsers, for each family."""
    try:
        return attribution.attribution(session, sweep_id, case_id)
    except service.Unknown as error:
        raise HTTPException(404, str(error)) from None
