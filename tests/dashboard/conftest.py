from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from dispatchmark.app import create_app
from dispatchmark.config import Settings


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(database=str(tmp_path / "store.db")))) as client:
        yield client
