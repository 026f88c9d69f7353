import sqlite3
import threading
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine, inspect
from sqlmodel import SQLModel

from dispatchmark.store.errors import StoreError
from dispatchmark.store.migrate import configuration
from dispatchmark.store.session import open_store


def test_migrations_end_at_the_tables_of_the_code(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    open_store(url).close()
    engine = create_engine(url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, SQLModel.metadata) == []
    engine.dispose()


def test_a_database_that_is_up_to_date_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    open_store(f"sqlite:///{path}").close()
    before = path.read_bytes()
    open_store(f"sqlite:///{path}").close()
    assert path.read_bytes() == before


def test_the_way_back_leads_to_an_empty_database(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    open_store(url).close()
    engine = create_engine(url)
    with engine.begin() as connection:
        command.downgrade(configuration(connection), "base")
        assert inspect(connection).get_table_names() == ["alembic_version"]
    engine.dispose()
    open_store(url).close()


def test_a_newer_database_is_refused_by_file_and_revision_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    open_store(f"sqlite:///{path}").close()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"store\.db.*revision 9999.*newer.*up to 0001.*Upgrade"):
        open_store(f"sqlite:///{path}")
    assert path.read_bytes() == before


def test_servers_that_start_at_once_migrate_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    failures: list[Exception] = []

    def start() -> None:
        try:
            open_store(url).close()
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
