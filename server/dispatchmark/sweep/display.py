"""Shows a sweep as it goes: on a terminal a live bar, and everywhere a line for each run that ended."""

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from dispatchmark.contract import receipt
from dispatchmark.contract.base import RunStatus

from .execute import Candidate, Ended
from .plan import Slot
from .table import in_one_line

COLOURS = {RunStatus.FINISHED: "green", RunStatus.UNSUPPORTED: "yellow", RunStatus.UNAVAILABLE: "yellow"}


class Display:
    """An observer that writes to a console. Use it as a context manager around the sweep."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
            disable=not console.is_terminal,
            transient=True,
            # What is drawn is drawn on the machine that is being measured.
            refresh_per_second=2,
        )
        self._task: TaskID = self._bar.add_task("")
        self._runs = 0
        self._parts_per_run = 1
        self._begun = 0

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._bar.stop()

    def looking(self, runtime: str) -> None:
        """A runtime is probed."""
        self._bar.update(self._task, description=f"looking for {runtime}", total=None)

    def planned(self, slots: Sequence[Slot], parts_per_run: int) -> None:
        """Before the first run."""
        self._runs, self._parts_per_run = len(slots), parts_per_run
        self._bar.reset(self._task, total=max(1, len(slots) * parts_per_run))

    def started(self, slot: Slot, candidate: Candidate) -> None:
        """A run begins."""
        self._begun += 1
        self._show(slot, "starting", 0)

    def progressed(self, slot: Slot, progress: receipt.Progress) -> None:
        """The server has more of the run in progress."""
        self._show(slot, f"after {progress.last_case}" if progress.last_case else "starting", progress.parts)

    def ended(self, run: Ended, candidate: Candidate) -> None:
        """A run has ended, or a runtime that cannot be measured has its row."""
        status = run.outcome.status
        colour = COLOURS.get(status, "red")
        head = f"run {self._begun}/{self._runs}" if candidate.usable else "no run"
        text = f"{head}  {_name(candidate)}  [{colour}]{status}[/{colour}]"
        if candidate.usable:
            text += f" in {run.seconds:.0f} s"
        if run.outcome.reason:
            text += f": {escape(in_one_line(run.outcome.reason))}"
        self.console.print(text, highlight=False, soft_wrap=True)
        if candidate.usable:
            self._bar.update(self._task, completed=self._begun * self._parts_per_run)

    def _show(self, slot: Slot, what: str, parts: int) -> None:
        done = (self._begun - 1) * self._parts_per_run + min(parts, self._parts_per_run)
        text = f"run {self._begun}/{self._runs}  {slot.runtime}  {what}"
        self._bar.update(self._task, description=escape(text), completed=done)


def _name(candidate: Candidate) -> str:
    version = candidate.probe.runtime.version
    return escape(f"{candidate.name} {version}" if version else str(candidate.name))
