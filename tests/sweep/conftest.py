from collections.abc import Iterator
from pathlib import Path

import pytest

from dispatchmark.app import embedded
from dispatchmark.client import Server
from dispatchmark.config import Settings


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with embedded(Settings(database=str(tmp_path / "store.db"), port=0)) as url:
        server = Server(url, patience_s=5)
        yield server
        server.close()
