from typing import Any

import httpx
import pytest

from dispatchmark.contract.base import RuntimeName
from dispatchmark.contract.environment import Launch, Runtime
from dispatchmark.runtimes.base import Options, Wanted
from dispatchmark.runtimes.probing import adapter_of, is_software, judged, probe_page

SWIFTSHADER = {"VK_DRIVER_FILES": "/usr/lib/chromium/vk_swiftshader_icd.json"}
LAVAPIPE = {"VK_ICD_FILENAMES": "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"}
NVIDIA = {"VK_DRIVER_FILES": "/usr/share/vulkan/icd.d/nvidia_icd.json"}


def answer(**names: Any) -> dict[str, Any]:
    adapter = {"fallback": None, "features": ["shader-f16"], "attempts": 2} | names
    return {"agent": "a browser", "gpu": True, "adapter": adapter}


@pytest.mark.parametrize(
    ("names", "variables", "software"),
    [
        ({"vendor": "nvidia", "architecture": "hopper", "fallback": False}, {}, False),
        ({"vendor": "google", "architecture": "swiftshader", "fallback": True}, {}, True),
        ({"vendor": "nvidia", "fallback": True}, {}, True),
        ({"description": "llvmpipe (LLVM 19.1, 256 bits)"}, {}, True),
        ({"vendor": "nvidia"}, SWIFTSHADER, False),
        ({}, SWIFTSHADER, True),
        ({}, LAVAPIPE, True),
        ({}, NVIDIA, False),
        ({}, {}, None),
        ({}, {"MOZ_LOG": "webgpu:5"}, None),
        ({}, {"TITLE": "no llvmpipe here"}, None),
    ],
)
def test_what_tells_that_an_adapter_is_software(
    names: dict[str, Any], variables: dict[str, str], software: bool | None
) -> None:
    adapter = adapter_of(answer(**names), variables)
    assert adapter is not None
    assert adapter.software is software


def test_names_that_a_browser_leaves_empty_are_noted_as_masked() -> None:
    adapter = adapter_of(answer(vendor="nvidia", architecture="", device=None), {})
    assert adapter is not None
    assert adapter.masked == ["architecture", "device", "description"]
    assert (adapter.vendor, adapter.features, adapter.attempts) == ("nvidia", ["shader-f16"], 2)


@pytest.mark.parametrize("found", [{"gpu": False}, {"gpu": True}, {"gpu": True, "adapter": None}, {"error": "x"}])
def test_no_adapter_is_none(found: dict[str, Any]) -> None:
    assert adapter_of(found, SWIFTSHADER) is None


@pytest.mark.parametrize("name", ["SwiftShader Device", "llvmpipe", "Microsoft Basic Render Driver", "lavapipe"])
def test_software_drivers_are_known_by_name(name: str) -> None:
    assert is_software("", name)


@pytest.mark.parametrize("name", ["NVIDIA H200", "Apple M2", "Intel UHD", ""])
def test_gpus_are_not_taken_for_software(name: str) -> None:
    assert not is_software(name, "")


def test_the_probe_page_is_there_while_it_is_asked_for() -> None:
    with probe_page() as url:
        response = httpx.get(f"{url}favicon.ico")
        assert (response.status_code, response.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert "<title>" in response.text
    with pytest.raises(httpx.ConnectError):
        httpx.get(url)


@pytest.mark.parametrize(
    ("found", "wanted", "reason"),
    [
        ({"gpu": False}, "any", "navigator.gpu is missing"),
        ({"gpu": True}, "any", "requestAdapter answers null"),
        ({"error": "SecurityError: no"}, "any", "SecurityError: no"),
        (answer(vendor="google", architecture="swiftshader"), "hardware", "only a software adapter"),
        (answer(vendor="nvidia"), "software", "cannot be put on a software adapter"),
    ],
)
def test_why_a_browser_that_starts_cannot_be_measured(found: dict[str, Any], wanted: Wanted, reason: str) -> None:
    probe = judged(Runtime(name=RuntimeName.CHROMIUM), Launch(), found, Options(adapter=wanted))
    assert probe.status == "unsupported"
    assert reason in str(probe.reason)


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        ({"vendor": "nvidia"}, "hardware"),
        ({"vendor": "nvidia"}, "any"),
        ({"architecture": "swiftshader"}, "software"),
        # All names masked and no driver chosen: nothing tells, and nothing is claimed.
        ({}, "hardware"),
        ({}, "software"),
    ],
)
def test_a_browser_with_the_adapter_that_was_wanted_is_usable(names: dict[str, Any], wanted: Wanted) -> None:
    probe = judged(Runtime(name=RuntimeName.FIREFOX), Launch(), answer(**names), Options(adapter=wanted))
    assert (probe.status, probe.reason) == ("usable", None)
    assert probe.adapter is not None


def test_a_user_without_webgpu_is_told_of_the_profile_that_sets_flags() -> None:
    options = Options(profile="user")
    probe = judged(Runtime(name=RuntimeName.FIREFOX), Launch(), {"gpu": False}, options)
    assert "profile automation" in str(probe.remedy)
