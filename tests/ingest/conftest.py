from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from dispatchmark.app import create_app
from dispatchmark.config import Settings
from dispatchmark.ingest.service import Ingest
from dispatchmark.store.session import Store, open_store


@dataclass
class Clock:
    """The server's clock, moved by hand."""

    now: datetime = field(default_factory=lambda: datetime(2026, 1, 1, 12, tzinfo=UTC))

    def __call__(self) -> datetime:
        return self.now

    def pass_seconds(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database=str(tmp_path / "store.db"), max_body_bytes=200_000, silence_s=60, page_rows=5)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings)) as client:
        yield client


@pytest.fixture
def store(settings: Settings) -> Iterator[Store]:
    store = open_store(settings.database_url)
    yield store
    store.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ingest(store: Store, settings: Settings, clock: Clock) -> Ingest:
    return Ingest(store, settings, now=clock)
