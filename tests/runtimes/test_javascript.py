"""Node and Deno: what is found of them, and real runs of the page's core outside a page."""

import json
import shutil
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from dispatchmark.app import embedded
from dispatchmark.config import Settings
from dispatchmark.contract.base import RunStatus
from dispatchmark.runtimes import javascript, vulkan
from dispatchmark.runtimes.base import Options
from dispatchmark.runtimes.process import Missing
from tests.runtimes.jobs import job

HOSTS = Path(__file__).parents[2] / "web" / "hosts"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with nothing on it."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for name in ("DISPATCHMARK_NODE", "DISPATCHMARK_DENO"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(javascript, "modules", lambda: [tmp_path / "node_modules"])
    (tmp_path / "bin").mkdir()
    return tmp_path


def executable(path: Path, prints: str, code: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{prints}'\nexit {code}\n")
    path.chmod(0o755)
    return path


def with_webgpu(folder: Path, version: str = "0.6.2") -> None:
    manifest = folder / "node_modules" / "webgpu" / "package.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(json.dumps({"version": version}))


def test_node_needs_both_itself_and_the_package(folder: Path) -> None:
    with pytest.raises(Missing, match="no node"):
        javascript.node_dawn()
    node = executable(folder / "bin" / "node", "v20")
    with pytest.raises(Missing, match="webgpu is not installed"):
        javascript.node_dawn()
    with_webgpu(folder)
    command = javascript.node_dawn()
    assert command.version == "0.6.2"
    assert command.arguments[:2] == (str(node), str(HOSTS / "node.js"))


def test_a_node_that_is_named_goes_before_the_one_on_the_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    executable(folder / "bin" / "node", "v18")
    with_webgpu(folder)
    monkeypatch.setenv("DISPATCHMARK_NODE", str(executable(folder / "other" / "node", "v20")))
    assert javascript.node_dawn().arguments[0] == str(folder / "other" / "node")
    monkeypatch.setenv("DISPATCHMARK_NODE", str(folder / "nowhere"))
    with pytest.raises(Missing, match="no node"):
        javascript.node_dawn()


def test_deno_is_named_or_npms_or_on_the_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Missing, match="no deno"):
        javascript.deno()
    executable(folder / "bin" / "deno", "deno 1.0.0 (stable)")
    assert javascript.deno().version == "1.0.0"
    executable(folder / "node_modules" / "deno" / "deno", "deno 2.9.6 (stable)")
    assert javascript.deno().version == "2.9.6"
    named = executable(folder / "other" / "deno", "deno 3.1.4 (canary)")
    monkeypatch.setenv("DISPATCHMARK_DENO", str(named))
    command = javascript.deno()
    assert (command.version, command.arguments[0]) == ("3.1.4", str(named))
    assert str(HOSTS / "deno.js") in command.arguments


@pytest.mark.parametrize(("prints", "code"), [("deno 2.9.6", 1), ("", 0)])
def test_a_deno_that_does_not_run_is_missing(folder: Path, prints: str, code: int) -> None:
    executable(folder / "bin" / "deno", prints, code)
    with pytest.raises(Missing, match="does not run"):
        javascript.deno()


def test_packages_are_looked_for_where_npm_puts_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named, current = tmp_path / "named", tmp_path / "node_modules"
    named.mkdir()
    current.mkdir()
    monkeypatch.setenv("DISPATCHMARK_NODE_MODULES", str(named))
    monkeypatch.chdir(tmp_path)
    assert javascript.modules()[0] == named
    assert javascript.modules()[-1] == current


def test_every_driver_says_what_to_install(folder: Path) -> None:
    probes = [driver.probe(Options()) for driver in javascript.drivers()]
    assert [probe.status for probe in probes] == ["unavailable", "unavailable"]
    for probe, package in zip(probes, ("deno", "webgpu"), strict=True):
        assert f"npm install {package}" in (probe.remedy or "")


def installed(driver: Any) -> bool:
    try:
        driver.find()
    except Missing:
        return False
    return shutil.which(driver.find().arguments[0]) is not None


@pytest.mark.e2e
@pytest.mark.skipif(vulkan.software_driver() is None, reason="there is no software Vulkan driver")
@pytest.mark.parametrize("driver", javascript.drivers(), ids=lambda driver: driver.name)
def test_a_real_run_of_the_core_outside_a_page(driver: Any, tmp_path: Path) -> None:
    if not installed(driver):
        pytest.skip(f"{driver.name} is not installed")
    with embedded(Settings(database=str(tmp_path / "store.db"), port=0)) as url:
        given = job(url)
        outcome = driver.execute(given, lambda progress: None, Event())
        document = httpx.get(f"{url}/api/runs/{given.start.run_id}/document").json()
    assert outcome.status is RunStatus.FINISHED, outcome.reason
    environment, *cases = document["parts"]
    assert environment["adapter"]["software"] is True
    assert [case["verified"] for case in cases if case["case_id"] == "submit/f32/chained"] == [True, True]
