"""Vulkan drivers: which there are, and how every runtime of a sweep is put on the same one."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Literal

from .base import Wanted

SWIFTSHADER = (
    "/usr/lib/chromium/vk_swiftshader_icd.json",
    "/usr/lib/chromium-browser/vk_swiftshader_icd.json",
    "/opt/google/chrome/vk_swiftshader_icd.json",
)
LAVAPIPE_FOLDERS = ("/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d")
SELECTORS = ("VK_DRIVER_FILES", "VK_ICD_FILENAMES")
"""The loader's variable, and its older name that older loaders read."""

PROBE = """
import json, wgpu
print(json.dumps([adapter.info.get("adapter_type", "") for adapter in wgpu.gpu.enumerate_adapters_sync()]))
"""
PROBE_TIMEOUT_S = 60


def swiftshader(chromium: str | None = None) -> Path | None:
    """The manifest of the SwiftShader that comes with Chromium: the one software driver Chromium can be put on."""
    chosen = chromium or os.environ.get("DISPATCHMARK_CHROMIUM")
    beside = [Path(chosen).resolve().parent / "vk_swiftshader_icd.json"] if chosen else []
    builds = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH", Path.home() / ".cache" / "ms-playwright"))
    found = [*beside, *map(Path, SWIFTSHADER), *sorted(builds.glob("chromium-*/*/vk_swiftshader_icd.json"))]
    return next((path for path in found if path.is_file()), None)


def lavapipe() -> Path | None:
    """The manifest of Mesa's lavapipe."""
    found = (path for folder in LAVAPIPE_FOLDERS for path in sorted(Path(folder).glob("lvp_icd*.json")))
    return next(found, None)


def software_driver(chromium: str | None = None) -> Path | None:
    """The driver of a software sweep: SwiftShader, as Chromium always uses its own; lavapipe where there is none."""
    return swiftshader(chromium) or lavapipe()


def variables(wanted: Wanted, chromium: str | None = None) -> dict[str, str]:
    """The environment variables that put a process on the wanted driver; a GPU is left to the user's environment."""
    if resolve(wanted) == "hardware":
        return {name: os.environ[name] for name in SELECTORS if name in os.environ}
    manifest = software_driver(chromium)
    return dict.fromkeys(SELECTORS, str(manifest)) if manifest else {}


def resolve(wanted: Wanted) -> Literal["software", "hardware"]:
    """What `any` means here: hardware where a native library sees a GPU, else software."""
    if wanted != "any":
        return wanted
    return "hardware" if has_hardware() else "software"


@cache
def has_hardware() -> bool:
    """Whether a GPU is there, asked of the Vulkan loader in a process of its own, which a bad driver may crash."""
    try:
        answer = subprocess.run(
            [sys.executable, "-c", PROBE], capture_output=True, text=True, timeout=PROBE_TIMEOUT_S, check=True
        )
        kinds = json.loads(answer.stdout.strip().splitlines()[-1])
    except (subprocess.SubprocessError, OSError, ValueError, IndexError):
        return False
    return any(kind.lower() in ("discretegpu", "integratedgpu", "virtualgpu") for kind in kinds)
