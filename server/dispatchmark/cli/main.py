"""The commands, and what they have in common."""

from typing import Annotated

import typer

from dispatchmark import __version__

from . import explain, recompute, runtimes, serve, sweep

app = typer.Typer(
    help=(
        "Measures what one WebGPU dispatch costs, in every browser and natively, with an interval.\n\n"
        "Begin with `dispatchmark runtimes` to see what can be measured here, then `dispatchmark sweep`.\n\n"
        "Exit codes: 0 done, 1 something that could run failed, 2 wrong usage, 130 interrupted."
    ),
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
app.command("sweep")(sweep.sweep)
app.command("runtimes")(runtimes.runtimes)
app.command("serve")(serve.serve)
app.command("explain")(explain.explain)
app.command("recompute")(recompute.recompute)


def _version(asked: bool) -> None:
    if asked:
        print(f"dispatchmark {__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and end.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """What comes before a command."""


def main() -> None:
    """The command `dispatchmark`."""
    app()
