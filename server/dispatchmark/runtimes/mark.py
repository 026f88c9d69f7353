"""A mark in the environment of all that a run starts: shows what really runs, and that nothing of it is left behind."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from uuid import uuid4

import psutil

NAME = "DISPATCHMARK_MARK"
GRACE_S = 5.0
"""A browser's helpers may take so long to see that it is gone."""

OF_ONE_RUN = ("--user-data-dir", "--profile", "-profile", "--remote-debugging-port")
"""Flags whose values are new for every process: they say nothing of how it was started."""


class Mark:
    """Marks the processes of one run. A parent's death does not hide them, as it does in the tree of processes."""

    def __init__(self) -> None:
        self.value = uuid4().hex

    @property
    def variables(self) -> dict[str, str]:
        """The environment variable that processes hand on to theirs."""
        return {NAME: self.value}

    def processes(self) -> list[psutil.Process]:
        """What bears the mark now, oldest first."""
        found = [process for process in psutil.process_iter() if self._bears(process)]
        return sorted(found, key=lambda process: float(process.create_time()))

    def flags(self) -> list[str] | None:
        """The flags of the process that was started first, its wrapper's and its driver's included; None if gone."""
        with suppress(psutil.Error, IndexError):
            return lasting(self.processes()[0].cmdline()[1:])
        return None

    def end(self) -> None:
        """Waits for all to end, and ends what does not."""
        _, left = psutil.wait_procs(self.processes(), timeout=GRACE_S)
        for process in left:
            with suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(left, timeout=GRACE_S)

    def _bears(self, process: psutil.Process) -> bool:
        # Zombies have no environment left, and processes of others are not to be read.
        with suppress(psutil.Error, OSError):
            return process.pid != os.getpid() and process.environ().get(NAME) == self.value
        return False


@contextmanager
def marked() -> Iterator[Mark]:
    """Yields a mark; nothing that bears it outlives the block."""
    mark = Mark()
    try:
        yield mark
    finally:
        mark.end()


def lasting(arguments: list[str]) -> list[str]:
    """Arguments without those that are of one run alone, so that runs which were started alike show the same."""
    kept: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        name, given, _ = argument.partition("=")
        if name in OF_ONE_RUN:
            if not given:
                next(rest, None)
            continue
        kept.append(argument)
    return kept
