import os
import shutil
from pathlib import Path

import psutil
import pytest

from dispatchmark.runtimes import display as module
from dispatchmark.runtimes.display import NoDisplay, display


@pytest.fixture(autouse=True)
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)


def open_files() -> int:
    return psutil.Process().num_fds()


@pytest.mark.parametrize("name", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_the_users_own_display_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, ":7")
    monkeypatch.setenv("PATH", "")
    with display() as variables:
        assert variables == {}


def test_without_a_display_and_without_xvfb_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NoDisplay, match="install xvfb"), display():
        pass


def test_an_xvfb_that_ends_at_once_is_no_display(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "Xvfb"
    fake.write_text("#!/bin/sh\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(NoDisplay, match="ended while it started"), display():
        pass


def test_an_xvfb_that_cannot_be_started_leaves_no_file_open(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "Xvfb"
    fake.write_text("no program\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    before = open_files()
    with pytest.raises(NoDisplay, match="cannot be started"), display():
        pass
    assert open_files() == before


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")
def test_a_display_of_its_own_lives_as_long_as_the_block() -> None:
    before = set(psutil.Process().children())
    with display() as variables:
        assert variables["DISPLAY"].startswith(":")
        (server,) = [one for one in psutil.Process().children() if one not in before and one.name() == "Xvfb"]
        assert module.SCREEN in server.cmdline()
    assert not server.is_running()
