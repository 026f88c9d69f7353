from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dispatchmark.comparison.comparability import NOTING, WITHHOLDING, not_as_asked, notes, withheld
from dispatchmark.comparison.runs import Conditions
from dispatchmark.contract.base import RuntimeName, WaitMode
from dispatchmark.contract.environment import Adapter

NATIVE = Conditions(
    runtime=RuntimeName.DAWN,
    adapter="NVIDIA H200",
    model="NVIDIA H200",
    words="nvidia hopper NVIDIA H200",
    backend="Vulkan",
    driver="NVIDIA 580.95",
    software=False,
    wait_mode=WaitMode.DONE,
    machine="a1",
    suite="s1",
)
BROWSER = replace(
    NATIVE, runtime=RuntimeName.CHROMIUM, adapter="nvidia hopper", model="", words="nvidia hopper", driver=""
)


def test_a_masked_browser_on_the_same_adapter_is_compared_without_a_word() -> None:
    assert withheld(BROWSER, NATIVE) == []
    assert notes(BROWSER, NATIVE) == []


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"software": True}, "software, the other hardware"),
        ({"words": "google swiftshader", "adapter": "google swiftshader"}, "different adapters: google swiftshader"),
        ({"model": "NVIDIA T4", "adapter": "NVIDIA T4"}, "different adapters: NVIDIA T4 and NVIDIA H200"),
        ({"machine": "b2"}, "different machines"),
        ({"suite": "s2"}, "different suite files"),
    ],
)
def test_what_forbids_a_ratio(change: dict[str, Any], found: str) -> None:
    (reason,) = withheld(replace(BROWSER, **change), NATIVE)
    assert found in reason


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"adapter": "", "words": ""}, "chromium gave no adapter name"),
        ({"software": None}, "chromium does not tell software from hardware"),
        ({"backend": "D3D12"}, "different backends: D3D12 and Vulkan"),
        ({"driver": "Mesa 25"}, "drivers are named differently: Mesa 25 and NVIDIA 580.95"),
        ({"profile": "user"}, "different launch profiles: user and automation"),
        ({"wait_mode": WaitMode.NUDGED}, "different wait modes: nudged and done"),
    ],
)
def test_what_stands_beside_a_ratio(change: dict[str, Any], found: str) -> None:
    changed = replace(BROWSER, **change)
    assert withheld(changed, NATIVE) == []
    (note,) = notes(changed, NATIVE)
    assert found in note


def test_the_wrong_kind_of_adapter_is_noted() -> None:
    software = replace(NATIVE, software=True)
    assert not_as_asked(NATIVE, "hardware") == not_as_asked(NATIVE, "any") == not_as_asked(software, "software") == []
    assert not_as_asked(replace(NATIVE, software=None), "hardware") == []
    (note,) = not_as_asked(software, "hardware")
    assert note == "a hardware adapter was asked for, and it measured on a software one"


@pytest.mark.parametrize(
    ("adapter", "model", "label"),
    [
        (Adapter(device="NVIDIA H200", description="580.95"), "NVIDIA H200", "NVIDIA H200"),
        (Adapter(device="49374", description="SwiftShader Device"), "SwiftShader Device", "SwiftShader Device"),
        (Adapter(device="0x2335", vendor="nvidia", architecture="hopper"), "", "nvidia hopper"),
        (Adapter(), "", ""),
    ],
)
def test_numbers_are_no_names(adapter: Adapter, model: str, label: str) -> None:
    assert (adapter.model, adapter.label) == (model, label)


def test_a_longer_name_of_the_same_model_is_the_same_adapter() -> None:
    longer = replace(NATIVE, model="SwiftShader Device (Subzero)", words="Google SwiftShader Device (Subzero)")
    assert withheld(longer, replace(NATIVE, model="SwiftShader Device", words="SwiftShader Device")) == []


def test_rules_do_not_depend_on_the_side() -> None:
    other = replace(BROWSER, software=True, backend="Metal", profile="user")
    assert len(withheld(other, NATIVE)) == len(withheld(NATIVE, other)) == 1
    assert len(notes(other, NATIVE)) == len(notes(NATIVE, other)) == 2


def test_every_rule_is_documented_with_what_it_does() -> None:
    text = (Path(__file__).parents[2] / "docs" / "comparison.md").read_text()
    for rules, effect in ((WITHHOLDING, "withheld"), (NOTING, "noted")):
        assert [rule.__name__ for rule in rules if f"| `{rule.__name__}` | {effect} |" not in text] == []
