from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from typing import Any

import pytest
from playwright.sync_api import Error

from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.contract.environment import Launch
from dispatchmark.runtimes import browser as module
from dispatchmark.runtimes.base import NotInstalled, Options, Outcome, Probe
from dispatchmark.runtimes.browser import BrowserDriver
from dispatchmark.runtimes.display import NoDisplay
from tests.runtimes.jobs import job

CHROMIUM = BrowserDriver(RuntimeName.CHROMIUM)


def starts_with(monkeypatch: pytest.MonkeyPatch, problem: Exception) -> None:
    @contextmanager
    def started(name: RuntimeName, options: Options) -> Iterator[tuple[Any, Launch]]:
        raise problem
        yield

    monkeypatch.setattr(module, "started", started)


def execute(**changes: Any) -> Outcome:
    return CHROMIUM.execute(job(**changes), lambda progress: None, Event())


def test_a_browser_that_is_not_there_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    starts_with(monkeypatch, NotInstalled("it is not installed"))
    probe = CHROMIUM.probe(Options(profile="developer"))
    assert (probe.status, probe.reason) == ("unavailable", "it is not installed")
    assert "playwright install chromium" in str(probe.remedy)
    assert (probe.launch.profile, probe.launch.driver) == ("developer", "playwright")
    assert execute() == Outcome(RunStatus.UNAVAILABLE, "it is not installed")


@pytest.mark.parametrize("problem", [NoDisplay("install xvfb"), ValueError("no profile turbo")])
def test_what_keeps_a_browser_from_starting_is_its_reason(monkeypatch: pytest.MonkeyPatch, problem: Exception) -> None:
    starts_with(monkeypatch, problem)
    probe = CHROMIUM.probe(Options())
    assert (probe.status, probe.reason) == ("unavailable", str(problem))


@pytest.mark.parametrize(
    ("remote", "words"), [(None, "it does not start: "), ("ws://lab:3000/x", "it cannot be reached: ")]
)
def test_of_playwrights_error_the_first_line_is_shown(
    monkeypatch: pytest.MonkeyPatch, remote: str | None, words: str
) -> None:
    starts_with(monkeypatch, Error("\nTarget closed\nBrowser logs:\n..."))
    probe = CHROMIUM.probe(Options(remote=remote))
    assert (probe.status, probe.reason) == ("unavailable", f"{words}Target closed")
    assert execute() == Outcome(RunStatus.FAILED, "Target closed")


def test_a_browser_elsewhere_that_cannot_reach_the_server_is_not_even_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    starts_with(monkeypatch, AssertionError("it was asked"))
    outcome = execute(server_url="http://127.0.0.1:9", options=Options(remote="ws://lab:3000/x"))
    assert outcome.status is RunStatus.FAILED
    assert "--page-url" in str(outcome.reason)


def test_a_grid_is_driven_by_webdriver(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, RuntimeName]] = []

    class Grid:
        def __init__(self, name: RuntimeName) -> None:
            self.name = name

        def probe(self, options: Options) -> Probe | None:
            asked.append(("probe", self.name))
            return None

        def execute(self, *arguments: object) -> Outcome:
            asked.append(("execute", self.name))
            return Outcome(RunStatus.FINISHED)

    monkeypatch.setattr(module, "WebDriverDriver", Grid)
    starts_with(monkeypatch, AssertionError("playwright was asked"))
    options = Options(remote="http://lab:4444")
    CHROMIUM.probe(options)
    assert execute(options=options).status is RunStatus.FINISHED
    assert asked == [("probe", RuntimeName.CHROMIUM), ("execute", RuntimeName.CHROMIUM)]
