import time
from pathlib import Path
from threading import Event

import pytest
from starlette.testclient import TestClient

from dispatchmark.app import create_app
from dispatchmark.config import Settings
from dispatchmark.ingest.service import Ingest


def test_the_store_outlives_what_works_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Silent runs are closed in a thread, which a server that stops at that moment cannot call back."""
    app = create_app(Settings(database=str(tmp_path / "store.db")))
    order: list[str] = []
    began = Event()
    close = app.state.store.close

    def round_of_closing(ingest: Ingest) -> None:
        began.set()
        time.sleep(0.3)
        order.append("round")

    def closed() -> None:
        order.append("store")
        close()

    monkeypatch.setattr(Ingest, "close_silent", round_of_closing)
    monkeypatch.setattr(app.state.store, "close", closed)
    with TestClient(app):
        assert began.wait(30)
    assert order == ["round", "store"]
