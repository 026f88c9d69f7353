import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlalchemy.exc import DatabaseError

from dispatchmark.store import sqlite


def test_a_connection_to_a_file_that_is_no_database_is_closed(tmp_path: Path) -> None:
    closed = []

    class Watched(sqlite3.Connection):
        def close(self) -> None:
            closed.append(self)
            super().close()

    path = tmp_path / "notes.txt"
    path.write_text("these are my notes, and they matter to me" * 100)
    engine = create_engine(f"sqlite:///{path}", connect_args={"factory": Watched})
    sqlite.prepare(engine, busy_timeout_s=0.1)
    with pytest.raises(DatabaseError, match="not a database"):
        engine.connect()
    assert len(closed) == 1
