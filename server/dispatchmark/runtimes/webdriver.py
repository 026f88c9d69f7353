"""WebKitGTK and Safari through their own WebDriver servers, and any browser of a Selenium Grid."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from threading import Event
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.options import ArgOptions, BaseOptions
from selenium.webdriver.common.proxy import Proxy, ProxyType
from selenium.webdriver.common.service import Service
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.remote.webdriver import WebDriver
from urllib3.exceptions import HTTPError

from dispatchmark.client import Server
from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.contract.environment import Launch, Runtime
from dispatchmark.contract.receipt import Progress

from . import vulkan
from .base import Job, Options, Outcome, Probe
from .display import NoDisplay, display
from .harness import harness_url
from .mark import marked
from .probing import ADAPTER_PATIENCE_MS, QUESTION, judged, probe_page
from .profiles import setup
from .remote import is_here, origin, unreachable
from .watch import close_run, watch_run

MINIBROWSERS = ("/usr/lib/*/webkit2gtk-*/MiniBrowser", "/usr/libexec/webkit2gtk-*/MiniBrowser")
PAGE_TIMEOUT_S = 60
ANSWER_TIMEOUT_S = 120
OUR_OWN = {"start_new_session": True}
"""Ctrl-C at the terminal would end a driver before its run is closed."""

SCRIPT = (
    f"const done = arguments[1]; ({QUESTION.strip()})(arguments[0])"
    ".then(done, (error) => done({ error: String(error) }));"
)

REMEDIES: dict[RuntimeName, str] = {
    RuntimeName.WEBKITGTK: "install webkit2gtk-driver (Debian, Ubuntu) and xvfb",
    RuntimeName.SAFARI: "use a Mac, and run `safaridriver --enable` there once",
}
TROUBLE = (WebDriverException, HTTPError)
"""What a browser that is gone looks like from here, and what a driver that is gone does."""


class NotInstalled(Exception):
    """There is no such browser or driver here."""


class WebDriverDriver:
    """Drives one browser by WebDriver. Every run is a fresh session, which these drivers give a fresh process."""

    def __init__(self, name: RuntimeName) -> None:
        self.name = name

    def probe(self, options: Options) -> Probe:
        """Starts the browser and asks it for its adapter; one on another machine cannot be asked before its run."""
        launch = _launch(options)
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
            failed = "it cannot be reached" if options.remote else "it does not start"
            remedy = None if options.remote else REMEDIES.get(self.name)
            return Probe(runtime, "unavailable", launch, reason=f"{failed}: {_words(error)}", remedy=remedy)
        return judged(runtime, launch, answer, options)

    def execute(self, job: Job, watch: Callable[[Progress], None], stop: Event) -> Outcome:
        """Runs the harness page until the server has the whole run, or the browser is gone."""
        problem = unreachable(job)
        if problem is not None:
            return Outcome(RunStatus.FAILED, problem)
        server = Server(job.server_url)
        try:
            with session(self.name, job.options) as (browser, launch):
                runtime = Runtime(name=self.name, version=browser.capabilities.get("browserVersion"))
                start = job.start.model_copy(update={"launch": launch, "runtime": runtime})
                server.open_run(start)
                try:
                    browser.get(harness_url(job, start))
                    return watch_run(job, server, watch, stop, ended=lambda: _ended(browser))
                except TROUBLE as error:
                    return close_run(job, server, RunStatus.PARTIAL, _words(error))
        except (NotInstalled, NoDisplay) as error:
            return Outcome(RunStatus.UNAVAILABLE, str(error))
        except TROUBLE as error:
            return Outcome(RunStatus.FAILED, _words(error))
        finally:
            server.close()


def _ended(browser: WebDriver) -> str | None:
    try:
        # The browser itself is asked, not its page: that costs a measurement nothing, and a page that hangs nothing.
        return None if browser.window_handles else "the page was closed"
    except TROUBLE as error:
        return f"the browser ended: {_words(error)}"


@contextmanager
def session(name: RuntimeName, options: Options) -> Iterator[tuple[WebDriver, Launch]]:
    """A WebDriver session of its own, and how it was started.

    Raises NotInstalled, NoDisplay, ValueError for an unknown profile, and TROUBLE.
    """
    if options.remote:
        chosen, launch = _abroad(name, options)
        with _opened(options.remote, chosen) as browser:
            yield browser, launch
    elif name is RuntimeName.SAFARI:
        driver = shutil.which("safaridriver")
        if driver is None:
            raise NotInstalled("there is no safaridriver: Safari runs on macOS only")
        service = webdriver.SafariService(executable_path=driver, popen_kw=dict(OUR_OWN))
        with _served(service, webdriver.SafariOptions()) as browser:
            yield browser, _launch(options, executable=driver, headless=False)
    else:
        with _webkitgtk(options) as found:
            yield found


@contextmanager
def _webkitgtk(options: Options) -> Iterator[tuple[WebDriver, Launch]]:
    given = options.executable or os.environ.get("DISPATCHMARK_WEBKITGTK")
    driver, executable = shutil.which("WebKitWebDriver"), shutil.which(given) if given else _minibrowser()
    if driver is None or executable is None:
        missing = "WebKitWebDriver" if driver is None else given or "MiniBrowser"
        raise NotInstalled(f"it is not installed: {missing} is missing")
    variables = vulkan.variables(options.adapter) | options.variables
    with marked() as mark, display() as screen:
        environment = {**os.environ, **variables, **screen, **mark.variables}
        service = webdriver.WebKitGTKService(executable_path=driver, env=environment, popen_kw=dict(OUR_OWN))
        chosen = webdriver.WebKitGTKOptions()
        chosen.binary_location = executable
        chosen.add_argument("--automation")
        with _served(service, chosen) as browser:
            launch = _launch(options, executable=executable, flags=["--automation"], headless=False)
            yield browser, launch.model_copy(update={"variables": variables})


@contextmanager
def _served(service: Service, chosen: BaseOptions) -> Iterator[WebDriver]:
    """A session of a driver that is started for it."""
    service.start()
    try:
        # No proxy leads to this machine itself, whatever the environment says.
        with _opened(service.service_url, chosen, Proxy({"proxyType": ProxyType.DIRECT})) as browser:
            yield browser
    finally:
        service.stop()


@contextmanager
def _opened(url: str, chosen: BaseOptions, proxy: Proxy | None = None) -> Iterator[WebDriver]:
    settings = ClientConfig(url, timeout=ANSWER_TIMEOUT_S, proxy=proxy or Proxy({"proxyType": ProxyType.SYSTEM}))
    browser = WebDriver(RemoteConnection(client_config=settings), options=chosen)
    try:
        browser.set_page_load_timeout(PAGE_TIMEOUT_S)
        browser.set_script_timeout(PAGE_TIMEOUT_S)
        yield browser
    finally:
        # A session that has ended by itself cannot be quit, and need not be.
        with suppress(*TROUBLE):
            browser.quit()


def _abroad(name: RuntimeName, options: Options) -> tuple[ArgOptions, Launch]:
    """What is asked of a Grid: the flags and preferences of the profile, where the browser takes any."""
    wanted = setup(name, options.profile, vulkan.resolve(options.adapter))
    edge = (options.channel or "").startswith("msedge")
    flags, preferences = list(wanted.flags), dict(wanted.preferences)
    chosen: ArgOptions
    if name is RuntimeName.CHROMIUM:
        chosen = webdriver.EdgeOptions() if edge else webdriver.ChromeOptions()
        flags += ["--headless=new"] if wanted.headless else []
    elif name is RuntimeName.FIREFOX:
        firefox = webdriver.FirefoxOptions()
        for key, value in preferences.items():
            # Firefox knows no fractions among its preferences, only their text.
            firefox.set_preference(key, str(value) if isinstance(value, float) else value)
        flags += ["-headless"] if wanted.headless else []
        chosen = firefox
    else:
        # Safari and WebKitGTK have no flags of ours, and no mode without a window.
        chosen = webdriver.WebKitGTKOptions() if name is RuntimeName.WEBKITGTK else webdriver.SafariOptions()
        if name is RuntimeName.WEBKITGTK:
            flags = ["--automation"]
    for flag in flags:
        chosen.add_argument(flag)
    launch = _launch(options, flags=flags, headless=wanted.headless if wanted.flags or preferences else None)
    return chosen, launch.model_copy(
        update={"preferences": preferences, "channel": options.channel, "remote": origin(str(options.remote))}
    )


def _launch(
    options: Options, *, headless: bool | None = None, executable: str | None = None, flags: list[str] | None = None
) -> Launch:
    return Launch(
        profile=options.profile,
        driver="selenium",
        driver_version=version("selenium"),
        executable=executable,
        flags=flags or [],
        headless=headless,
    )


def _minibrowser() -> str | None:
    found = (path for pattern in MINIBROWSERS for path in sorted(Path("/").glob(pattern.lstrip("/")), reverse=True))
    return next((str(path) for path in found), None)


def _words(error: Exception) -> str:
    message = (error.msg if isinstance(error, WebDriverException) else str(error)) or ""
    lines = [line for line in message.splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:500]


def drivers() -> list[WebDriverDriver]:
    """The browsers that are driven by their own WebDriver server."""
    return [WebDriverDriver(RuntimeName.SAFARI), WebDriverDriver(RuntimeName.WEBKITGTK)]
