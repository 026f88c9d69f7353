import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dispatchmark.sweep.lock import Busy, held

HOLD = """
import sys, time
from pathlib import Path
from dispatchmark.sweep.lock import held
with held(Path(sys.argv[1]), wait=False):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "sweep.lock"


def start_holder(path: Path) -> subprocess.Popen[str]:
    source = Path(__file__).parents[2] / "server"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(source)},
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    holder.stdout.close()
    return holder


def test_a_free_machine_is_held_and_let_go(path: Path) -> None:
    for _ in range(2):
        with held(path, wait=False):
            pass


def test_the_second_is_refused_and_told_who_holds_it(path: Path) -> None:
    holder = start_holder(path)
    try:
        with pytest.raises(Busy, match=f"process {holder.pid}, since "), held(path, wait=False):
            pass
    finally:
        holder.kill()
        holder.wait()


def test_the_second_waits_and_a_crash_lets_go(path: Path) -> None:
    holder = start_holder(path)
    told: list[str] = []

    def waiting(who: str) -> None:
        told.append(who)
        holder.kill()
        holder.wait()

    began = time.monotonic()
    with held(path, wait=True, waiting=waiting):
        assert time.monotonic() - began < 30
    assert len(told) == 1
    assert f"process {holder.pid}" in told[0]
