"""What a run's row takes from its environment: adapter, and what the runtime says of itself."""

from dispatchmark.contract.submission import EnvironmentPart
from dispatchmark.store import documents
from dispatchmark.store.tables import RunRow

from . import browsers


def describe(run: RunRow, part: EnvironmentPart) -> None:
    """Fills the row's columns. A runtime that the start named stays; only what it left open is filled."""
    run.environment = documents.received(part)
    if part.adapter is not None:
        run.software = part.adapter.software
        run.adapter_label = part.adapter.label
    if run.runtime_name is None and part.page is not None:
        runtime = browsers.runtime(part.page.user_agent)
        if runtime is not None:
            run.runtime_name, run.runtime_version = runtime.name, runtime.version
    if run.runtime_version is None:
        run.runtime_version = part.runtime_version
