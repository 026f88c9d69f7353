import io

from rich.console import Console

from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.contract.receipt import Progress
from dispatchmark.runtimes.base import Outcome
from dispatchmark.sweep.display import Display
from dispatchmark.sweep.execute import Ended
from dispatchmark.sweep.plan import Slot, plan
from tests.sweep.fakes import candidate, missing


def shown(*, terminal: bool) -> str:
    """What a sweep of two runs and a missing runtime shows."""
    console = Console(file=io.StringIO(), force_terminal=terminal, width=100, color_system=None)
    dawn, safari = candidate("dawn"), missing("safari", "needs [a Mac]")
    with Display(console) as display:
        display.looking("dawn")
        gone = Outcome(RunStatus.UNAVAILABLE, "needs [a Mac]")
        display.ended(Ended(Slot(0, 0, RuntimeName.SAFARI), "0" * 32, gone, 0.0, usable=False), safari)
        slots = plan([RuntimeName.DAWN], 2, seed=1, first=1)
        display.planned(slots, 5)
        for slot in slots:
            display.started(slot, dawn)
            display.progressed(
                slot,
                Progress(
                    run_id="1" * 32,
                    status=RunStatus.RUNNING,
                    parts=4,
                    last_case="control/wait",
                    seconds_since_last_part=0.5,
                ),
            )
            display.ended(Ended(slot, "1" * 32, Outcome(RunStatus.FINISHED), 12.4), dawn)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_log_has_a_line_for_every_run_and_nothing_else() -> None:
    assert shown(terminal=False).splitlines() == [
        "no run  safari  unavailable: needs [a Mac]",
        "run 1/2  dawn 1.0  finished in 12 s",
        "run 2/2  dawn 1.0  finished in 12 s",
    ]


def test_a_terminal_also_shows_the_case_in_progress() -> None:
    assert "run 2/2  dawn 1.0  finished in 12 s" in shown(terminal=True)
