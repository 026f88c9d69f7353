from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dispatchmark.contract.base import RuntimeName
from dispatchmark.runtimes.base import NotInstalled, Options
from dispatchmark.runtimes.launching import executable_of

CHROMIUM, FIREFOX, WEBKIT = RuntimeName.CHROMIUM, RuntimeName.FIREFOX, RuntimeName.WEBKIT


def program(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def playwright(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A Playwright whose builds are where the test puts them; nothing is on the path, nothing is named."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for name in ("CHROMIUM", "FIREFOX", "WEBKIT"):
        monkeypatch.delenv(f"DISPATCHMARK_{name}", raising=False)
    builds = {name: SimpleNamespace(executable_path=str(tmp_path / "builds" / name)) for name in RuntimeName}
    return SimpleNamespace(**{name.value: build for name, build in builds.items()})


def test_playwrights_own_build_is_taken_before_a_stock_browser(playwright: Any, tmp_path: Path) -> None:
    program(tmp_path / "bin" / "firefox")
    assert executable_of(playwright, FIREFOX, Options()) == (str(tmp_path / "bin" / "firefox"), "moz-firefox")
    program(tmp_path / "builds" / "firefox")
    assert executable_of(playwright, FIREFOX, Options()) == (None, None)


@pytest.mark.parametrize(
    ("name", "command", "channel"),
    [
        (CHROMIUM, "chromium", None),
        (CHROMIUM, "google-chrome", None),
        (FIREFOX, "firefox-esr", "moz-firefox"),
        (FIREFOX, "firefox", "moz-firefox"),
    ],
)
def test_a_stock_browser_on_the_path_is_found(
    playwright: Any, tmp_path: Path, name: RuntimeName, command: str, channel: str | None
) -> None:
    found = program(tmp_path / "bin" / command)
    assert executable_of(playwright, name, Options()) == (found, channel)


@pytest.mark.parametrize("name", [CHROMIUM, FIREFOX, WEBKIT])
def test_a_browser_that_is_nowhere_is_not_installed(playwright: Any, name: RuntimeName) -> None:
    with pytest.raises(NotInstalled):
        executable_of(playwright, name, Options())


def test_a_choice_goes_before_the_environment_and_that_before_what_is_found(
    playwright: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "builds" / "chromium")
    named, chosen = program(tmp_path / "named"), program(tmp_path / "chosen")
    monkeypatch.setenv("DISPATCHMARK_CHROMIUM", named)
    assert executable_of(playwright, CHROMIUM, Options()) == (named, None)
    assert executable_of(playwright, CHROMIUM, Options(executable=chosen)) == (chosen, None)
    assert executable_of(playwright, CHROMIUM, Options(channel="chrome-beta")) == (None, "chrome-beta")
    assert executable_of(playwright, CHROMIUM, Options(channel="msedge", executable=chosen)) == (chosen, None)


@pytest.mark.parametrize(
    ("channel", "playwrights"),
    [("firefox-nightly", "moz-firefox-nightly"), ("firefox", "moz-firefox"), ("moz-firefox-beta", "moz-firefox-beta")],
)
def test_channels_of_firefox_have_other_names_in_playwright(playwright: Any, channel: str, playwrights: str) -> None:
    assert executable_of(playwright, FIREFOX, Options(channel=channel)) == (None, playwrights)


@pytest.mark.parametrize("given", ["/nowhere/chromium", "no-such-command"])
def test_a_named_executable_that_is_none_is_no_reason_to_take_another(
    playwright: Any, tmp_path: Path, given: str
) -> None:
    program(tmp_path / "bin" / "chromium")
    with pytest.raises(NotInstalled, match=f"{given} is no executable"):
        executable_of(playwright, CHROMIUM, Options(executable=given))


def test_a_home_folder_is_found(playwright: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    found = program(tmp_path / "nightly" / "firefox")
    assert executable_of(playwright, FIREFOX, Options(executable="~/nightly/firefox")) == (found, "moz-firefox")
