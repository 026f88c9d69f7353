"""WebDriver sessions: of WebKitGTK and Safari with a driver started for each, and of a Selenium Grid elsewhere."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.options import ArgOptions, BaseOptions
from selenium.webdriver.common.proxy import Proxy, ProxyType
from selenium.webdriver.common.service import Service
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.remote.webdriver import WebDriver
from urllib3.exceptions import HTTPError

from dispatchmark.contract.base import RuntimeName
from dispatchmark.contract.environment import Launch

from . import vulkan
from .base import NotInstalled, Options
from .display import display
from .mark import marked
from .profiles import setup
from .remote import origin

MINIBROWSERS = ("/usr/lib/*/webkit2gtk-*/MiniBrowser", "/usr/libexec/webkit2gtk-*/MiniBrowser")
PAGE_TIMEOUT_S = 60
ANSWER_TIMEOUT_S = 120
OUR_OWN = {"start_new_session": True}
"""Ctrl-C at the terminal would end a driver before its run is closed."""

TROUBLE = (WebDriverException, HTTPError)
"""What a browser that is gone looks like from here, and what a driver that is gone does."""


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
            yield browser, launch_of(options, executable=driver, headless=False)
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
            launch = launch_of(options, executable=executable, flags=["--automation"], headless=False)
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
    if options.executable and hasattr(chosen, "binary_location"):
        chosen.binary_location = options.executable
    headless = wanted.headless if name in (RuntimeName.CHROMIUM, RuntimeName.FIREFOX) else None
    launch = launch_of(options, executable=options.executable, flags=flags, headless=headless)
    return chosen, launch.model_copy(
        update={"preferences": preferences, "channel": options.channel, "remote": origin(str(options.remote))}
    )


def launch_of(
    options: Options, *, headless: bool | None = None, executable: str | None = None, flags: list[str] | None = None
) -> Launch:
    """How a session was started, as far as it is known on this side."""
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
