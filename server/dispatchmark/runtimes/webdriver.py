"""WebKitGTK and Safari through their own WebDriver servers, and any browser of a Selenium Grid."""

from collections.abc import Callable
from threading import Event
from typing import Any

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.remote.webdriver import WebDriver
from urllib3.exceptions import HTTPError

from dispatchmark.client import Server
from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.contract.environment import Runtime
from dispatchmark.contract.receipt import Progress

from .base import Job, NotInstalled, Options, Outcome, Probe
from .display import NoDisplay
from .forward import secured
from .harness import harness_url
from .probing import ADAPTER_PATIENCE_MS, QUESTION, judged, probe_page
from .remote import is_here, unreachable
from .sessions import TROUBLE, launch_of, session
from .watch import close_run, watch_run

SCRIPT = (
    f"const done = arguments[1]; ({QUESTION.strip()})(arguments[0])"
    ".then(done, (error) => done({ error: String(error) }));"
)
REMEDIES: dict[RuntimeName, str] = {
    RuntimeName.WEBKITGTK: "install webkit2gtk-driver (Debian, Ubuntu) and xvfb",
    RuntimeName.SAFARI: "use a Mac, and run `safaridriver --enable` there once",
}


class WebDriverDriver:
    """Drives one browser by WebDriver. Every run is a fresh session, which these drivers give a fresh process."""

    def __init__(self, name: RuntimeName) -> None:
        self.name = name

    def probe(self, options: Options) -> Probe:
        """Starts the browser and asks it for its adapter; one on another machine cannot be asked before its run."""
        launch = launch_of(options)
        runtime = Runtime(name=self.name)
        try:
            with session(self.name, options) as (browser, used):
                launch = used
                runtime = Runtime(name=self.name, version=browser.capabilities.get("browserVersion"))
                if not is_here(options.remote):
                    return Probe(runtime, "usable", launch)
                with probe_page() as url:
                    browser.get(url)
                    answer: dict[str, Any] = browser.execute_async_script(SCRIPT, ADAPTER_PATIENCE_MS)
        except NotInstalled as error:
            return Probe(runtime, "unavailable", launch, reason=str(error), remedy=REMEDIES.get(self.name))
        except (NoDisplay, ValueError) as error:
            return Probe(runtime, "unavailable", launch, reason=str(error))
        except TROUBLE as error:
            failed = "it cannot be reached" if isinstance(error, HTTPError) else f"it does not start: {_words(error)}"
            remedy = None if options.remote else REMEDIES.get(self.name)
            return Probe(runtime, "unavailable", launch, reason=failed, remedy=remedy)
        return judged(runtime, launch, answer, options)

    def execute(self, job: Job, watch: Callable[[Progress], None], stop: Event) -> Outcome:
        """Runs the harness page until the server has the whole run, or the browser is gone."""
        problem = unreachable(job)
        if problem is not None:
            return Outcome(RunStatus.FAILED, problem)
        server = Server(job.server_url)
        try:
            with secured(job) as job, session(self.name, job.options) as (browser, launch):
                runtime = Runtime(name=self.name, version=browser.capabilities.get("browserVersion"))
                start = job.start.model_copy(update={"launch": launch, "runtime": runtime})
                server.open_run(start)
                try:
                    browser.get(harness_url(job, start))
                    return watch_run(job, server, watch, stop, ended=lambda: ended(browser))
                except TROUBLE as error:
                    return close_run(job, server, RunStatus.PARTIAL, _words(error))
        except (NotInstalled, NoDisplay) as error:
            return Outcome(RunStatus.UNAVAILABLE, str(error))
        except TROUBLE as error:
            return Outcome(RunStatus.FAILED, _words(error))
        finally:
            server.close()


def ended(browser: WebDriver) -> str | None:
    """Why a browser is gone, None while it lives."""
    try:
        # The browser itself is asked, not its page: that costs a measurement nothing, and a page that hangs nothing.
        return None if browser.window_handles else "the page was closed"
    except TROUBLE as error:
        return f"the browser ended: {_words(error)}"


def _words(error: Exception) -> str:
    """What went wrong, in one line and without Selenium's advertisement of its documentation."""
    if isinstance(error, HTTPError):
        return "its driver does not answer"
    text = (error.msg or "") if isinstance(error, WebDriverException) else str(error)
    lines = [line for line in text.partition("; For documentation")[0].splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:500]


def drivers() -> list[WebDriverDriver]:
    """The browsers that are driven by their own WebDriver server."""
    return [WebDriverDriver(RuntimeName.SAFARI), WebDriverDriver(RuntimeName.WEBKITGTK)]
