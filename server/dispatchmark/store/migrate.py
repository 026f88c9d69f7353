"""Brings a database to this version's tables, or refuses it in words."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, inspect

from .errors import StoreError

MIGRATIONS = Path(__file__).parent / "migrations"


def configuration(connection: Connection | None = None) -> Config:
    """Alembic's configuration; there is no alembic.ini, the migrations travel inside the package."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(engine: Engine, name: str) -> None:
    """Upgrades a database in one transaction, so that two servers starting at once do it once.

    `engine` must take the write lock when a transaction begins. Raises StoreError for a database of a newer
    Dispatchmark and for one that belongs to something else; neither is touched.
    """
    with engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            # Batch migrations rebuild tables, and SQLite heeds this only outside a transaction.
            connection.connection.driver_connection.execute("PRAGMA foreign_keys = OFF")  # type: ignore[union-attr]
        with connection.begin():
            if _is_behind(connection, name):
                command.upgrade(configuration(connection), "head")
        connection.invalidate()  # The next connection has its foreign keys on again.


def _is_behind(connection: Connection, name: str) -> bool:
    script = ScriptDirectory.from_config(configuration())
    current = MigrationContext.configure(connection).get_current_revision()
    if current is None:
        others = set(inspect(connection).get_table_names()) - {"alembic_version"}
        if others:
            raise StoreError(
                f"database {name}: it holds tables of something else ({', '.join(sorted(others)[:3])}). "
                "Set DISPATCHMARK_DATABASE to another file."
            )
        return True
    try:
        script.get_revision(current)
    except CommandError:
        raise StoreError(
            f"database {name}: it is at revision {current}, from a newer Dispatchmark; this one knows revisions up to "
            f"{script.get_current_head()}. Upgrade Dispatchmark or set DISPATCHMARK_DATABASE to another file."
        ) from None
    return current != script.get_current_head()
