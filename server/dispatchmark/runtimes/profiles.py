"""Named ways to start a browser: flags and preferences, stored with every run as part of what it measured."""

import os
import sys
from dataclasses import dataclass, field
from typing import Literal

from dispatchmark.contract.base import RuntimeName

PROFILES = ("automation", "user", "developer")
Kind = Literal["software", "hardware"]

CHROMIUM_WEBGPU = ("--enable-unsafe-webgpu",)
CHROMIUM_SOFTWARE = ("--use-webgpu-adapter=swiftshader",)
CHROMIUM_HARDWARE = ("--ignore-gpu-blocklist",)
CHROMIUM_VULKAN = (
    "--enable-features=Vulkan,VulkanFromANGLE,DefaultANGLEVulkan",
    "--use-angle=vulkan",
    "--use-vulkan=native",
    "--disable-vulkan-surface",
)
"""Without these, Chromium on Linux does not use a GPU's Vulkan driver; elsewhere it has Metal or Direct3D."""

CHROMIUM_DEVELOPER = ("--enable-webgpu-developer-features",)
CHROMIUM_QUIET = (
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
CHROMIUM_UNUSUAL = (
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-ipc-flooding-protection",
    "--disable-hang-monitor",
    "--disable-field-trial-config",
    "--disable-back-forward-cache",
    "--enable-unsafe-swiftshader",
)
"""Flags by which Playwright makes a browser steadier than a user's; a user's browser goes without them."""

FIREFOX_WEBGPU: dict[str, bool | int | float | str] = {
    "dom.webgpu.enabled": True,
    "gfx.webgpu.ignore-blocklist": True,
}
FIREFOX_DEVELOPER: dict[str, bool | int | float | str] = {"privacy.reduceTimerPrecision": False}


@dataclass(frozen=True, slots=True)
class Setup:
    """What a profile asks of a browser. `headless` False needs a display, of its own where there is none."""

    flags: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    """Flags of Playwright's own that are left out."""
    preferences: dict[str, bool | int | float | str] = field(default_factory=dict)
    headless: bool = True
    sandbox: bool = True


def setup(name: RuntimeName, profile: str, kind: Kind) -> Setup:
    """The set-up of a browser. Raises ValueError for an unknown profile."""
    if profile not in PROFILES:
        raise ValueError(f"no profile {profile}; there are {', '.join(PROFILES)}")
    user = profile == "user"
    # Chromium refuses to run as root inside its sandbox.
    sandbox = os.geteuid() != 0 if hasattr(os, "geteuid") else True
    if name is RuntimeName.CHROMIUM:
        flags: tuple[str, ...] = CHROMIUM_QUIET
        if not user:
            flags += CHROMIUM_WEBGPU + (CHROMIUM_SOFTWARE if kind == "software" else CHROMIUM_HARDWARE)
        if not user and kind == "hardware" and sys.platform == "linux":
            flags += CHROMIUM_VULKAN
        if profile == "developer":
            flags += CHROMIUM_DEVELOPER
        without = CHROMIUM_UNUSUAL if user else ()
        return Setup(flags=flags, without=without, headless=not user, sandbox=sandbox)
    if name is RuntimeName.FIREFOX:
        preferences = {} if user else dict(FIREFOX_WEBGPU)
        if profile == "developer":
            preferences |= FIREFOX_DEVELOPER
        return Setup(preferences=preferences, headless=not user)
    return Setup(headless=not user)
