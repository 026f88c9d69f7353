import json
import os
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest
from typer.testing import CliRunner, Result

from dispatchmark import __version__
from dispatchmark.app import embedded
from dispatchmark.cli.main import app
from dispatchmark.cli.report import SweepResult
from dispatchmark.client import Server
from dispatchmark.config import Settings
from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.runtimes import discovery, vulkan
from dispatchmark.runtimes.base import Job, Outcome
from dispatchmark.sweep import lock
from tests.sweep.fakes import FakeDriver, finishes, send_some


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture(autouse=True)
def own_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "sweep.lock"
    monkeypatch.setattr(lock, "default_path", lambda: path)
    return path


def test_the_version_is_printed() -> None:
    result = call("--version")
    assert (result.exit_code, result.output) == (0, f"dispatchmark {__version__}\n")


def test_no_command_shows_the_commands() -> None:
    assert "sweep" in call().output


@pytest.mark.parametrize("command", ["sweep", "serve", "runtimes", "explain", "recompute"])
def test_help_teaches_by_example(command: str) -> None:
    result = call(command, "--help")
    assert result.exit_code == 0
    assert f"dispatchmark {command}" in result.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["sweep", "--suite", "slow"], ["no suite slow", "smoke, quick, standard, full"]),
        (["sweep", "--runtimes", "chrome"], ["no runtime chrome", "chromium, firefox"]),
        (["sweep", "--runtimes", " , "], ["no runtime given", "chromium, firefox"]),
        (["runtimes", "--runtimes", "dawn,opera"], ["no runtime opera", "chromium, firefox"]),
        (["sweep", "--case", "submit/f64"], ["no case submit/f64", "suite quick has submit/f32/chained"]),
        (["sweep", "--case", "phases/f32", "--suite", "standard"], ["no case phases/f32"]),
        (["explain", "--case", "naive/f32"], ["no case naive/f32", "submit/f32/chained"]),
        (["sweep", "--profile", "fast"], ["no profile fast", "automation, user, developer"]),
        (["sweep", "--executable", "/usr/bin/x"], ["say for which runtime", "--executable chromium=/usr/bin/x"]),
        (["sweep", "--runtimes", "dawn,wgpu", "--channel", "chromium=beta"], ["--channel is for chromium"]),
        (["sweep", "--runtimes", "dawn", "--baseline", "wgpu"], ["no row wgpu"]),
        (["sweep", "--server", "http://localhost:1", "--database", "x.db"], ["--database is the store"]),
        (["sweep", "--json", "/nowhere/at/all.json"], ["/nowhere/at/all.json", "no such folder"]),
        (["sweep", "--page-url", "lab:8000"], ["--page-url lab:8000", "http://HOST:PORT"]),
        (["sweep", "--page-url", "http://lab"], ["--page-url http://lab", "--server"]),
        (["sweep", "--runs", "0"], ["--runs"]),
        (["sweep", "--adapter", "fast"], ["--adapter"]),
        (["sweep", "--seed", "-1"], ["--seed"]),
        (["serve", "--port", "70000"], ["port"]),
        (["nightly"], ["nightly"]),
    ],
)
def test_wrong_usage_names_what_is_possible(arguments: list[str], words: list[str]) -> None:
    result = call(*arguments)
    assert result.exit_code == 2, result.output
    for word in words:
        assert word in result.output


def test_a_port_in_use_is_said_in_words(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = call("serve", "--port", port, "--database", str(tmp_path / "store.db"))
    assert result.exit_code == 1
    assert f"port {port}" in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("command", ["serve", "recompute", "explain", "sweep"])
def test_a_file_that_is_no_database_is_said_in_words(tmp_path: Path, command: str) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(b"a picture of a cat, and then some more bytes than a header has" * 20)
    result = call(command, "--database", str(path))
    assert result.exit_code == 1
    assert str(path) in result.output
    assert "not a database" in result.output


def test_a_newer_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999_from_the_future')")
    connection.close()
    result = call("sweep", "--database", str(path))
    assert result.exit_code == 1
    assert "newer Dispatchmark" in result.output


def test_a_server_that_is_not_there_is_said_in_words() -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    result = call("sweep", "--server", f"http://127.0.0.1:{port}", "--runtimes", "dawn")
    assert result.exit_code == 1
    assert f"http://127.0.0.1:{port} cannot be reached" in result.output


def test_a_second_sweep_is_refused_with_the_first_ones_process(own_lock: Path) -> None:
    with lock.held(own_lock, wait=False):
        result = call("sweep", "--runtimes", "dawn")
    assert result.exit_code == 1
    assert f"process {os.getpid()}" in result.output
    assert "--wait" in result.output


def test_there_is_nothing_to_explain_in_an_empty_store(tmp_path: Path) -> None:
    path = str(tmp_path / "store.db")
    assert "no sweeps in" in call("explain", "--database", path).output
    assert "no sweep 12 in" in call("explain", "12", "--database", path).output
    assert call("explain", "--database", path).exit_code == 1


def test_recomputing_an_empty_store_is_done_at_once(tmp_path: Path) -> None:
    path = str(tmp_path / "store.db")
    result = call("recompute", "--database", path)
    assert (result.exit_code, "0 runs estimated anew" in result.output) == (0, True)
    missing = call("recompute", "0" * 32, "--database", path)
    assert missing.exit_code == 1
    assert "0" * 32 in missing.output


def test_runtimes_that_cannot_run_come_with_a_remedy_as_json() -> None:
    result = call("runtimes", "--runtimes", "safari", "--json")
    assert result.exit_code == 0
    (safari,) = json.loads(result.stdout)
    assert safari["runtime"]["name"] == "safari"
    if sys.platform != "darwin":
        assert safari["status"] == "unavailable"
        assert safari["reason"]


@pytest.fixture
def runtimes(monkeypatch: pytest.MonkeyPatch) -> dict[str, FakeDriver]:
    """Runtimes that are quicker than real ones: dawn finishes, wgpu dies, and nothing else is there."""
    fakes = {"dawn": FakeDriver(RuntimeName.DAWN, finishes), "wgpu": FakeDriver(RuntimeName.WGPU, dies)}
    missing = [discovery.MissingDriver(name, "it is not here") for name in RuntimeName if name not in fakes]
    monkeypatch.setattr(discovery, "drivers", lambda: [*fakes.values(), *missing])
    monkeypatch.setattr(vulkan, "has_hardware", lambda: False)
    return fakes


def dies(job: Job, server: Server, stop: Event) -> Outcome:
    send_some(job, server)
    return Outcome(RunStatus.FAILED, "the process ended with code 139")


def test_a_sweep_in_which_all_usable_runtimes_finish_is_a_success(
    runtimes: dict[str, FakeDriver], tmp_path: Path
) -> None:
    database, target = tmp_path / "store.db", tmp_path / "result.json"
    result = call(
        *("sweep", "--suite", "smoke", "--runs", "2", "--runtimes", "dawn,safari", "--seed", "9", "--name", "nightly"),
        *("--machine", "bench-7", "--database", str(database), "--json", str(target)),
    )
    assert result.exit_code == 0, result.output
    assert "no gpu was found" in result.output.lower()
    assert f"dispatchmark serve --database {database}" in result.output
    written = SweepResult.model_validate_json(target.read_text())
    assert (written.sweep.start.seed, written.sweep.start.name) == (9, "nightly")
    assert written.sweep.start.machine.name == "bench-7"
    assert f"/sweeps/{written.sweep.start.sweep_id}" in result.output
    assert [(run.status, run.reason) for run in written.sweep.runs] == [
        (RunStatus.UNAVAILABLE, "it is not here. run `make setup`"),
        (RunStatus.FINISHED, None),
        (RunStatus.FINISHED, None),
    ]
    assert [job.options.adapter for job in runtimes["dawn"].jobs] == ["software"] * 2


def test_json_on_the_standard_output_is_alone_there(runtimes: dict[str, FakeDriver], tmp_path: Path) -> None:
    arguments = ("sweep", "--suite", "smoke", "--runs", "1", "--runtimes", "dawn", "--json", "-")
    result = call(*arguments, "--database", str(tmp_path / "store.db"))
    written = SweepResult.model_validate_json(result.stdout)
    assert [row.key for row in written.comparisons[0].rows] == ["dawn"]
    assert "dispatchmark serve" in result.stderr


def test_a_sweep_in_which_a_usable_runtime_fails_goes_on_and_fails(
    runtimes: dict[str, FakeDriver], tmp_path: Path
) -> None:
    arguments = ("sweep", "--suite", "smoke", "--runs", "2", "--runtimes", "dawn,wgpu")
    result = call(*arguments, "--database", str(tmp_path / "store.db"))
    assert result.exit_code == 1
    assert "failed: the process ended with code 139" in result.output
    assert len(runtimes["dawn"].jobs) == len(runtimes["wgpu"].jobs) == 2


def test_a_sweep_without_any_usable_runtime_fails_and_shows_why(
    runtimes: dict[str, FakeDriver], tmp_path: Path
) -> None:
    result = call("sweep", "--runtimes", "webkit,safari", "--database", str(tmp_path / "store.db"))
    assert result.exit_code == 1
    assert "it is not here" in result.output
    assert "No runtime can be measured here" in result.output


def test_a_sweep_measures_for_a_server_that_is_there(runtimes: dict[str, FakeDriver], tmp_path: Path) -> None:
    with embedded(Settings(database=str(tmp_path / "store.db"), port=0)) as url:
        result = call("sweep", "--suite", "smoke", "--runs", "1", "--runtimes", "dawn", "--server", f"{url}/")
    assert result.exit_code == 0
    assert f"{url}/sweeps/" in result.output
    assert runtimes["dawn"].jobs[0].server_url == url


def test_channels_and_executables_reach_their_runtime(runtimes: dict[str, FakeDriver], tmp_path: Path) -> None:
    result = call(
        *("sweep", "--suite", "smoke", "--runs", "1", "--runtimes", "dawn,wgpu", "--database", str(tmp_path / "s.db")),
        *("--executable", "dawn=/opt/dawn", "--channel", "wgpu=beta", "--profile", "user"),
    )
    assert result.exit_code == 1
    dawn, wgpu = runtimes["dawn"].jobs[0].options, runtimes["wgpu"].jobs[0].options
    assert (dawn.executable, dawn.channel, dawn.profile) == ("/opt/dawn", None, "user")
    assert (wgpu.executable, wgpu.channel) == (None, "beta")


def test_the_installed_command_ends_with_the_same_codes() -> None:
    source = Path(__file__).parents[1] / "server"
    ended = subprocess.run(
        [sys.executable, "-m", "dispatchmark", "sweep", "--suite", "slow"],
        env=os.environ | {"PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 2
    assert "no suite slow" in ended.stderr
