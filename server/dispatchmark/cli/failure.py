"""How a command ends: exit codes, and errors in words instead of tracebacks."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NoReturn

import typer

from dispatchmark.client import ServerError
from dispatchmark.serving import ServeError
from dispatchmark.store.errors import StoreError
from dispatchmark.sweep.interrupts import INTERRUPTED
from dispatchmark.sweep.lock import Busy

FAILED: Final = 1
USAGE: Final = 2


def fail(message: str, code: int = FAILED) -> NoReturn:
    """Ends the command with a message on the error stream."""
    print(f"dispatchmark: {message}", file=sys.stderr)
    raise typer.Exit(code)


def usage(message: str) -> NoReturn:
    """Ends the command because it was called wrongly."""
    fail(f"{message}\nTry a command with --help.", USAGE)


@contextmanager
def explained() -> Iterator[None]:
    """Turns the failures that a user can do something about into their message."""
    try:
        yield
    except (StoreError, ServeError, ServerError) as error:
        fail(str(error))
    except Busy as error:
        fail(f"another sweep is running on this machine ({error}). Wait for it with --wait, or end it.")
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
