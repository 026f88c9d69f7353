"""Chromium, Firefox and WebKit through Playwright: its own builds where installed, else stock executables."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from threading import Event
from typing import Any

from playwright.sync_api import Browser, BrowserType, Error, Page, Playwright, sync_playwright

from dispatchmark.client import Server
from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.contract.environment import Launch, Runtime
from dispatchmark.contract.receipt import Progress
from dispatchmark.contract.submission import RunStart

from . import vulkan
from .base import Job, Options, Outcome, Probe
from .display import NoDisplay, display
from .harness import harness_url
from .probing import ADAPTER_PATIENCE_MS, QUESTION, adapter_of, probe_page
from .profiles import Setup, setup
from .watch import watch_run

STOCK: dict[RuntimeName, tuple[str, ...]] = {
    RuntimeName.CHROMIUM: ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    RuntimeName.FIREFOX: ("firefox-esr", "firefox"),
    RuntimeName.WEBKIT: (),
}
REMEDIES: dict[RuntimeName, str] = {
    RuntimeName.CHROMIUM: "install it: `playwright install chromium`, or the distribution's package chromium",
    RuntimeName.FIREFOX: "install it: `playwright install firefox`, or the distribution's package firefox-esr",
    RuntimeName.WEBKIT: "install it: `playwright install webkit`",
}
STOCK_FIREFOX = "moz-firefox"
"""Playwright's channel for Firefox as it is shipped, driven over WebDriver BiDi."""

CHANNELS = {"firefox-nightly": "moz-firefox-nightly", "firefox-beta": "moz-firefox-beta", "firefox": STOCK_FIREFOX}
LAUNCH_TIMEOUT_MS = 90_000


class NotInstalled(Exception):
    """There is no such browser here."""


class BrowserDriver:
    """Drives one browser through Playwright. Every run is a fresh process with a fresh profile."""

    def __init__(self, name: RuntimeName) -> None:
        self.name = name

    def probe(self, options: Options) -> Probe:
        """Starts the browser and asks it for its adapter."""
        launch = Launch(profile=options.profile, driver="playwright", driver_version=version("playwright"))
        runtime = Runtime(name=self.name)

        def cannot(status: str, reason: str, remedy: str | None = None) -> Probe:
            return Probe(runtime, status, launch, reason=reason, remedy=remedy)  # type: ignore[arg-type]

        try:
            with _started(self.name, options) as (browser, used), probe_page() as url:
                launch = used
                runtime = Runtime(name=self.name, version=browser.version)
                page = browser.new_context().new_page()
                page.goto(url)
                answer: dict[str, Any] = page.evaluate(QUESTION, ADAPTER_PATIENCE_MS)
        except NotInstalled as error:
            return cannot("unavailable", str(error), REMEDIES[self.name])
        except (NoDisplay, ValueError) as error:
            return cannot("unavailable", str(error))
        except Error as error:
            return cannot("unavailable", f"it does not start: {_first_line(error)}")
        adapter = adapter_of(answer, launch.variables)
        if not answer["gpu"]:
            return cannot("unsupported", "it has no WebGPU here: navigator.gpu is missing")
        if adapter is None:
            return cannot("unsupported", f"it has no {_kind_words(options)}adapter: requestAdapter answers null")
        if options.adapter == "hardware" and adapter.software:
            return cannot("unsupported", "it has only a software adapter", "install the GPU's Vulkan driver")
        return Probe(runtime, "usable", launch, adapter)

    def execute(self, job: Job, watch: Callable[[Progress], None], stop: Event) -> Outcome:
        """Runs the harness page until the server has the whole run, or the browser is gone."""
        server = Server(job.server_url)
        try:
            with _started(self.name, job.options) as (browser, launch):
                start = job.start.model_copy(
                    update={"launch": launch, "runtime": Runtime(name=self.name, version=browser.version)}
                )
                server.open_run(start)
                return _measure(browser, start, job, server, watch, stop)
        except (NotInstalled, NoDisplay) as error:
            return Outcome(RunStatus.UNAVAILABLE, str(error))
        except Error as error:
            return Outcome(RunStatus.FAILED, _first_line(error))
        finally:
            server.close()


def _measure(
    browser: Browser, start: RunStart, job: Job, server: Server, watch: Callable[[Progress], None], stop: Event
) -> Outcome:
    gone: list[str] = []
    page = browser.new_context().new_page()
    browser.on("disconnected", lambda _: gone.append("the browser ended"))
    page.on("crash", lambda _: gone.append("the page crashed"))
    page.on("close", lambda _: gone.append("the page was closed"))
    page.goto(harness_url(job, start))

    def ended() -> str | None:
        return gone[0] if gone else None

    def pause(seconds: float) -> None:
        _let_work(page, seconds)

    return watch_run(job, server, watch, stop, ended=ended, pause=pause)


def _let_work(page: Page, seconds: float) -> None:
    """Waits while Playwright handles what the browser says; a browser that is gone makes that raise."""
    try:
        page.wait_for_timeout(seconds * 1000)
    except Error:
        Event().wait(seconds)


@contextmanager
def _started(name: RuntimeName, options: Options) -> Iterator[tuple[Browser, Launch]]:
    """A browser process of its own, with how it was started. Raises NotInstalled, NoDisplay, playwright's Error."""
    kind = vulkan.resolve(options.adapter)
    chosen = setup(name, options.profile, kind)
    variables = vulkan.variables(options.adapter) | options.variables
    if name is RuntimeName.CHROMIUM and kind == "software":
        # Chromium brings its own SwiftShader and needs no choice of driver.
        variables = dict(options.variables)
    with sync_playwright() as playwright:
        kind_of_browser: BrowserType = getattr(playwright, name.value)
        if options.remote:
            yield _connected(kind_of_browser, options)
            return
        with _screen(chosen) as screen:
            yield from _launched(playwright, name, options, chosen, variables, screen)


def _launched(
    playwright: Playwright,
    name: RuntimeName,
    options: Options,
    chosen: Setup,
    variables: dict[str, str],
    screen: dict[str, str],
) -> Iterator[tuple[Browser, Launch]]:
    executable, channel = executable_of(playwright, name, options)
    browser = getattr(playwright, name.value).launch(
        executable_path=executable,
        channel=channel,
        headless=chosen.headless,
        args=list(chosen.flags),
        chromium_sandbox=chosen.sandbox if name is RuntimeName.CHROMIUM else None,
        firefox_user_prefs=chosen.preferences if name is RuntimeName.FIREFOX else None,
        env={**os.environ, **variables, **screen},
        # Ctrl-C reaches the browser too; it is ours to close it once its run is.
        handle_sigint=False,
        handle_sigterm=False,
        handle_sighup=False,
        timeout=LAUNCH_TIMEOUT_MS,
    )
    launch = Launch(
        profile=options.profile,
        driver="playwright",
        driver_version=version("playwright"),
        executable=executable or getattr(playwright, name.value).executable_path,
        channel=channel,
        flags=list(chosen.flags) + ([] if chosen.sandbox else ["--no-sandbox"]),
        preferences=chosen.preferences,
        variables=variables,
        headless=chosen.headless,
        sandbox=chosen.sandbox,
    )
    try:
        yield browser, launch
    finally:
        browser.close()


def _connected(kind: BrowserType, options: Options) -> tuple[Browser, Launch]:
    endpoint = str(options.remote)
    launch = Launch(
        profile=options.profile,
        driver="playwright",
        driver_version=version("playwright"),
        remote=endpoint.split("?")[0],
    )
    return kind.connect(endpoint, timeout=LAUNCH_TIMEOUT_MS), launch


@contextmanager
def _screen(chosen: Setup) -> Iterator[dict[str, str]]:
    if chosen.headless:
        yield {}
        return
    with display() as variables:
        yield variables


def executable_of(playwright: Playwright, name: RuntimeName, options: Options) -> tuple[str | None, str | None]:
    """Executable and channel to launch; no executable means Playwright's own build. Raises NotInstalled."""
    given = options.executable or os.environ.get(f"DISPATCHMARK_{name.value.upper()}")
    stock_channel = STOCK_FIREFOX if name is RuntimeName.FIREFOX else None
    if given:
        path = shutil.which(given)
        if path is None:
            raise NotInstalled(f"{given} is no executable")
        return path, stock_channel
    if options.channel:
        return None, CHANNELS.get(options.channel, options.channel)
    if Path(getattr(playwright, name.value).executable_path).exists():
        return None, None
    for command in STOCK[name]:
        path = shutil.which(command)
        if path is not None:
            return path, stock_channel
    raise NotInstalled("it is not installed")


def _kind_words(options: Options) -> str:
    return "" if options.adapter == "any" else f"{options.adapter} "


def _first_line(error: Error) -> str:
    lines = [line for line in error.message.splitlines() if line.strip()]
    return (lines[0] if lines else "no reason given")[:500]


def drivers() -> list[BrowserDriver]:
    """The browsers that Playwright drives."""
    return [BrowserDriver(name) for name in STOCK]
