"""Processes that do what none should, against a real server: each is a run with a reason, and none is left behind."""

import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import psutil
import pytest

from dispatchmark.app import embedded
from dispatchmark.client import Server
from dispatchmark.config import Settings
from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.runtimes import process
from dispatchmark.runtimes.base import Outcome
from dispatchmark.runtimes.process import Command, ProcessDriver
from tests.runtimes.jobs import job

CHILD = Path(__file__).with_name("child.py")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    database = tmp_path_factory.mktemp("store") / "store.db"
    with embedded(Settings(database=str(database), port=0)) as url:
        yield url


@pytest.fixture(autouse=True)
def no_child_is_left() -> Iterator[None]:
    before = set(psutil.Process().children(recursive=True))
    yield
    assert [one for one in psutil.Process().children(recursive=True) if one not in before] == []


def executed(url: str, behaviour: str, **limits: Any) -> tuple[Outcome, int]:
    """How the run ended, the same for driver and server, and its parts."""
    command = Command((sys.executable, str(CHILD), behaviour), "1.2.3")
    one = job(url, **limits)
    driver = ProcessDriver(RuntimeName.DENO, lambda: command, "install it")
    outcome = driver.execute(one, lambda progress: None, Event())
    server = Server(url)
    report, progress = server.report(one.start.run_id), server.progress(one.start.run_id)
    server.close()
    assert progress is not None
    assert (report.status, report.reason) == (outcome.status, outcome.reason)
    return outcome, progress.parts


def test_one_that_stays_after_its_last_word_is_ended(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "GRACE_S", 0.5)
    assert executed(url, "lingers") == (Outcome(RunStatus.FINISHED), 2)


def test_one_that_complains_at_length_is_quoted_from_the_end(url: str) -> None:
    outcome, parts = executed(url, "complains_at_length")
    assert (outcome.status, parts) == (RunStatus.PARTIAL, 1)
    assert str(outcome.reason).startswith("the process ended with code 7: ")
    assert str(outcome.reason).endswith("very badly")
    assert len(str(outcome.reason)) < 700


def test_one_that_closes_its_output_and_stays_is_ended(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "PARTING_S", 0.5)
    reason = "the process closed its output but did not end"
    assert executed(url, "closes_its_output_and_hangs") == (Outcome(RunStatus.PARTIAL, reason), 1)


def test_one_that_only_talks_hangs(url: str) -> None:
    reason = "hung: no case finished within 4 s"
    assert executed(url, "chatters", stall_s=4.0) == (Outcome(RunStatus.PARTIAL, reason), 1)


def test_lines_that_are_no_documents_do_not_end_a_run(url: str) -> None:
    assert executed(url, "prints_rubbish") == (Outcome(RunStatus.FINISHED), 2)


def test_a_part_that_comes_twice_is_one(url: str) -> None:
    assert executed(url, "sends_one_part_twice") == (Outcome(RunStatus.FINISHED), 1)


def test_a_part_that_changes_is_refused(url: str) -> None:
    outcome, parts = executed(url, "contradicts_itself")
    assert (outcome.status, parts) == (RunStatus.PARTIAL, 1)
    assert "part 0 of run" in str(outcome.reason)


def test_a_finish_that_counts_more_parts_than_came_makes_the_run_partial(url: str) -> None:
    assert executed(url, "loses_a_part") == (Outcome(RunStatus.PARTIAL, "1 of 2 parts did not arrive: 1"), 1)
