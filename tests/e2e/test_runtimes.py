"""Real browsers, each executing the smoke suite against a real server."""

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from selenium import webdriver

from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.runtimes.base import Options
from dispatchmark.runtimes.display import display
from dispatchmark.runtimes.sessions import session
from dispatchmark.runtimes.webdriver import ended
from tests.e2e.runs import SOFTWARE, Run, arguments, below, driver, execute
from tests.e2e.server import ServerProcess

pytestmark = pytest.mark.e2e

CASES = ["control/clock", "control/wait", "submit/f32/chained", "submit/f32/chained"]
COMMANDS = {
    RuntimeName.CHROMIUM: "chromium",
    RuntimeName.FIREFOX: "firefox-esr",
    RuntimeName.WEBKITGTK: "WebKitWebDriver",
}


def needs(name: RuntimeName) -> pytest.MarkDecorator:
    command = COMMANDS[name]
    return pytest.mark.skipif(shutil.which(command) is None, reason=f"{command} is not installed")


def browsers(*names: RuntimeName) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("name", [pytest.param(name, marks=needs(name)) for name in names])


def assert_measured(run: Run) -> None:
    assert run.outcome.status is RunStatus.FINISHED, run.outcome
    assert run.report.status is RunStatus.FINISHED
    assert run.report.verdict in ("accepted", "disturbed")
    assert [part.sequence for part in run.document.parts] == list(range(len(CASES) + 1))
    assert [case.case_id for case in run.cases] == CASES
    assert [case.status for case in run.cases] == ["measured"] * len(CASES)
    submit = run.cases[2]
    assert submit.verified is True
    samples = [sample for series in submit.series for sample in series.samples]
    assert len({sample.n for sample in samples}) >= 3
    assert all(0 <= sample.encoded_us <= sample.done_us for sample in samples)
    assert run.report.estimates


@browsers(RuntimeName.CHROMIUM, RuntimeName.FIREFOX)
def test_a_browser_measures_and_is_gone(server: ServerProcess, name: RuntimeName) -> None:
    probe = driver(name).probe(SOFTWARE)
    assert probe.status == "usable", probe
    run = execute(server, name)
    assert_measured(run)
    assert run.document.start.runtime == probe.runtime
    assert str(probe.runtime.version).split(".")[0].isdecimal()
    # Probe and run are started alike, and show it: a row of a comparison is what was started alike.
    assert run.launch == probe.launch
    assert run.launch.headless is True
    assert run.launch.executable is not None
    assert (run.launch.driver, run.launch.profile) == ("playwright", "automation")
    assert run.adapter.software is True
    assert run.adapter.limits["maxComputeWorkgroupsPerDimension"] >= 65535
    assert run.page.isolated
    assert run.page.build
    assert run.processes
    assert run.left_over == []


@needs(RuntimeName.CHROMIUM)
def test_the_flags_are_those_that_the_process_got(server: ServerProcess) -> None:
    seen: list[list[str]] = []
    run = execute(
        server, RuntimeName.CHROMIUM, watch=lambda progress, processes: seen.extend(map(arguments, processes))
    )
    (browser,) = [one for one in seen if "--remote-debugging-pipe" in one][:1]
    assert set(run.launch.flags) < set(browser)
    assert {"--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--headless"} <= set(run.launch.flags)
    # Playwright's own flags change what is measured, too.
    assert "--disable-background-timer-throttling" in run.launch.flags
    assert not [flag for flag in run.launch.flags if "user-data-dir" in flag]


@needs(RuntimeName.CHROMIUM)
def test_a_developers_browser_names_its_adapter(server: ServerProcess) -> None:
    run = execute(server, RuntimeName.CHROMIUM, Options(adapter="software", profile="developer"))
    assert_measured(run)
    assert run.launch.profile == "developer"
    assert "--enable-webgpu-developer-features" in run.launch.flags
    assert "swiftshader" in run.adapter.description.lower()
    assert run.adapter.masked == []


@needs(RuntimeName.CHROMIUM)
@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed")
def test_a_users_browser_has_a_window_and_no_flags_for_webgpu(
    server: ServerProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    run = execute(server, RuntimeName.CHROMIUM, Options(adapter="software", profile="user"))
    assert run.launch.headless is False
    assert not [
        flag for flag in run.launch.flags if flag.startswith("--headless") or "gpu=" in flag or "webgpu" in flag
    ]
    assert "--disable-background-timer-throttling" not in run.launch.flags
    # Without a GPU there is no adapter unless a flag asks for one; the page itself says so.
    assert run.outcome.status in (RunStatus.UNSUPPORTED, RunStatus.FINISHED)
    if run.outcome.status is RunStatus.UNSUPPORTED:
        assert "no adapter after" in str(run.report.reason)
    assert [one for one in run.processes if "Xvfb" in " ".join(arguments(one))] == []
    assert run.left_over == []


@needs(RuntimeName.WEBKITGTK)
def test_webkitgtk_says_itself_that_it_has_no_webgpu(server: ServerProcess) -> None:
    probe = driver(RuntimeName.WEBKITGTK).probe(SOFTWARE)
    run = execute(server, RuntimeName.WEBKITGTK)
    assert run.launch == probe.launch
    assert (run.launch.driver, run.launch.headless) == ("selenium", False)
    assert run.document.start.runtime == probe.runtime
    if probe.status == "usable":
        assert_measured(run)
    else:
        assert (probe.status, run.outcome.status) == ("unsupported", RunStatus.UNSUPPORTED)
        assert "navigator.gpu is missing" in str(probe.reason)
        assert "WebGPU" in str(run.report.reason)
    assert run.left_over == []


@contextmanager
def playwright_server(folder: Path) -> Iterator[str]:
    """A browser as another machine offers it; its endpoint."""
    configuration = folder / "browser.json"
    flags = ["--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"]
    configuration.write_text(json.dumps({"executablePath": shutil.which("chromium"), "args": flags}))
    command = [sys.executable, "-m", "playwright", "launch-server", "--browser", "chromium", "--config"]
    process = subprocess.Popen([*command, str(configuration)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        for child in psutil.Process(process.pid).children():
            child.terminate()
        process.terminate()
        process.wait(timeout=30)
        process.stdout.close()


@needs(RuntimeName.CHROMIUM)
def test_a_browser_behind_a_playwright_server(server: ServerProcess, tmp_path: Path) -> None:
    with playwright_server(tmp_path) as endpoint:
        options = Options(adapter="software", remote=endpoint)
        probe = driver(RuntimeName.CHROMIUM).probe(options)
        assert probe.status == "usable", probe
        assert probe.adapter is not None
        assert probe.adapter.software is True
        run = execute(server, RuntimeName.CHROMIUM, options)
    assert_measured(run)
    assert run.launch == probe.launch
    assert run.launch.remote == endpoint.rpartition("/")[0]


@contextmanager
def webdriver_endpoint() -> Iterator[str]:
    """A WebDriver server as a Grid is one; its endpoint."""
    with display() as variables:
        service = webdriver.WebKitGTKService(executable_path="WebKitWebDriver", env={**os.environ, **variables})
        service.start()
        try:
            yield service.service_url
        finally:
            service.stop()


@needs(RuntimeName.WEBKITGTK)
def test_a_browser_behind_a_webdriver_server(server: ServerProcess) -> None:
    with webdriver_endpoint() as endpoint:
        options = Options(adapter="software", remote=endpoint)
        probe = driver(RuntimeName.WEBKITGTK).probe(options)
        run = execute(server, RuntimeName.WEBKITGTK, options)
    assert probe.status in ("unsupported", "usable"), probe
    assert run.outcome.status in (RunStatus.UNSUPPORTED, RunStatus.FINISHED)
    assert run.launch == probe.launch
    assert run.launch.remote == endpoint


@needs(RuntimeName.CHROMIUM)
@pytest.mark.skipif(shutil.which("chromedriver") is None, reason="chromedriver is not installed")
def test_a_grids_chromium_gets_the_flags_of_its_profile(server: ServerProcess, tmp_path: Path) -> None:
    # The owner of a Grid decides on sandboxes, here in a container's way.
    wrapper = tmp_path / "chromium-without-sandbox"
    wrapper.write_text('#!/bin/sh\nexec chromium --no-sandbox "$@"\n')
    wrapper.chmod(0o755)
    service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
    service.start()
    try:
        options = Options(adapter="software", remote=service.service_url, executable=str(wrapper))
        probe = driver(RuntimeName.CHROMIUM).probe(options)
        run = execute(server, RuntimeName.CHROMIUM, options)
    finally:
        service.stop()
    assert probe.status == "usable", probe
    assert_measured(run)
    assert run.launch == probe.launch
    assert run.launch.driver == "selenium"
    assert {"--enable-unsafe-webgpu", "--headless=new"} <= set(run.launch.flags)


@needs(RuntimeName.WEBKITGTK)
@pytest.mark.parametrize("victim", ["MiniBrowser", "WebKitWebDriver"])
def test_a_browser_or_a_driver_that_ends_is_noticed_and_nothing_of_it_stays(victim: str) -> None:
    others = set(below())
    with session(RuntimeName.WEBKITGTK, SOFTWARE) as (browser, _):
        assert ended(browser) is None
        processes = set(below()) - others
        (found,) = [one for one in processes if one.name() == victim]
        found.kill()
        found.wait(timeout=10)
        assert str(ended(browser)).startswith("the browser ended: ")
    assert [one for one in processes if one.is_running() and one.status() != psutil.STATUS_ZOMBIE] == []


@pytest.mark.parametrize("endpoint", ["ws://127.0.0.1:9/", "http://127.0.0.1:9"])
def test_an_endpoint_where_nobody_answers_is_a_row_with_a_reason(endpoint: str) -> None:
    probe = driver(RuntimeName.CHROMIUM).probe(Options(adapter="software", remote=endpoint))
    assert probe.status == "unavailable"
    assert "it cannot be reached" in str(probe.reason)


def outer_address() -> str | None:
    """An address of this machine by which browsers take it for another one."""
    addresses = (one for found in psutil.net_if_addrs().values() for one in found if one.family == socket.AF_INET)
    return next((one.address for one in addresses if not one.address.startswith("127.")), None)


@needs(RuntimeName.CHROMIUM)
@pytest.mark.skipif(outer_address() is None, reason="this machine has no address but its own")
def test_a_server_elsewhere_without_https(tmp_path: Path) -> None:
    with ServerProcess.running(tmp_path, str(outer_address())) as far:
        run = execute(far, RuntimeName.CHROMIUM)
        assert_measured(run)
        assert run.page.isolated
        insecure = execute(far, RuntimeName.CHROMIUM, page_url=far.url)
        assert insecure.outcome.status is RunStatus.UNSUPPORTED
        assert "secure context" in str(insecure.report.reason)


@needs(RuntimeName.CHROMIUM)
def test_an_executable_that_is_no_browser_is_a_row_with_a_reason(tmp_path: Path) -> None:
    fake = tmp_path / "chromium"
    fake.write_text("#!/bin/sh\necho no browser >&2\nexit 3\n")
    fake.chmod(0o755)
    probe = driver(RuntimeName.CHROMIUM).probe(Options(adapter="software", executable=str(fake)))
    assert probe.status == "unavailable"
    assert "it does not start" in str(probe.reason)
