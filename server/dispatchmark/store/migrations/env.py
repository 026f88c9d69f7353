"""Runs migrations on the connection that `store.migrate` hands over."""

from alembic import context
from sqlmodel import SQLModel

from dispatchmark.store import tables

assert tables.RunRow.metadata is SQLModel.metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,  # SQLite cannot alter a table in place.
)
with context.begin_transaction():
    context.run_migrations()
