"""Starts a browser through Playwright, or connects to one elsewhere, and says how it was started."""

import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from importlib.metadata import version
from pathlib import Path

from playwright.sync_api import Browser, BrowserType, Error, Playwright, sync_playwright

from dispatchmark.contract.base import RuntimeName
from dispatchmark.contract.environment import Launch

from . import vulkan
from .base import NotInstalled, Options
from .display import display
from .mark import marked
from .profiles import setup
from .remote import origin

STOCK: dict[RuntimeName, tuple[str, ...]] = {
    RuntimeName.CHROMIUM: ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
    RuntimeName.FIREFOX: ("firefox-esr", "firefox"),
    RuntimeName.WEBKIT: (),
}
STOCK_FIREFOX = "moz-firefox"
"""Playwright's channel for Firefox as it is shipped, driven over WebDriver BiDi."""

CHANNELS = {"firefox-nightly": "moz-firefox-nightly", "firefox-beta": "moz-firefox-beta", "firefox": STOCK_FIREFOX}
LAUNCH_TIMEOUT_MS = 90_000


@contextmanager
def started(name: RuntimeName, options: Options) -> Iterator[tuple[Browser, Launch]]:
    """A browser process of its own, gone with all its helpers after the block, and how it was started.

    Raises NotInstalled, NoDisplay, ValueError for an unknown profile, and Playwright's Error.
    """
    with sync_playwright() as playwright:
        kind: BrowserType = getattr(playwright, name.value)
        opened = _connected(kind, options) if options.remote else _launched(playwright, name, options)
        with opened as found:
            yield found


@contextmanager
def _launched(playwright: Playwright, name: RuntimeName, options: Options) -> Iterator[tuple[Browser, Launch]]:
    kind = vulkan.resolve(options.adapter)
    chosen = setup(name, options.profile, kind)
    executable, channel = executable_of(playwright, name, options)
    variables = dict(options.variables)
    if name is not RuntimeName.CHROMIUM or kind == "hardware":
        # Chromium brings its own SwiftShader and needs no choice of driver for it.
        variables = vulkan.variables(options.adapter) | variables
    no_screen: AbstractContextManager[dict[str, str]] = nullcontext({})
    with marked() as mark, no_screen if chosen.headless else display() as screen:
        browser = getattr(playwright, name.value).launch(
            executable_path=executable,
            channel=channel,
            headless=chosen.headless,
            args=list(chosen.flags),
            ignore_default_args=list(chosen.without),
            chromium_sandbox=chosen.sandbox if name is RuntimeName.CHROMIUM else None,
            firefox_user_prefs=chosen.preferences if name is RuntimeName.FIREFOX else None,
            env={**os.environ, **variables, **screen, **mark.variables},
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
            # Playwright alone knows where a channel's browser lies.
            executable=executable or (None if channel else getattr(playwright, name.value).executable_path),
            channel=channel,
            flags=_cut(mark.flags() or list(chosen.flags)),
            preferences=chosen.preferences,
            variables=variables,
            headless=chosen.headless,
            sandbox=chosen.sandbox,
        )
        try:
            yield browser, launch
        finally:
            _close(browser)


@contextmanager
def _connected(kind: BrowserType, options: Options) -> Iterator[tuple[Browser, Launch]]:
    """A browser of a Playwright server, which alone decides on executable, flags and preferences."""
    endpoint = str(options.remote)
    launch = Launch(
        profile=options.profile, driver="playwright", driver_version=version("playwright"), remote=origin(endpoint)
    )
    browser = kind.connect(endpoint, timeout=LAUNCH_TIMEOUT_MS)
    try:
        yield browser, launch
    finally:
        _close(browser)


def _close(browser: Browser) -> None:
    # One that has ended by itself cannot be closed, and need not be.
    with suppress(Error):
        browser.close()


def _cut(flags: list[str]) -> list[str]:
    """Flags as long and as many as the contract takes."""
    return [flag[:2000] for flag in flags[:200]]


def executable_of(playwright: Playwright, name: RuntimeName, options: Options) -> tuple[str | None, str | None]:
    """Executable and channel to launch; no executable means Playwright's own build. Raises NotInstalled."""
    stock_channel = STOCK_FIREFOX if name is RuntimeName.FIREFOX else None
    if options.channel and not options.executable:
        return None, CHANNELS.get(options.channel, options.channel)
    given = options.executable or os.environ.get(f"DISPATCHMARK_{name.value.upper()}")
    if given:
        # A shell does not expand the tilde of firefox=~/firefox.
        path = shutil.which(str(Path(given).expanduser()) if given.startswith("~") else given)
        if path is None:
            raise NotInstalled(f"{given} is no executable")
        return path, stock_channel
    if Path(getattr(playwright, name.value).executable_path).exists():
        return None, None
    for command in STOCK[name]:
        path = shutil.which(command)
        if path is not None:
            return path, stock_channel
    raise NotInstalled("it is not installed")
