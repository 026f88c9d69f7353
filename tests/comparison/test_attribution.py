from typing import Any

import pytest

from dispatchmark.contract.comparison import Attribution
from dispatchmark.sweep import waterfall
from tests.comparison.conftest import Sweep


def waterfalls(sweep: Sweep) -> dict[tuple[str, str], Any]:
    found = sweep.ask("attribution")["waterfalls"]
    return {(one["family"], one["path"]): one for one in found}


def whole(sweep: Sweep) -> None:
    sweep.add("dawn-c", 20.0, 20.4, 19.6)
    sweep.add("dawn", 25.0, 25.4, 24.6)
    sweep.add("node-dawn", 30.0, 30.4, 29.6)
    sweep.add("chromium", 50.0, 50.4, 49.6)


def test_planted_layers_are_recovered_and_add_up(sweep: Sweep) -> None:
    whole(sweep)
    found = waterfalls(sweep)[("dawn", "javascript")]
    assert [(step["from_"], step["to"]) for step in found["steps"]] == [
        (None, "dawn-c"),
        ("dawn-c", "node-dawn"),
        ("node-dawn", "chromium"),
    ]
    added = [step["added_us"]["value"] for step in found["steps"]]
    assert added == pytest.approx([20.0, 10.0, 20.0], rel=0.05)
    assert sum(added) == pytest.approx(found["total_us"])
    assert sum(step["share"] for step in found["steps"]) == pytest.approx(1.0)
    assert [step["verdict"] for step in found["steps"]] == ["adds", "adds", "adds"]
    for step, planted in zip(found["steps"], (20.0, 10.0, 20.0), strict=True):
        assert step["added_us"]["low"] < planted < step["added_us"]["high"]
    assert found["missing"] == []
    python = waterfalls(sweep)[("dawn", "python")]
    assert [step["to"] for step in python["steps"]] == ["dawn-c", "dawn"]


def test_a_missing_rung_is_named_and_its_layer_is_in_the_next_step(sweep: Sweep) -> None:
    sweep.add("wgpu-c", 20.0, 20.4, 19.6)
    sweep.add("deno", status="unavailable", reason="npm package deno is not installed", parts=[])
    sweep.add("firefox", 60.0, 61.0, 59.0)
    found = waterfalls(sweep)[("wgpu", "javascript")]
    assert found["missing"] == ["deno: unavailable: npm package deno is not installed"]
    assert [step["to"] for step in found["steps"]] == ["wgpu-c", "firefox"]
    assert "JavaScript" in found["steps"][1]["what"]
    assert "browser" in found["steps"][1]["what"]
    assert waterfalls(sweep)[("wgpu", "python")]["missing"] == ["wgpu: not in this sweep"]


def test_a_rung_on_another_adapter_is_no_rung(sweep: Sweep) -> None:
    whole(sweep)
    sweep.add("wgpu-c", 20.0)
    sweep.add("firefox", 60.0, adapter={"software": True})
    found = waterfalls(sweep)[("wgpu", "javascript")]
    assert [step["to"] for step in found["steps"]] == ["wgpu-c"]
    assert "firefox: not comparable with the others: one adapter is software, the other hardware" in found["missing"]


def test_equal_rungs_are_no_difference(sweep: Sweep) -> None:
    sweep.add("dawn-c", 25.0, 26.0, 24.0)
    sweep.add("dawn", 25.1, 25.9, 24.2)
    assert waterfalls(sweep)[("dawn", "python")]["steps"][1]["verdict"] == "no difference seen"


def test_an_empty_sweep_has_waterfalls_of_missing_rungs(sweep: Sweep) -> None:
    for found in waterfalls(sweep).values():
        assert found["steps"] == []
        assert found["total_us"] is None
        assert all("not in this sweep" in missing for missing in found["missing"])


def test_the_text_names_every_rung_with_its_cost(sweep: Sweep) -> None:
    whole(sweep)
    lines = list(waterfall.lines(Attribution.model_validate(sweep.ask("attribution"))))
    text = "\n".join(lines)
    assert "dawn, javascript path: chromium costs 50.0 µs per dispatch" in text
    (chromium,) = [line for line in lines if "chromium: the browser" in line]
    assert "+20.0 µs [" in chromium
    assert " 40% " in chromium
    assert "missing: firefox: not in this sweep" in text
