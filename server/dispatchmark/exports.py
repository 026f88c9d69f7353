"""Raw samples of a run as CSV and as JSON, one row per span, parsed and sent case by case."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import StreamingResponse
from starlette.exceptions import HTTPException

from .contract.base import Key
from .contract.receipt import ErrorAnswer
from .contract.submission import CasePart
from .store import queries
from .store.session import Reader
from .store.tables import PartRow

COLUMNS: dict[str, str] = {
    "run_id": "the run",
    "sequence": "number of the part in the run",
    "case_id": "the case",
    "repeat": "true for the repetition of the first case at the end",
    "label": "which quantity of the case: a phase, a chunk size, before or after; empty where there is only one",
    "n": "operations in the span",
    "rep": "round of the ladder, from 0",
    "wait": "wait mode: done, map or nudged",
    "start_us": "start of the span, in microseconds since the run's origin",
    "encoded_us": "microseconds from the start until the last operation was issued",
    "done_us": "microseconds from the start until the work was known to be done",
    "gpu_us": "microseconds by timestamp query; empty where there was none",
    "stamps_us": "submit-trace: microseconds from the start at each operation; in CSV separated by spaces",
}
"""The columns of both formats in their order, with units."""

BATCH = 500
"""Spans per piece of a stream."""

MISSING: dict[int | str, dict[str, Any]] = {404: {"model": ErrorAnswer, "description": "No such run"}}

RunId = Annotated[Key, Path(description="the run's id")]

router = APIRouter(prefix="/api/runs/{run_id}", tags=["exports"])


@router.get("/samples.csv", responses=MISSING, response_class=StreamingResponse, summary="Download samples as CSV")
def samples_csv(run_id: RunId, session: Reader) -> StreamingResponse:
    """One line per span under a header of column names; units are in the names."""
    return _download(csv_lines(_part_rows(session, run_id)), "text/csv; charset=utf-8", f"{run_id}.csv")


@router.get("/samples.json", responses=MISSING, response_class=StreamingResponse, summary="Download samples as JSON")
def samples_json(run_id: RunId, session: Reader) -> StreamingResponse:
    """`columns` describes each column with its unit, `rows` holds one array per span in the order of the columns."""
    return _download(json_pieces(_part_rows(session, run_id)), "application/json", f"{run_id}.json")


def rows(part_rows: Sequence[PartRow]) -> Iterator[list[Any]]:
    """One list per span, in the order of COLUMNS."""
    for row in part_rows:
        part = queries.PART.validate_json(row.document)
        if not isinstance(part, CasePart):
            continue
        for series in part.series:
            head = [row.run_id, part.sequence, part.case_id, part.repeat, series.label]
            for one in series.samples:
                times = [one.start_us, one.encoded_us, one.done_us, one.gpu_us, one.stamps_us]
                yield [*head, one.n, one.rep, one.wait.value, *times]


def csv_lines(part_rows: Sequence[PartRow]) -> Iterator[str]:
    """Lines of CSV: empty for what is missing, true and false in JSON's spelling."""
    yield _csv([COLUMNS])
    found = rows(part_rows)
    while batch := list(islice(found, BATCH)):
        yield _csv([_cell(value) for value in row] for row in batch)


def json_pieces(part_rows: Sequence[PartRow]) -> Iterator[str]:
    """Pieces of one JSON object."""
    yield f'{{"columns":{json.dumps(COLUMNS)},"rows":['
    found = rows(part_rows)
    separator = ""
    while batch := list(islice(found, BATCH)):
        yield separator + json.dumps(batch, separators=(",", ":"))[1:-1]
        separator = ","
    yield "]}"


def _csv(lines: Iterable[Iterable[Any]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(lines)
    return buffer.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return value


def _part_rows(session: Reader, run_id: str) -> Sequence[PartRow]:
    if queries.run(session, run_id) is None:
        raise HTTPException(404, f"no run {run_id}")
    return queries.part_rows(session, run_id)


def _download(pieces: Iterator[str], media_type: str, name: str) -> StreamingResponse:
    headers = {"content-disposition": f'attachment; filename="dispatchmark-{name}"'}
    return StreamingResponse(pieces, media_type=media_type, headers=headers)
