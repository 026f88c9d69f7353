import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest

from dispatchmark.runtimes import mark as module
from dispatchmark.runtimes.mark import Mark, lasting, marked

SLEEP = "import time; time.sleep(60)"
ORPHAN = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {SLEEP!r}], start_new_session=True)"


@contextmanager
def process(code: str, mark: Mark, *flags: str) -> Iterator[subprocess.Popen[bytes]]:
    child = subprocess.Popen([sys.executable, "-c", code, *flags], env=os.environ | mark.variables)
    try:
        yield child
    finally:
        child.kill()
        child.wait()


def appeared(mark: Mark, number: int) -> list[psutil.Process]:
    deadline = time.monotonic() + 20
    while len(found := mark.processes()) != number:
        assert time.monotonic() < deadline, found
        time.sleep(0.05)
    return found


def test_each_run_has_a_mark_of_its_own() -> None:
    first, second = Mark(), Mark()
    with process(SLEEP, first) as child:
        assert [one.pid for one in appeared(first, 1)] == [child.pid]
        assert second.processes() == []


def test_a_process_that_has_lost_its_parent_is_ended_with_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GRACE_S", 0.2)
    with marked() as mark, process(ORPHAN, mark) as parent:
        parent.wait(timeout=20)
        (orphan,) = appeared(mark, 1)
        assert orphan.pid != parent.pid
        assert orphan not in psutil.Process().children(recursive=True)
    assert not orphan.is_running() or orphan.status() == psutil.STATUS_ZOMBIE
    assert mark.processes() == []


def test_what_ends_by_itself_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GRACE_S", 20.0)
    with marked() as mark:
        child = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(0.5)"], env=os.environ | mark.variables
        )
        appeared(mark, 1)
    # A wait that killed would leave the number of a signal.
    assert child.wait(timeout=5) == 0


def test_this_process_does_not_end_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    mark = Mark()
    monkeypatch.setenv(module.NAME, mark.value)
    assert mark.processes() == []


def test_the_flags_are_those_of_the_first_process() -> None:
    mark = Mark()
    assert mark.flags() is None
    with process(SLEEP, mark, "--headless", "--user-data-dir=/tmp/profile-x1"):
        appeared(mark, 1)
        assert mark.flags() == ["-c", SLEEP, "--headless"]


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        (["--headless", "--user-data-dir=/tmp/a", "--mute-audio"], ["--headless", "--mute-audio"]),
        (["--profile", "/tmp/a", "--headless"], ["--headless"]),
        (["-profile", "/tmp/a"], []),
        (["--profile"], []),
        (["--remote-debugging-port=0", "--remote-debugging-pipe"], ["--remote-debugging-pipe"]),
        (["--profile-directory=Work"], ["--profile-directory=Work"]),
        ([], []),
    ],
)
def test_runs_that_were_started_alike_show_the_same_flags(arguments: list[str], kept: list[str]) -> None:
    assert lasting(arguments) == kept
