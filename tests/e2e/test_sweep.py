"""Sweeps of real runtimes by the real command, and what becomes of them when they are interrupted."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed"),
]

SOURCE = Path(__file__).parents[2] / "server"
PATIENCE_S = 120


class Command:
    """The command in a process group of its own, as a terminal starts it."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.out, self.err = folder / f"out-{time.monotonic_ns()}", folder / f"err-{time.monotonic_ns()}"
        with self.out.open("wb") as out, self.err.open("wb") as err:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "dispatchmark", *arguments],
                env=os.environ
                | {"PYTHONPATH": str(SOURCE), "XDG_DATA_HOME": str(folder), "COLUMNS": "120", "PYTHONUNBUFFERED": "1"},
                stdout=out,
                stderr=err,
                start_new_session=True,
            )

    @property
    def text(self) -> str:
        return self.out.read_text() + self.err.read_text()

    def wait_for(self, words: str) -> None:
        self._wait(lambda: words in self.text, f"'{words}'")

    def wait_for_children(self) -> list[psutil.Process]:
        """Waits until a browser's page is up; returns all processes below the command."""
        process = psutil.Process(self.process.pid)
        self._wait(lambda: any("renderer" in " ".join(_arguments(one)) for one in process.children(True)), "a browser")
        return process.children(recursive=True)

    def interrupt(self) -> None:
        """Ctrl-C: a terminal sends it to the whole group."""
        os.killpg(self.process.pid, signal.SIGINT)

    def ended(self) -> int:
        try:
            return self.process.wait(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            raise AssertionError(f"the command does not end:\n{self.text}") from None

    def _wait(self, condition: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not condition():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"no {what}:\n{self.text}")
            time.sleep(0.3)


def _arguments(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def stored(database: Path) -> list[tuple[str, str, str, int]]:
    """Runtime, status, reason and parts of every run in a store."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        rows = connection.execute("SELECT runtime_name, status, reason, parts_count FROM run ORDER BY position")
        found = list(rows)
    connection.close()
    return found


def test_every_runtime_in_one_table(tmp_path: Path) -> None:
    database = tmp_path / "store.db"
    names = "chromium,firefox,wgpu,dawn,webkitgtk"
    command = Command(
        tmp_path,
        *("sweep", "--suite", "smoke", "--runs", "1", "--runtimes", names, "--adapter", "software"),
        *("--database", str(database), "--json", "-", "--seed", "7", "--name", "drill", "--machine", "bench-1"),
    )
    code = command.ended()
    assert code == 0, command.text
    result = json.loads(command.out.read_text())
    assert result["sweep"]["start"]["name"] == "drill"
    assert result["sweep"]["start"]["machine"]["name"] == "bench-1"
    (comparison,) = result["comparisons"]
    rows: dict[str, Any] = {row["runtime"]: row for row in comparison["rows"]}
    assert sorted(rows) == sorted(names.split(","))
    for name in ("chromium", "wgpu", "dawn"):
        row = rows[name]
        assert row["statuses"] == {"finished": 1}, row
        assert row["software"] is True
        assert row["total_over_100_us"] > 0
        assert row["per_operation_us"] is not None or row["reason"].startswith(("unresolved", "disturbed"))
    for name in ("firefox", "webkitgtk"):
        assert set(rows[name]["statuses"]) <= {"finished", "unavailable", "unsupported"}
        assert rows[name]["reason"] or rows[name]["per_operation_us"]
    assert f"dispatchmark serve --database {database}" in command.err.read_text()
    assert f"/sweeps/{comparison['sweep_id']}" in command.err.read_text()
    explained = Command(tmp_path, "explain", comparison["sweep_id"][:6], "--database", str(database))
    assert explained.ended() == 0
    assert "dawn, python path" in explained.text


def test_ctrl_c_keeps_what_was_measured_and_closes_browsers(tmp_path: Path) -> None:
    database = tmp_path / "store.db"
    command = Command(
        tmp_path,
        *("sweep", "--suite", "smoke", "--runs", "50", "--runtimes", "chromium", "--adapter", "software"),
        *("--database", str(database)),
    )
    command.wait_for("run 1/50")
    children = command.wait_for_children()
    command.interrupt()
    assert command.ended() == 130, command.text
    assert "submit/f32/chained" in command.text
    assert "dispatchmark serve" in command.text
    first, *others = stored(database)
    assert (first[1], first[3]) == ("finished", 5)
    assert len(others) == 1
    assert others[0][1] in ("cancelled", "finished"), others
    _, alive = psutil.wait_procs(children, timeout=10)
    assert [one for one in alive if one.status() != psutil.STATUS_ZOMBIE] == []


def test_a_second_ctrl_c_quits_at_once_and_leaves_no_browser(tmp_path: Path) -> None:
    command = Command(
        tmp_path,
        *("sweep", "--suite", "quick", "--runs", "50", "--runtimes", "chromium", "--adapter", "software"),
        *("--database", str(tmp_path / "store.db")),
    )
    children = command.wait_for_children()
    command.process.send_signal(signal.SIGINT)
    command.wait_for("Ctrl-C again quits")
    command.process.send_signal(signal.SIGINT)
    began = time.monotonic()
    assert command.ended() == 130
    assert time.monotonic() - began < 10
    _, alive = psutil.wait_procs(children, timeout=10)
    assert [one for one in alive if one.status() != psutil.STATUS_ZOMBIE] == []


def test_two_sweeps_at_once(tmp_path: Path) -> None:
    arguments = ("sweep", "--suite", "smoke", "--runtimes", "chromium", "--adapter", "software", "--database")
    first = Command(tmp_path, *arguments, str(tmp_path / "first.db"), "--runs", "50")
    first.wait_for_children()
    refused = Command(tmp_path, *arguments, str(tmp_path / "refused.db"))
    assert refused.ended() == 1
    assert f"process {first.process.pid}" in refused.text
    assert not (tmp_path / "refused.db").exists()
    waiting = Command(tmp_path, *arguments, str(tmp_path / "waiting.db"), "--runs", "1", "--wait")
    waiting.wait_for(f"waiting for process {first.process.pid}")
    first.interrupt()
    assert first.ended() == 130
    assert waiting.ended() == 0, waiting.text
    assert [run[1] for run in stored(tmp_path / "waiting.db")] == ["finished"]
