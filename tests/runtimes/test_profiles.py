import os
import sys

import pytest

from dispatchmark.contract.base import RuntimeName
from dispatchmark.runtimes import profiles
from dispatchmark.runtimes.profiles import Kind, setup

CHROMIUM, FIREFOX, WEBKIT = RuntimeName.CHROMIUM, RuntimeName.FIREFOX, RuntimeName.WEBKIT


@pytest.mark.parametrize("profile", ["automation", "developer"])
def test_chromium_gets_flags_for_the_adapter_that_is_wanted(monkeypatch: pytest.MonkeyPatch, profile: str) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    software, hardware = setup(CHROMIUM, profile, "software").flags, setup(CHROMIUM, profile, "hardware").flags
    assert "--enable-unsafe-webgpu" in software
    assert "--enable-unsafe-webgpu" in hardware
    assert "--use-webgpu-adapter=swiftshader" in software
    assert not any("swiftshader" in flag for flag in hardware)
    assert {"--ignore-gpu-blocklist", "--use-vulkan=native", "--use-angle=vulkan"} <= set(hardware)
    assert not any("vulkan" in flag.lower() for flag in software)


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_vulkan_is_asked_for_on_linux_alone(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    flags = setup(CHROMIUM, "automation", "hardware").flags
    assert {"--enable-unsafe-webgpu", "--ignore-gpu-blocklist"} <= set(flags)
    assert not any("vulkan" in flag.lower() for flag in flags)


def test_a_users_browser_goes_without_flags_that_make_it_steadier() -> None:
    assert "--disable-background-timer-throttling" in setup(CHROMIUM, "user", "hardware").without
    assert setup(CHROMIUM, "automation", "hardware").without == ()


def test_only_a_developers_firefox_has_an_unquantised_clock() -> None:
    clocks = {name: setup(FIREFOX, name, "hardware").preferences for name in profiles.PROFILES}
    assert [name for name, chosen in clocks.items() if "privacy.reduceTimerPrecision" in chosen] == ["developer"]


def test_only_a_developer_sees_unmasked_adapters() -> None:
    with_flag = [
        name for name in profiles.PROFILES if profiles.CHROMIUM_DEVELOPER[0] in setup(CHROMIUM, name, "hardware").flags
    ]
    assert with_flag == ["developer"]


@pytest.mark.parametrize("kind", ["software", "hardware"])
def test_a_user_has_a_window_and_neither_flags_nor_preferences_for_webgpu(kind: Kind) -> None:
    for name in (CHROMIUM, FIREFOX, WEBKIT):
        chosen = setup(name, "user", kind)
        assert chosen.headless is False
        assert not [flag for flag in chosen.flags if "gpu" in flag or "vulkan" in flag.lower()]
        assert chosen.preferences == {}
        assert setup(name, "automation", kind).headless is True


def test_firefox_needs_preferences_and_a_run_cannot_change_those_of_the_next() -> None:
    first = setup(FIREFOX, "automation", "software")
    assert first.preferences["dom.webgpu.enabled"] is True
    first.preferences["dom.webgpu.enabled"] = False
    assert setup(FIREFOX, "automation", "software").preferences["dom.webgpu.enabled"] is True


@pytest.mark.parametrize(("user", "sandbox"), [(0, False), (1000, True)])
def test_only_root_goes_without_chromiums_sandbox(monkeypatch: pytest.MonkeyPatch, user: int, sandbox: bool) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert setup(CHROMIUM, "automation", "software").sandbox is sandbox
    assert setup(FIREFOX, "automation", "software").sandbox is True


def test_an_unknown_profile_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ValueError, match="no profile turbo; there are automation, user, developer"):
        setup(CHROMIUM, "turbo", "software")
