"""`dispatchmark runtimes`: what can be measured here, and what to install for the rest."""

import json as json_text
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from dispatchmark.runtimes.base import Probe, Wanted

from . import choices, probing
from .failure import explained


def runtimes(
    names: Annotated[str | None, typer.Option("--runtimes", help="Comma-separated; default: all.")] = None,
    adapter: Annotated[Wanted, typer.Option(help="Kind of adapter to look for.")] = "any",
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List every runtime with its executable, version and adapter, or why it cannot run and what to install.

    Examples:

    `dispatchmark runtimes`

    `dispatchmark runtimes --runtimes chromium,firefox --adapter hardware --json`
    """
    with explained():
        console = Console(stderr=True)
        with console.status("looking for runtimes") as status:
            found = probing.probe(
                choices.runtimes(names), probing.Chosen(adapter), lambda name: status.update(f"looking for {name}")
            )
    probes = [candidate.probe for candidate in found]
    if json:
        print(json_text.dumps([document(probe) for probe in probes], indent=2))
        return
    Console().print(table(probes))


def document(probe: Probe) -> dict[str, object]:
    """A probe as plain values."""
    return {
        "runtime": probe.runtime.model_dump(mode="json"),
        "status": probe.status,
        "launch": probe.launch.model_dump(mode="json"),
        "adapter": probe.adapter.model_dump(mode="json") if probe.adapter else None,
        "reason": probe.reason,
        "remedy": probe.remedy,
    }


def table(probes: list[Probe]) -> Table:
    """Probes as a table."""
    shown = Table(box=box.HORIZONTALS, show_lines=True, pad_edge=False, header_style="bold")
    shown.add_column("runtime", no_wrap=True)
    shown.add_column("status", no_wrap=True)
    shown.add_column("adapter and executable, or why not and what helps", overflow="fold", ratio=1)
    for probe in probes:
        colour = "green" if probe.status == "usable" else "yellow"
        name = f"{probe.runtime.name}\n{probe.runtime.version or ''}".rstrip()
        about = _found(probe) if probe.status == "usable" else (probe.reason, probe.remedy)
        shown.add_row(
            escape(name),
            f"[{colour}]{probe.status}[/{colour}]",
            escape("\n".join(line for line in about if line)),
        )
    return shown


def _found(probe: Probe) -> tuple[str | None, ...]:
    if probe.adapter is None:
        return "its adapter is not known before a run", probe.launch.executable
    kind = {True: "software", False: "hardware", None: "software or hardware: it does not tell"}
    name = probe.adapter.label or "adapter unnamed"
    backend = f", {probe.adapter.backend}" if probe.adapter.backend else ""
    return f"{name}, {kind[probe.adapter.software]}{backend}", probe.launch.executable
