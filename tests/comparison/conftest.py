from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from dispatchmark.app import create_app
from dispatchmark.config import Settings
from tests.ingest import documents
from tests.ingest.documents import SWEEP_ID

HARDWARE = {"vendor": "nvidia", "architecture": "hopper", "software": False}


class Sweep:
    """A sweep that is filled run by run over HTTP."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.runs = 0
        assert client.post("/api/sweeps", json=documents.sweep_start()).status_code == 201

    def add(
        self,
        runtime: str,
        *slopes_us: float,
        adapter: dict[str, Any] | None = None,
        status: str = "finished",
        reason: str | None = None,
        parts: list[dict[str, Any]] | None = None,
        **changes: Any,
    ) -> None:
        """Runs with planted costs, one for each slope; with `parts` one run of these."""
        for slope_us in slopes_us or (0.0,):
            self.runs += 1
            start = documents.run_start(
                f"{self.runs:032x}",
                sweep_id=SWEEP_ID,
                position=self.runs,
                runtime={"name": runtime, "version": "1.0"},
                **changes,
            )
            sent = documents.parts(slope_us) if parts is None else parts
            sent = [part | {"adapter": adapter or HARDWARE} if part["kind"] == "environment" else part for part in sent]
            finish = documents.finish(len(sent), status, reason=reason)
            answer = self.client.post("/api/submissions", json={"start": start, "parts": sent, "finish": finish})
            assert answer.status_code == 200, answer.text

    def ask(self, what: str, **query: str) -> Any:
        answer = self.client.get(f"/api/sweeps/{SWEEP_ID}/{what}", params={"case": "submit/f32/chained"} | query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def rows(self, **query: str) -> dict[str, Any]:
        return {row["key"]: row for row in self.ask("comparison", **query)["rows"]}


@pytest.fixture
def sweep(tmp_path: Path) -> Iterator[Sweep]:
    with TestClient(create_app(Settings(database=str(tmp_path / "store.db")))) as client:
        yield Sweep(client)
