"""Ctrl-C in two steps: the first ends the sweep in order, the second ends the process at once."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event
from types import FrameType
from typing import Final

import psutil

INTERRUPTED: Final = 130


@contextmanager
def interruptible(first: Callable[[], None]) -> Iterator[Event]:
    """Yields an event that Ctrl-C or a termination signal sets; `first` then tells the user what happens now."""
    stop = Event()

    def handle(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            end_children()
            os._exit(INTERRUPTED)
        stop.set()
        first()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def end_children() -> None:
    """Ends every process that this one started, and theirs: no browser is left behind."""
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            child.kill()
