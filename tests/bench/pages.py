"""The page's core against plain loops, on a page of the real server in a real browser."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.responses import HTMLResponse

from dispatchmark import serving
from dispatchmark.app import create_app
from dispatchmark.config import Settings
from dispatchmark.contract.base import RuntimeName
from dispatchmark.isolation import Assets
from dispatchmark.runtimes.base import Options
from dispatchmark.runtimes.launching import started

FILES = Path(__file__).parent / "page"
AT = "/tests/bench/page"
"""The files lie on the server where they lie in the checkout, so that their imports are the same in both."""

PAGE = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Fidelity</title><link rel="icon" href="data:,">
<script type="module" src="{AT}/fidelity.js"></script><pre id="result"></pre></html>
"""
TIMEOUT_MS = 300_000


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The application with the page of this benchmark beside its own; yields the page's URL."""
    app = create_app(Settings(database=str(folder / "store.db"), port=0))
    app.get("/fidelity")(lambda: HTMLResponse(PAGE))
    app.mount(AT, Assets(FILES))
    with serving.embedded(app, "127.0.0.1", 0) as url:
        yield f"{url}/fidelity"


def compare(
    name: RuntimeName, operations: Sequence[str], rounds: int, seed: int, options: Options, url: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each operation with its answer, all in one process of the browser. Raises RuntimeError with the page's words."""
    with started(name, options) as (browser, _):
        for operation in operations:
            page = browser.new_context().new_page()
            page.goto(f"{url}?operation={operation}&rounds={rounds}&seed={seed}")
            page.wait_for_selector("html[data-state]", state="attached", timeout=TIMEOUT_MS)
            text = page.text_content("#result") or ""
            if page.get_attribute("html", "data-state") != "done":
                raise RuntimeError(text)
            yield operation, {"version": browser.version, **json.loads(text)}
            page.context.close()
