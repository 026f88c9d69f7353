"""Chromium, Firefox and WebKit through Playwright: its own builds where installed, else stock executables."""

from collections.abc import Callable
from importlib.metadata import version
from threading import Event
from typing import Any

from playwright.sync_api import Browser, Error, Page, Route

from dispatchmark.client import Server
from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.contract.environment import Launch, Runtime
from dispatchmark.contract.receipt import Progress
from dispatchmark.contract.submission import RunStart

from .base import Job, NotInstalled, Options, Outcome, Probe
from .display import NoDisplay
from .forward import secured
from .harness import harness_url
from .launching import STOCK, started
from .probing import ADAPTER_PATIENCE_MS, PAGE, QUESTION, judged, probe_page
from .remote import is_grid, unreachable
from .watch import close_run, watch_run
from .webdriver import WebDriverDriver

REMEDIES: dict[RuntimeName, str] = {
    RuntimeName.CHROMIUM: "install it: `playwright install chromium`, or the distribution's package chromium",
    RuntimeName.FIREFOX: "install it: `playwright install firefox`, or the distribution's package firefox-esr",
    RuntimeName.WEBKIT: "install it: `playwright install webkit`",
}
NOWHERE = "http://localhost/"
"""A secure context whose page Playwright itself serves, where the browser cannot reach this machine."""


class BrowserDriver:
    """Drives one browser through Playwright. Every run is a fresh process with a fresh profile."""

    def __init__(self, name: RuntimeName) -> None:
        self.name = name

    def probe(self, options: Options) -> Probe:
        """Starts the browser and asks it for its adapter."""
        if is_grid(options.remote):
            return WebDriverDriver(self.name).probe(options)
        launch = Launch(profile=options.profile, driver="playwright", driver_version=version("playwright"))
        runtime = Runtime(name=self.name)
        try:
            with started(self.name, options) as (browser, used):
                launch = used
                runtime = Runtime(name=self.name, version=browser.version)
                answer = _asked(browser.new_context().new_page(), options)
        except NotInstalled as error:
            return Probe(runtime, "unavailable", launch, reason=str(error), remedy=REMEDIES[self.name])
        except (NoDisplay, ValueError) as error:
            return Probe(runtime, "unavailable", launch, reason=str(error))
        except Error as error:
            failed = "it cannot be reached" if options.remote else "it does not start"
            return Probe(runtime, "unavailable", launch, reason=f"{failed}: {_first_line(error)}")
        return judged(runtime, launch, answer, options)

    def execute(self, job: Job, watch: Callable[[Progress], None], stop: Event) -> Outcome:
        """Runs the harness page until the server has the whole run, or the browser is gone."""
        if is_grid(job.options.remote):
            return WebDriverDriver(self.name).execute(job, watch, stop)
        problem = unreachable(job)
        if problem is not None:
            return Outcome(RunStatus.FAILED, problem)
        server = Server(job.server_url)
        try:
            with secured(job) as job, started(self.name, job.options) as (browser, launch):
                runtime = Runtime(name=self.name, version=browser.version)
                start = job.start.model_copy(update={"launch": launch, "runtime": runtime})
                server.open_run(start)
                try:
                    return _measured(browser, start, job, server, watch, stop)
                except Error as error:
                    return close_run(job, server, RunStatus.PARTIAL, _first_line(error))
        except (NotInstalled, NoDisplay) as error:
            return Outcome(RunStatus.UNAVAILABLE, str(error))
        except Error as error:
            return Outcome(RunStatus.FAILED, _first_line(error))
        finally:
            server.close()


def _asked(page: Page, options: Options) -> dict[str, Any]:
    """What the browser answers to the question about its adapter."""
    with probe_page() as url:
        if options.remote:
            url = NOWHERE
            page.route("**/*", _serve)
        page.goto(url)
        answer: dict[str, Any] = page.evaluate(QUESTION, ADAPTER_PATIENCE_MS)
    return answer


def _serve(route: Route) -> None:
    route.fulfill(status=200, content_type="text/html; charset=utf-8", body=PAGE)


def _measured(
    browser: Browser, start: RunStart, job: Job, server: Server, watch: Callable[[Progress], None], stop: Event
) -> Outcome:
    gone: list[str] = []
    page = browser.new_context().new_page()
    page.on("crash", lambda _: gone.append("the page crashed"))
    page.on("close", lambda _: gone.append("the page was closed"))
    page.goto(harness_url(job, start))

    def ended() -> str | None:
        if not browser.is_connected():
            return "the browser ended"
        return gone[0] if gone else None

    def pause(seconds: float) -> None:
        # Playwright handles what the browser says meanwhile; a page that is gone makes that raise.
        try:
            page.wait_for_timeout(seconds * 1000)
        except Error:
            stop.wait(seconds)

    return watch_run(job, server, watch, stop, ended=ended, pause=pause)


def _first_line(error: Error) -> str:
    lines = [line for line in error.message.splitlines() if line.strip()]
    return (lines[0] if lines else "no reason given")[:500]


def drivers() -> list[BrowserDriver]:
    """The browsers that Playwright drives."""
    return [BrowserDriver(name) for name in STOCK]
