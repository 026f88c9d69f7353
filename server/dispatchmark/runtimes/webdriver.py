"""WebKitGTK and Safari through their own WebDriver servers, and any browser of a Selenium Grid."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from threading import Event

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.options import ArgOptions
from selenium.webdriver.remote.webdriver import WebDriver

from dispatchmark.client import Server
from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.contract.environment import Launch, Runtime
from dispatchmark.contract.receipt import Progress

from .base import Job, Options, Outcome, Probe
from .display import NoDisplay, display
from .harness import harness_url
from .probing import ADAPTER_PATIENCE_MS, QUESTION, adapter_of, probe_page
from .watch import watch_run

MINIBROWSERS = ("/usr/lib/*/webkit2gtk-*/MiniBrowser", "/usr/libexec/webkit2gtk-*/MiniBrowser")
PAGE_TIMEOUT_S = 60
SCRIPT = (
    f"const done = arguments[1]; ({QUESTION.strip()})(arguments[0])"
    ".then(done, (error) => done({ error: String(error) }));"
)

REMEDIES: dict[RuntimeName, str] = {
    RuntimeName.WEBKITGTK: "install webkit2gtk-driver (Debian, Ubuntu) and xvfb",
    RuntimeName.SAFARI: "use a Mac, and run `safaridriver --enable` there once",
}
OPTIONS: dict[RuntimeName, type[ArgOptions]] = {
    RuntimeName.CHROMIUM: webdriver.ChromeOptions,
    RuntimeName.FIREFOX: webdriver.FirefoxOptions,
    RuntimeName.SAFARI: webdriver.SafariOptions,
    RuntimeName.WEBKITGTK: webdriver.WebKitGTKOptions,
}


class NotInstalled(Exception):
    """There is no such browser or driver here."""


class WebDriverDriver:
    """Drives one browser by WebDriver. Every run is a fresh session, which these drivers give a fresh process."""

    def __init__(self, name: RuntimeName) -> None:
        self.name = name

    def probe(self, options: Options) -> Probe:
        """Starts the browser and asks it for its adapter."""
        launch = Launch(profile=options.profile, driver="selenium", driver_version=version("selenium"))
        runtime = Runtime(name=self.name)
        try:
            with session(self.name, options) as (browser, used), probe_page() as url:
                launch = used
                runtime = Runtime(name=self.name, version=browser.capabilities.get("browserVersion"))
                browser.get(url)
                answer = browser.execute_async_script(SCRIPT, ADAPTER_PATIENCE_MS)
        except NotInstalled as error:
            return Probe(runtime, "unavailable", launch, reason=str(error), remedy=REMEDIES.get(self.name))
        except NoDisplay as error:
            return Probe(runtime, "unavailable", launch, reason=str(error))
        except WebDriverException as error:
            return Probe(runtime, "unavailable", launch, reason=f"it does not start: {_words(error)}")
        adapter = adapter_of(answer, launch.variables)
        if not answer.get("gpu"):
            reason = "it has no WebGPU here: navigator.gpu is missing"
            return Probe(runtime, "unsupported", launch, reason=reason)
        if adapter is None:
            return Probe(runtime, "unsupported", launch, reason="it has no adapter: requestAdapter answers null")
        return Probe(runtime, "usable", launch, adapter)

    def execute(self, job: Job, watch: Callable[[Progress], None], stop: Event) -> Outcome:
        """Runs the harness page until the server has the whole run, or the browser is gone."""
        server = Server(job.server_url)
        try:
            with session(self.name, job.options) as (browser, launch):
                runtime = Runtime(name=self.name, version=browser.capabilities.get("browserVersion"))
                start = job.start.model_copy(update={"launch": launch, "runtime": runtime})
                server.open_run(start)
                browser.get(harness_url(job, start))

                def ended() -> str | None:
                    try:
                        # The title alone is asked for: it costs the page nothing.
                        _ = browser.title
                    except WebDriverException as error:
                        return f"the browser ended: {_words(error)}"
                    return None

                return watch_run(job, server, watch, stop, ended=ended)
        except (NotInstalled, NoDisplay) as error:
            return Outcome(RunStatus.UNAVAILABLE, str(error))
        except WebDriverException as error:
            return Outcome(RunStatus.FAILED, _words(error))
        finally:
            server.close()


@contextmanager
def session(name: RuntimeName, options: Options) -> Iterator[tuple[WebDriver, Launch]]:
    """A WebDriver session of its own. Raises NotInstalled, NoDisplay, WebDriverException."""
    if options.remote:
        browser: WebDriver = webdriver.Remote(command_executor=options.remote, options=OPTIONS[name]())
        with _ended(browser):
            yield browser, _launch(options, remote=options.remote.split("@")[-1], headless=None)
        return
    if name is RuntimeName.SAFARI:
        if shutil.which("safaridriver") is None:
            raise NotInstalled("there is no safaridriver: Safari runs on macOS only")
        with _ended(webdriver.Safari()) as browser:
            yield browser, _launch(options, executable="safaridriver", headless=False)
        return
    driver, executable = shutil.which("WebKitWebDriver"), options.executable or _minibrowser()
    if driver is None or executable is None:
        raise NotInstalled("it is not installed: WebKitWebDriver or MiniBrowser is missing")
    with display() as variables:
        chosen = webdriver.WebKitGTKOptions()
        chosen.binary_location = executable
        chosen.add_argument("--automation")
        service = webdriver.WebKitGTKService(
            executable_path=driver, env={**os.environ, **variables, **options.variables}
        )
        with _ended(webdriver.WebKitGTK(options=chosen, service=service)) as browser:
            yield browser, _launch(options, executable=executable, flags=["--automation"], headless=False)


@contextmanager
def _ended(browser: WebDriver) -> Iterator[WebDriver]:
    browser.set_page_load_timeout(PAGE_TIMEOUT_S)
    browser.set_script_timeout(PAGE_TIMEOUT_S)
    try:
        yield browser
    finally:
        # A session that has ended by itself cannot be quit, and need not be.
        with suppress(WebDriverException):
            browser.quit()


def _launch(
    options: Options,
    *,
    headless: bool | None,
    executable: str | None = None,
    flags: list[str] | None = None,
    remote: str | None = None,
) -> Launch:
    return Launch(
        profile=options.profile,
        driver="selenium",
        driver_version=version("selenium"),
        executable=executable,
        flags=flags or [],
        headless=headless,
        remote=remote,
    )


def _minibrowser() -> str | None:
    found = (path for pattern in MINIBROWSERS for path in sorted(Path("/").glob(pattern.lstrip("/")), reverse=True))
    return next((str(path) for path in found), None)


def _words(error: WebDriverException) -> str:
    lines = [line for line in (error.msg or "").splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:500]


def drivers() -> list[WebDriverDriver]:
    """The browsers that are driven by their own WebDriver server."""
    return [WebDriverDriver(RuntimeName.SAFARI), WebDriverDriver(RuntimeName.WEBKITGTK)]
