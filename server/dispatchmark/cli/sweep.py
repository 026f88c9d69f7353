"""`dispatchmark sweep`: measures every runtime that is there, and shows them in one table."""

import shlex
from contextlib import AbstractContextManager, closing, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from secrets import randbits
from typing import Annotated
from uuid import uuid4

import typer
from rich.console import Console
from sqlalchemy import make_url

from dispatchmark import app
from dispatchmark.client import Server
from dispatchmark.config import Settings
from dispatchmark.contract import suite as suites
from dispatchmark.contract.submission import SweepStart
from dispatchmark.runtimes.base import Wanted
from dispatchmark.sweep import lock, machine
from dispatchmark.sweep.display import Display
from dispatchmark.sweep.execute import Order, execute, failures
from dispatchmark.sweep.interrupts import INTERRUPTED, interruptible

from . import choices, probing, report, settings
from .failure import FAILED, explained, usage

Many = list[str] | None

CONNECT_S = 5.0
"""Patience with a server that does not answer at the beginning; later it may be restarting."""


def sweep(
    suite: Annotated[str, typer.Option(help="The cases: smoke, quick, standard or full.")] = "quick",
    runs: Annotated[int, typer.Option(min=1, max=1000, help="Runs of each runtime; 3 give an interval.")] = 3,
    runtimes: Annotated[str | None, typer.Option(help="Comma-separated; default: all that are there.")] = None,
    adapter: Annotated[Wanted, typer.Option(help="Kind of adapter; any takes a GPU where there is one.")] = ("any"),
    profile: Annotated[str, typer.Option(help="How browsers are started: automation, user or developer.")] = (
        "automation"
    ),
    channel: Annotated[Many, typer.Option(help="Browser channel, as in chromium=chrome-beta.")] = None,
    executable: Annotated[Many, typer.Option(help="Executable, as in firefox=/opt/firefox/firefox.")] = None,
    remote: Annotated[Many, typer.Option(help="Endpoint of a remote browser, as in chromium=ws://lab:3000.")] = None,
    server: Annotated[str | None, typer.Option(help="URL of a server to measure for. Default: one of its own.")] = None,
    page_url: Annotated[str | None, typer.Option(help="URL under which browsers reach the server.")] = None,
    database: settings.Database = None,
    case: Annotated[Many, typer.Option(help="Case to show; may be repeated. Default: submit/f32/chained.")] = None,
    baseline: Annotated[str | None, typer.Option(help="Row that all are compared with. Default: native.")] = None,
    json: Annotated[str | None, typer.Option(help="Write the result as JSON to a file, or to - .")] = None,
    seed: Annotated[int | None, typer.Option(min=0, max=2**32 - 1, help="Seed of all that is random.")] = None,
    name: Annotated[str | None, typer.Option(help="A name for the sweep.")] = None,
    machine_name: Annotated[str | None, typer.Option("--machine", help="A name for the machine.")] = None,
    wait: Annotated[bool, typer.Option(help="Wait for a sweep that is running on this machine.")] = False,
) -> None:
    """Measure every runtime that is there, interleaved in random order, and print one table.

    Examples:

    `dispatchmark sweep`

    `dispatchmark sweep --suite standard --runs 5 --runtimes chromium,dawn,firefox,wgpu`

    `dispatchmark sweep --suite smoke --runs 1 --json -`

    `dispatchmark sweep --server https://lab.example --machine bench-7 --name nightly`

    Ctrl-C ends the run in progress, keeps what was measured and prints the table; a second one quits at once.
    """
    known = suites.load()
    suite = choices.suite_name(suite, known)
    shown = choices.cases(case or [], known, suite)
    names = choices.runtimes(runtimes)
    baseline = choices.baseline(baseline, names)
    json = choices.target(json)
    if server is not None and database is not None:
        usage("--database is the store of a server of its own; with --server the data goes there")
    chosen = probing.Chosen(
        adapter=adapter,
        profile=choices.profile(profile),
        channel=choices.per_runtime("--channel", channel or [], names),
        executable=choices.per_runtime("--executable", executable or [], names),
        remote=choices.per_runtime("--remote", remote or [], names),
    )
    host, port = choices.listening(page_url) if page_url and server is None else ("127.0.0.1", 0)
    configuration = settings.chosen(database=database, host=host, port=port)
    # The table belongs on the standard output, unless the JSON goes there.
    console = Console(stderr=json == "-")
    start = SweepStart(
        sweep_id=uuid4().hex,
        name=name,
        machine=machine.describe(machine_name),
        suite=suites.reference(suite),
        adapter=adapter,
        created_at=datetime.now(UTC),
        seed=randbits(32) if seed is None else seed,
    )
    with (
        explained(),
        lock.held(lock.default_path(), wait=wait, waiting=lambda holder: console.print(f"waiting for {holder}")),
        _served(server, configuration) as url,
        interruptible(lambda: console.print("stopping: the run in progress is closed; Ctrl-C again quits")) as stop,
        closing(_connected(url)) as client,
    ):
        with Display(console) as display:
            _introduce(console, start, adapter)
            candidates = probing.probe(names, chosen, display.looking, stop)
            order = Order(start, candidates, runs, page_url)
            ended = [] if stop.is_set() else execute(order, client, known, display, stop)
        if ended:
            result = report.collect(client, start.sweep_id, shown, baseline)
            report.show(console, result, known)
            report.write(result, json)
            console.print(_where(start.sweep_id, server, configuration), soft_wrap=True, highlight=False)
    if stop.is_set():
        raise typer.Exit(INTERRUPTED)
    if not any(candidate.usable for candidate in candidates):
        console.print("No runtime can be measured here; `dispatchmark runtimes` says what to install.")
        raise typer.Exit(FAILED)
    if failures(ended):
        raise typer.Exit(FAILED)


def _introduce(console: Console, start: SweepStart, adapter: Wanted) -> None:
    """What must be known before the first run."""
    warning = machine.busy(machine.load(), start.machine.cores)
    if warning is not None:
        console.print(f"[yellow]{warning}[/yellow]", highlight=False, soft_wrap=True)
    console.print(probing.placement(adapter), highlight=False, soft_wrap=True)


def _connected(url: str) -> Server:
    """A server that answers and speaks this contract. Raises ServerError soon where none does."""
    with closing(Server(url, patience_s=CONNECT_S)) as first:
        first.check()
    return Server(url)


def _served(server: str | None, configuration: Settings) -> AbstractContextManager[str]:
    return nullcontext(server.rstrip("/")) if server is not None else app.embedded(configuration)


def _where(sweep_id: str, server: str | None, configuration: Settings) -> str:
    if server is not None:
        return f"\nThe dashboard has it: {server.rstrip('/')}/sweeps/{sweep_id}"
    if "://" in configuration.database:
        database = make_url(configuration.database).render_as_string(hide_password=True)
    else:
        database = str(Path(configuration.database).expanduser().resolve())
    usual = Settings()
    url = f"http://{usual.host}:{usual.port}/sweeps/{sweep_id}"
    return (
        f"\nThe raw samples are in {database}.\n"
        f"To look at them: dispatchmark serve --database {shlex.quote(database)}\nthen open {url}\n"
        f"Where the microseconds go: dispatchmark explain {sweep_id[:8]} --database {shlex.quote(database)}"
    )
