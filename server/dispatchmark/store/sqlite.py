"""What SQLite needs and no other database does: journal mode, locks taken at once, foreign keys switched on."""

import sqlite3
from typing import Any

from sqlalchemy import Connection, Engine, event

WRITES = "dispatchmark_writes"
"""Execution option of connections that will write."""


def prepare(engine: Engine, busy_timeout_s: float) -> None:
    """Makes every connection of a SQLite engine safe for one writer and many readers."""

    @event.listens_for(engine, "connect")
    def on_connect(connection: sqlite3.Connection, record: Any) -> None:
        # The driver's own transactions begin late and without a lock; ours begin below.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {int(busy_timeout_s * 1000)}")
        connection.execute("PRAGMA journal_mode = WAL")
        # A crash of the process loses nothing. A power cut can lose the last commits but never corrupts the file.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        # A read transaction that turns into a write one skips the busy timeout, so writers say so at once.
        writes = connection.get_execution_options().get(WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
