import sqlite3
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, OperationalError

from dispatchmark.store.errors import StoreError
from dispatchmark.store.session import Store, open_store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = open_store(f"sqlite:///{path}", busy_timeout_s=0.1)
    yield store
    store.close()


def add_run(store: Store, run_id: str) -> None:
    moment = datetime.now(UTC).isoformat()
    with store.writing() as session:
        session.execute(
            text(
                "INSERT INTO run (run_id, origin, suite_name, suite_hash, seed, status, verdict_reasons, created_at,"
                " received_at, last_part_at, parts_count, bytes_stored, start, start_digest)"
                " VALUES (:run_id, 'lab', 'quick', 'h', 1, 'running', '[]', :moment, :moment, :moment, 0, 0, '{}', 'd')"
            ),
            {"run_id": run_id, "moment": moment},
        )


def empty_and_fail(store: Store) -> None:
    with store.writing() as session:
        session.execute(text("DELETE FROM run"))
        print(1 / 0)


def count_runs(store: Store) -> int:
    with store.reading() as session:
        return int(session.execute(text("SELECT count(*) FROM run")).scalar_one())


def test_connections_are_set_up_for_one_writer_and_many_readers(store: Store) -> None:
    with store.reading() as session:
        pragmas = {
            name: session.execute(text(f"PRAGMA {name}")).scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 1, "foreign_keys": 1, "busy_timeout": 100}


def test_a_block_that_ends_is_committed_and_one_that_fails_is_not(store: Store) -> None:
    add_run(store, "a")
    with pytest.raises(ZeroDivisionError):
        empty_and_fail(store)
    assert count_runs(store) == 1


def test_what_a_reader_changes_is_not_kept(store: Store) -> None:
    add_run(store, "a")
    with store.reading() as session:
        session.execute(text("DELETE FROM run"))
    assert count_runs(store) == 1


def test_a_writer_takes_its_lock_at_once_and_readers_go_on(store: Store) -> None:
    add_run(store, "a")
    with store.writing() as session:
        session.execute(text("SELECT 1"))
        assert count_runs(store) == 1
        with pytest.raises(OperationalError, match="locked"):
            add_run(store, "b")
    add_run(store, "b")
    assert count_runs(store) == 2


def test_writers_that_wait_get_their_turn(path: Path) -> None:
    store = open_store(f"sqlite:///{path}")
    threads = [threading.Thread(target=add_run, args=(store, f"{number}")) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert count_runs(store) == 12
    store.close()


def test_a_part_without_its_run_is_refused(store: Store) -> None:
    with pytest.raises(IntegrityError, match="FOREIGN KEY"), store.writing() as session:
        session.execute(
            text(
                "INSERT INTO part (run_id, sequence, kind, repeat, document, digest, received_at)"
                " VALUES ('nobody', 0, 'case', 0, '{}', 'd', '2026-01-01')"
            )
        )


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are my notes, and they matter to me" * 100)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"notes\.txt.*not a database.*DISPATCHMARK_DATABASE"):
        open_store(f"sqlite:///{path}")
    assert path.read_bytes() == before


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "photos.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE photo (id INTEGER)")
    connection.close()
    with pytest.raises(StoreError, match=r"photos\.db.*tables of something else \(photo\)"):
        open_store(f"sqlite:///{path}")
    connection = sqlite3.connect(path)
    assert [name for (name,) in connection.execute("SELECT name FROM sqlite_master")] == ["photo"]
    connection.close()


def test_a_damaged_database_is_refused(path: Path, store: Store) -> None:
    add_run(store, "a")
    store.close()
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\xff" * (len(content) - 100))
    with pytest.raises(StoreError, match=r"store\.db.*malformed.*move it away"):
        open_store(f"sqlite:///{path}")


def test_a_directory_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"unable to open database file.*DISPATCHMARK_DATABASE"):
        open_store(f"sqlite:///{tmp_path}")


def test_a_path_below_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot make its directory.*DISPATCHMARK_DATABASE"):
        open_store(f"sqlite:///{tmp_path}/file/below/store.db")


@pytest.mark.parametrize("url", ["nonsense://secret@host/x", "sqlite://", "://"])
def test_a_url_that_leads_nowhere_is_refused_without_repeating_its_secrets(url: str) -> None:
    with pytest.raises(StoreError) as caught:
        open_store(url)
    assert "secret" not in str(caught.value)
