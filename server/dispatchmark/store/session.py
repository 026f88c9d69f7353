"""The store as one object: opened once, then read and written in transactions that end at their boundary."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy import Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError
from sqlmodel import Session

from . import documents, migrate, sqlite
from .errors import StoreError


class Store:
    """An open database. Sessions are committed when their block ends, and nowhere else."""

    def __init__(self, engine: Engine) -> None:
        self._reads = engine
        self._writes = engine.execution_options(**{sqlite.WRITES: True})

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session on one consistent view of the store; what it changes is not kept."""
        with Session(self._reads) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session that holds the write lock from its first statement; committed at the end, else rolled back."""
        with Session(self._writes, expire_on_commit=False) as session, session.begin():
            yield session

    def close(self) -> None:
        """Closes every connection."""
        self._reads.dispose()


def open_store(url: str, *, busy_timeout_s: float = 15.0) -> Store:
    """Opens a database, creating it or bringing it to this version's tables. Raises StoreError saying what to do."""
    try:
        parsed = make_url(url)
        is_sqlite = parsed.get_backend_name() == "sqlite"
        if is_sqlite:
            _make_directory(parsed.database)
        # The server's threads bound the number of connections; a request never waits for one.
        engine = create_engine(parsed, json_serializer=documents.encode, max_overflow=-1)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        scheme = url.partition("://")[0]  # The rest may hold a password.
        raise StoreError(
            f"database {scheme}://...: no driver for it, or not a URL ({type(error).__name__}). "
            "Set DISPATCHMARK_DATABASE to a file, or to a SQLAlchemy URL whose driver is installed."
        ) from None
    name = str(parsed.database) if is_sqlite else parsed.render_as_string(hide_password=True)
    if is_sqlite:
        sqlite.prepare(engine, busy_timeout_s)
    store = Store(engine)
    try:
        migrate.upgrade(engine.execution_options(**{sqlite.WRITES: True}), name)
    except DatabaseError as error:
        store.close()
        raise StoreError(_explain(name, str(error.orig))) from error
    except StoreError:
        store.close()
        raise
    return store


def _make_directory(database: str | None) -> None:
    if not database or database == ":memory:":
        raise StoreError("an in-memory database would be a different one for each thread: give a file name")
    path = Path(database)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"database {path}: cannot make its directory: {error.strerror}. "
            "Set DISPATCHMARK_DATABASE to a file in a directory that you can write to."
        ) from error


def _explain(name: str, problem: str) -> str:
    if "not a database" in problem or "malformed" in problem:
        remedy = "The file is damaged or something else; move it away or set DISPATCHMARK_DATABASE to another file."
    elif "locked" in problem:
        remedy = "Another process holds it; stop that one or set DISPATCHMARK_DATABASE to another file."
    else:
        remedy = "Set DISPATCHMARK_DATABASE to a file that you can read and write."
    return f"database {name}: {problem}. {remedy}"


def reader(request: Request) -> Iterator[Session]:
    """A reading session for one request."""
    store: Store = request.app.state.store
    with store.reading() as session:
        yield session


Reader = Annotated[Session, Depends(reader)]
"""Declare a route's parameter as `session: Reader` to read from the store."""
