"""Failure drills: what goes wrong in the field, done on purpose to real browsers in the middle of a run."""

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event

import psutil
import pytest

from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.contract.receipt import Progress
from dispatchmark.runtimes import watch
from dispatchmark.runtimes.base import Options
from tests.e2e.runs import Run, Watch, arguments, driver, execute
from tests.e2e.server import ServerProcess

pytestmark = pytest.mark.e2e

needs_chromium = pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
needs_firefox = pytest.mark.skipif(shutil.which("firefox-esr") is None, reason="Firefox is not installed")
CHROMIUM, FIREFOX = RuntimeName.CHROMIUM, RuntimeName.FIREFOX


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drills strike between the parts of a run that takes seconds, so its driver looks more often than usual."""
    monkeypatch.setattr(watch, "POLL_S", 0.1)
    monkeypatch.delenv("DISPATCHMARK_DRILL", raising=False)


def strike(blow: Callable[[list[psutil.Process]], None], after: int = 2) -> Watch:
    """Strikes once, as soon as the server has so many parts."""
    struck: list[int] = []

    def watching(progress: Progress, processes: list[psutil.Process]) -> None:
        if progress.parts >= after and not struck:
            struck.append(progress.parts)
            blow(processes)

    return watching


def kill(word: str) -> Callable[[list[psutil.Process]], None]:
    """Kills every process that has the word among its arguments, as the system does when memory runs out."""

    def blow(processes: list[psutil.Process]) -> None:
        victims = [one for one in processes if any(word in argument for argument in arguments(one))]
        assert victims, [arguments(one)[:3] for one in processes]
        for victim in victims:
            with suppress(psutil.NoSuchProcess):
                victim.kill()

    return blow


def assert_kept(run: Run, words: str) -> None:
    """The run is partial, says why, and has what was measured before."""
    assert (run.outcome.status, run.report.status) == (RunStatus.PARTIAL, RunStatus.PARTIAL), run.outcome
    assert words in str(run.report.reason)
    assert run.environments
    assert run.cases
    assert [part.sequence for part in run.document.parts] == list(range(len(run.document.parts)))
    assert run.left_over == []


@pytest.mark.parametrize(
    ("name", "word"),
    [
        pytest.param(CHROMIUM, "--remote-debugging-pipe", marks=needs_chromium),
        pytest.param(FIREFOX, "--remote-debugging-port", marks=needs_firefox),
    ],
)
def test_a_browser_that_is_killed_leaves_a_partial_run(server: ServerProcess, name: RuntimeName, word: str) -> None:
    run = execute(server, name, suite_name="quick", watch=strike(kill(word)))
    assert_kept(run, "the browser ended")


@needs_chromium
def test_a_page_that_crashes_leaves_a_partial_run(server: ServerProcess) -> None:
    run = execute(server, CHROMIUM, suite_name="quick", watch=strike(kill("--type=renderer")))
    assert_kept(run, "the page crashed")


@needs_chromium
def test_a_gpu_process_that_dies_costs_one_case(server: ServerProcess) -> None:
    run = execute(server, CHROMIUM, watch=strike(kill("--type=gpu-process"), after=3))
    assert run.outcome.status is RunStatus.FINISHED, run.outcome
    assert [part.sequence for part in run.document.parts] == list(range(len(run.document.parts)))
    *before, struck, last = run.cases
    assert [case.status for case in before] == ["measured"] * len(before)
    # The blow may fall between two cases, and then costs none.
    assert struck.status == "measured" or "lost" in str(struck.reason), struck.reason
    assert last.status == "measured"


@needs_chromium
def test_a_server_that_is_killed_and_comes_back_has_the_whole_run_once(tmp_path: Path) -> None:
    with ServerProcess.running(tmp_path) as server:

        def blow(processes: list[psutil.Process]) -> None:
            server.kill()
            server.start()

        run = execute(server, CHROMIUM, watch=strike(blow, after=3))
        assert run.outcome.status is RunStatus.FINISHED, run.outcome
        assert [part.sequence for part in run.document.parts] == [0, 1, 2, 3, 4]
        assert [case.status for case in run.cases] == ["measured"] * 4
        assert run.report.reason is None


@needs_chromium
@pytest.mark.parametrize("drill", ["hang", "freeze"])
def test_a_page_that_hangs_is_ended_and_keeps_what_it_measured(
    server: ServerProcess, monkeypatch: pytest.MonkeyPatch, drill: str
) -> None:
    monkeypatch.setenv("DISPATCHMARK_DRILL", drill)
    run = execute(server, CHROMIUM, suite_name="quick", stall_s=8.0)
    assert_kept(run, "hung: no case finished within 8 s")


@needs_chromium
def test_a_lost_device_costs_one_case(server: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPATCHMARK_DRILL", "lose-device")
    run = execute(server, CHROMIUM)
    assert run.outcome.status is RunStatus.FINISHED
    *others, lost = run.cases
    assert [case.status for case in others] == ["measured"] * 3
    assert (lost.status, lost.repeat) == ("failed", True)
    assert "device lost" in str(lost.reason)


@needs_chromium
def test_an_adapter_that_comes_late_is_waited_for(server: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPATCHMARK_DRILL", "null-adapter")
    run = execute(server, CHROMIUM)
    assert run.outcome.status is RunStatus.FINISHED
    assert run.adapter.attempts == 4
    assert [case.status for case in run.cases] == ["measured"] * 4


@needs_chromium
def test_an_adapter_that_falls_back_to_software_disturbs_the_run(
    server: ServerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPATCHMARK_DRILL", "fall-back")
    run = execute(server, CHROMIUM)
    assert run.outcome.status is RunStatus.FINISHED
    assert [part.adapter.software for part in run.environments if part.adapter] == [False, True]
    assert run.report.verdict == "disturbed"
    assert run.report.verdict_reasons == ["the adapter changed during the run"]


@needs_chromium
def test_a_run_that_is_stopped_is_cancelled_and_its_browser_closed(server: ServerProcess) -> None:
    stop = Event()
    run = execute(server, CHROMIUM, suite_name="quick", watch=strike(lambda processes: stop.set()), stop=stop)
    assert (run.outcome.status, run.report.status) == (RunStatus.CANCELLED, RunStatus.CANCELLED)
    assert run.report.reason == "stopped by the user"
    assert run.cases
    assert run.left_over == []


@pytest.mark.parametrize("name", [CHROMIUM, RuntimeName.WEBKITGTK])
def test_no_display_and_none_to_be_had_is_a_row_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: RuntimeName
) -> None:
    for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(variable, raising=False)
    # A path on which everything is but Xvfb.
    for folder in filter(os.path.isdir, os.environ["PATH"].split(os.pathsep)):
        for command in Path(folder).iterdir():
            if command.name != "Xvfb" and not (tmp_path / command.name).is_symlink():
                (tmp_path / command.name).symlink_to(command)
    monkeypatch.setenv("PATH", str(tmp_path))
    probe = driver(name).probe(Options(adapter="software", profile="user"))
    assert probe.status == "unavailable"
    if "not installed" not in str(probe.reason):
        assert probe.reason == "there is no display, and no Xvfb to make one: install xvfb"
