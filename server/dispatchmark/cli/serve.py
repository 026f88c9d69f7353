"""`dispatchmark serve`: the server with its dashboard and the volunteer page."""

from typing import Annotated

import typer

from dispatchmark import app

from . import settings
from .failure import explained


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on. Default 127.0.0.1.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 takes a free one. Default 8787.")] = None,
    database: settings.Database = None,
) -> None:
    """Serve the dashboard, the API and the page that measures in a visitor's browser.

    Examples:

    `dispatchmark serve`

    `dispatchmark serve --port 0 --database lab.db`

    Pages are isolated, and their clocks fine, on https and on this machine's own names only: put a proxy with TLS
    before it when browsers of other machines are to measure.
    """
    with explained():
        app.serve(settings.chosen(host=host, port=port, database=database))
