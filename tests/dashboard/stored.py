"""Fills a store through the API, as runtimes do."""

from typing import Any

from fastapi.testclient import TestClient

from tests.ingest import documents
from tests.ingest.documents import SWEEP_ID

PHASES = {
    **{"encoder": 6.0, "pass_begin": 3.0, "set_pipeline": 1.5, "set_bind_group": 1.0, "dispatch": 0.5},
    **{"pass_end": 1.0, "finish": 6.0, "submit": 13.0, "create_bind_group": 40.0},
}


def phases(sequence: int) -> dict[str, Any]:
    """Batches of calls whose costs are known."""
    series = [
        {"label": label, "samples": [documents.sample(n, cost * n, rep) for rep in range(6) for n in (128, 256, 512)]}
        for label, cost in PHASES.items()
    ]
    return documents.case(sequence, "phases/f32", series=series, verified=True)


def trace(sequence: int) -> dict[str, Any]:
    stamps = [20.0 * n for n in range(1, 51)]
    return documents.case(sequence, "submit-trace/f32", [documents.sample(50, 1100.0, stamps_us=stamps)])


def unsupported(sequence: int) -> dict[str, Any]:
    return documents.case(sequence, "naive/f16", status="unsupported", reason="the adapter lacks shader-f16")


def everything() -> list[dict[str, Any]]:
    """Parts of a run with every kind of thing that its page shows."""
    *first, repeated = documents.parts()
    found = [*first, phases(5), trace(6), unsupported(7), documents.ladder(8, 4.0, case_id="dispatches/f32/chained")]
    return [*found, repeated | {"sequence": len(found)}]


def run(client: TestClient, number: int = 1, parts: list[dict[str, Any]] | None = None, **changes: Any) -> str:
    """A finished run. `end` among the changes is its finish."""
    run_id = f"{number:032x}"
    measured = documents.parts() if parts is None else parts
    end = changes.pop("end", documents.finish(len(measured)))
    whole = {"start": documents.run_start(run_id, **changes), "parts": measured, "finish": end}
    response = client.post("/api/submissions", json=whole)
    assert response.status_code == 200, response.text
    return run_id


def sweep(client: TestClient, *costs: tuple[str, float], **changes: Any) -> str:
    """A sweep of finished runs: runtimes with their costs in microseconds."""
    assert client.post("/api/sweeps", json=documents.sweep_start(**changes)).status_code == 201
    for position, (name, cost) in enumerate(costs):
        runtime = {"name": name, "version": "1.0"}
        parts = documents.parts(cost)
        run(client, 100 + position, parts, sweep_id=SWEEP_ID, position=position, runtime=runtime)
    return SWEEP_ID
