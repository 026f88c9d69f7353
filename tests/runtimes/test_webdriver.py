from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from selenium.common.exceptions import InvalidSessionIdException, WebDriverException
from urllib3.exceptions import HTTPError

from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.contract.environment import Launch
from dispatchmark.runtimes import sessions, webdriver
from dispatchmark.runtimes.base import NotInstalled, Options
from dispatchmark.runtimes.webdriver import WebDriverDriver, ended
from tests.runtimes.jobs import job

SAFARI = WebDriverDriver(RuntimeName.SAFARI)
GRID = "http://user:secret@lab.test:4444/wd/hub"


class Browser:
    """As much of a session as a driver asks for."""

    capabilities = {"browserVersion": "26.2"}  # noqa: RUF012 - as Selenium has it

    def __init__(self, answer: dict[str, Any] | None = None) -> None:
        self.answer = answer
        self.visited: list[str] = []

    def get(self, url: str) -> None:
        self.visited.append(url)

    def execute_async_script(self, script: str, patience: int) -> dict[str, Any]:
        assert self.answer is not None
        return self.answer


def gives(monkeypatch: pytest.MonkeyPatch, found: Browser | Exception) -> None:
    @contextmanager
    def session(name: RuntimeName, options: Options) -> Iterator[tuple[Any, Launch]]:
        if isinstance(found, Exception):
            raise found
        yield found, Launch(driver="selenium", profile=options.profile)

    monkeypatch.setattr(webdriver, "session", session)


def test_a_browser_here_is_asked_for_its_adapter(monkeypatch: pytest.MonkeyPatch) -> None:
    adapter = {"vendor": "apple", "architecture": "metal-3", "fallback": False, "features": [], "attempts": 1}
    browser = Browser({"gpu": True, "adapter": adapter})
    gives(monkeypatch, browser)
    probe = SAFARI.probe(Options(adapter="hardware"))
    assert (probe.status, probe.runtime.version) == ("usable", "26.2")
    assert probe.adapter is not None
    assert (probe.adapter.vendor, probe.adapter.software) == ("apple", False)
    assert browser.visited[0].startswith("http://127.0.0.1:")


def test_a_browser_elsewhere_cannot_be_asked_before_its_run(monkeypatch: pytest.MonkeyPatch) -> None:
    browser = Browser()
    gives(monkeypatch, browser)
    probe = SAFARI.probe(Options(remote=GRID))
    assert (probe.status, probe.runtime.version, probe.adapter) == ("usable", "26.2", None)
    assert browser.visited == []


@pytest.mark.parametrize(
    ("problem", "reason", "status"),
    [
        (NotInstalled("there is no safaridriver"), "there is no safaridriver", RunStatus.UNAVAILABLE),
        (WebDriverException("Allow remote automation\nis off"), "Allow remote automation", RunStatus.FAILED),
        (HTTPError("pool(host='lab', port=1)"), "it cannot be reached", RunStatus.FAILED),
    ],
)
def test_what_keeps_a_browser_from_starting_is_its_reason(
    monkeypatch: pytest.MonkeyPatch, problem: Exception, reason: str, status: RunStatus
) -> None:
    gives(monkeypatch, problem)
    probe = SAFARI.probe(Options())
    assert probe.status == "unavailable"
    assert reason in str(probe.reason)
    assert "safaridriver --enable" in str(probe.remedy)
    assert SAFARI.execute(job(), lambda progress: None, Event()).status is status


def test_a_browser_elsewhere_that_cannot_reach_the_server_is_not_even_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    gives(monkeypatch, AssertionError("it was asked"))
    one = job("http://127.0.0.1:9", options=Options(remote=GRID))
    outcome = SAFARI.execute(one, lambda progress: None, Event())
    assert outcome.status is RunStatus.FAILED
    assert "http://lab.test:4444" in str(outcome.reason)
    assert "secret" not in str(outcome.reason)


class Gone:
    """A session that is gone, in one way or another."""

    def __init__(self, problem: Exception) -> None:
        self.problem = problem

    @property
    def window_handles(self) -> list[str]:
        raise self.problem


@pytest.mark.parametrize(
    ("browser", "why"),
    [
        (SimpleNamespace(window_handles=["page"]), None),
        (SimpleNamespace(window_handles=[]), "the page was closed"),
        (
            Gone(InvalidSessionIdException("page crash or hang.; For documentation on this error, please visit: x")),
            "the browser ended: page crash or hang.",
        ),
        (Gone(HTTPError("pool(host='localhost', port=1)")), "the browser ended: its driver does not answer"),
        (Gone(WebDriverException()), "the browser ended: WebDriverException"),
    ],
)
def test_why_a_browser_is_gone(browser: Any, why: str | None) -> None:
    assert ended(browser) == why


def test_safari_is_nowhere_but_on_a_mac(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    probe = SAFARI.probe(Options())
    assert (probe.status, probe.reason) == ("unavailable", "there is no safaridriver: Safari runs on macOS only")


@pytest.mark.parametrize("named", ["/nowhere/MiniBrowser", None])
def test_webkitgtk_needs_its_driver_and_its_browser(monkeypatch: pytest.MonkeyPatch, named: str | None) -> None:
    monkeypatch.setenv("PATH", "")
    probe = WebDriverDriver(RuntimeName.WEBKITGTK).probe(Options(executable=named))
    assert probe.status == "unavailable"
    assert "WebKitWebDriver is missing" in str(probe.reason)
    assert "webkit2gtk-driver" in str(probe.remedy)


@pytest.mark.parametrize(
    ("name", "options", "browser", "flag"),
    [
        (RuntimeName.CHROMIUM, Options(), "chrome", "--enable-unsafe-webgpu"),
        (RuntimeName.CHROMIUM, Options(channel="msedge-beta"), "MicrosoftEdge", "--headless=new"),
        (RuntimeName.FIREFOX, Options(), "firefox", "-headless"),
        (RuntimeName.SAFARI, Options(), "safari", None),
    ],
)
def test_a_grid_is_asked_for_the_browser_with_the_flags_of_its_profile(
    monkeypatch: pytest.MonkeyPatch, name: RuntimeName, options: Options, browser: str, flag: str | None
) -> None:
    asked: list[dict[str, Any]] = []

    @contextmanager
    def opened(url: str, chosen: Any) -> Iterator[Any]:
        assert url == GRID
        asked.append(chosen.to_capabilities())
        yield None

    monkeypatch.setattr(sessions, "_opened", opened)
    elsewhere = Options(adapter="software", remote=GRID, channel=options.channel)
    with sessions.session(name, elsewhere) as (_, launch):
        pass
    assert asked[0]["browserName"] == browser
    assert launch.remote == "http://lab.test:4444"
    assert launch.channel == options.channel
    if flag is None:
        assert (launch.flags, launch.headless) == ([], None)
    else:
        assert flag in launch.flags
        assert flag in str(asked[0])
    if name is RuntimeName.FIREFOX:
        assert launch.preferences["dom.webgpu.enabled"] is True
        assert "dom.webgpu.enabled" in str(asked[0])
