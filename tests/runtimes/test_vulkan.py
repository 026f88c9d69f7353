import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dispatchmark.runtimes import vulkan

DISCRETE, CPU = '["CPU", "DiscreteGPU"]', '["CPU"]'


class Machine:
    """Where manifests of drivers are looked for, all below one folder, and what a native library answers."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self.monkeypatch = root, monkeypatch
        monkeypatch.setattr(vulkan, "SWIFTSHADER", (str(root / "chromium" / "vk_swiftshader_icd.json"),))
        monkeypatch.setattr(vulkan, "LAVAPIPE_FOLDERS", (str(root / "icd.d"), str(root / "etc")))
        monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(root / "builds"))
        for name in ("DISPATCHMARK_CHROMIUM", *vulkan.SELECTORS):
            monkeypatch.delenv(name, raising=False)
        self.sees(CPU)

    def has(self, name: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"ICD": {"library_path": "./driver.so"}}))
        return path

    def sees(self, kinds: str, code: str | None = None) -> None:
        self.monkeypatch.setattr(vulkan, "PROBE", code or f"print('a driver talks')\nprint('{kinds}')")
        vulkan.has_hardware.cache_clear()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    yield Machine(tmp_path, monkeypatch)
    vulkan.has_hardware.cache_clear()


def test_swiftshader_comes_before_lavapipe_since_chromium_takes_no_other(machine: Machine) -> None:
    assert vulkan.software_driver() is None
    lavapipe = machine.has("icd.d/lvp_icd.x86_64.json")
    machine.has("icd.d/nvidia_icd.json")
    assert vulkan.software_driver() == lavapipe
    stock = machine.has("chromium/vk_swiftshader_icd.json")
    assert vulkan.software_driver() == stock


def test_the_swiftshader_of_a_chosen_chromium_comes_first(machine: Machine) -> None:
    machine.has("chromium/vk_swiftshader_icd.json")
    beside = machine.has("mine/vk_swiftshader_icd.json")
    chromium = machine.root / "mine" / "chrome"
    assert vulkan.swiftshader(str(chromium)) == beside
    machine.monkeypatch.setenv("DISPATCHMARK_CHROMIUM", str(chromium))
    assert vulkan.swiftshader() == beside


def test_the_swiftshader_of_playwrights_own_chromium_is_found(machine: Machine) -> None:
    build = machine.has("builds/chromium-1200/chrome-linux/vk_swiftshader_icd.json")
    assert vulkan.swiftshader() == build


def test_a_software_sweep_sets_both_names_of_the_loaders_variable(machine: Machine) -> None:
    manifest = machine.has("icd.d/lvp_icd.x86_64.json")
    assert vulkan.variables("software") == {"VK_DRIVER_FILES": str(manifest), "VK_ICD_FILENAMES": str(manifest)}


def test_without_a_software_driver_nothing_is_set(machine: Machine) -> None:
    assert vulkan.variables("software") == {}


def test_a_hardware_sweep_keeps_the_driver_that_the_user_chose_and_records_it(machine: Machine) -> None:
    machine.has("icd.d/lvp_icd.x86_64.json")
    assert vulkan.variables("hardware") == {}
    machine.monkeypatch.setenv("VK_DRIVER_FILES", "/mine.json")
    assert vulkan.variables("hardware") == {"VK_DRIVER_FILES": "/mine.json"}


def test_any_means_hardware_only_where_a_gpu_is_seen(machine: Machine) -> None:
    assert vulkan.resolve("any") == "software"
    machine.sees(DISCRETE)
    assert vulkan.resolve("any") == "hardware"
    assert vulkan.resolve("software") == "software"
    machine.sees(CPU)
    assert vulkan.resolve("hardware") == "hardware"


@pytest.mark.parametrize("code", ["import os; os.abort()", "raise SystemExit(3)", "print('not JSON')", "pass"])
def test_a_driver_that_crashes_the_question_is_no_hardware(machine: Machine, code: str) -> None:
    machine.sees("", code)
    assert vulkan.has_hardware() is False


def test_the_question_is_asked_once(machine: Machine) -> None:
    machine.sees(DISCRETE)
    assert vulkan.has_hardware() is True
    machine.monkeypatch.setattr(vulkan, "PROBE", "raise SystemExit(1)")
    assert vulkan.has_hardware() is True
