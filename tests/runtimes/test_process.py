"""Runtimes that are processes, played by small scripts, against a real server."""

import json
import sys
import textwrap
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Timer
from typing import Any

import httpx
import psutil
import pytest

from dispatchmark.app import embedded
from dispatchmark.client import Server
from dispatchmark.config import Settings
from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.contract.receipt import Progress, RunReport
from dispatchmark.runtimes import process
from dispatchmark.runtimes.base import Job, Options, Outcome, Probe
from dispatchmark.runtimes.process import Command, Missing, ProcessDriver
from tests.ingest import documents
from tests.runtimes.jobs import job

PART = """
import json, os, signal, sys, time
def say(line):
    print(json.dumps(line), flush=True)
def environment(software=True):
    adapter = {"device": "planted", "software": software}
    say({"part": {"kind": "environment", "sequence": 0, "runtime_version": "1.2.3", "adapter": adapter}})
def case(sequence, **changes):
    say({"part": CASE | {"sequence": sequence} | changes})
"""


@dataclass
class Stage:
    """A server, and a driver whose process is a script."""

    url: str
    folder: Path
    watched: list[Progress] = field(default_factory=list)

    def driver(self, script: str) -> ProcessDriver:
        path = self.folder / "runtime.py"
        case = json.dumps(documents.ladder(1, 25.0)).replace("null", "None").replace("true", "True")
        path.write_text(PART.replace("CASE", case) + textwrap.dedent(script))
        command = Command((sys.executable, str(path)), "1.2.3", {"PLANTED": "yes"})
        return ProcessDriver(RuntimeName.DENO, lambda: command, "plant it")

    def execute(self, script: str, stop: Event | None = None, **changes: Any) -> tuple[Outcome, RunReport]:
        self.job = job(self.url, **changes)
        outcome = self.driver(script).execute(self.job, self.watched.append, stop or Event())
        return outcome, self.report(self.job)

    def report(self, job: Job) -> RunReport:
        server = Server(self.url, patience_s=5)
        try:
            return server.report(job.start.run_id)
        finally:
            server.close()

    def probe(self, script: str, **options: Any) -> Probe:
        return self.driver(script).probe(Options(**options))


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    database = tmp_path_factory.mktemp("store") / "store.db"
    with embedded(Settings(database=str(database), port=0)) as found:
        yield found


@pytest.fixture
def stage(url: str, tmp_path: Path) -> Iterator[Stage]:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    yield Stage(url, tmp_path)
    left = [child for child in psutil.Process().children(recursive=True) if child.pid not in before]
    assert left == [], "a process was left behind"


def test_what_the_process_prints_is_stored(stage: Stage) -> None:
    outcome, report = stage.execute("""
        assert os.environ["PLANTED"] == "yes"
        assert sys.argv[1:] == ["--suite", "smoke", "--seed", sys.argv[4]]
        environment()
        say({"progress": {"case_id": "submit/f32/chained", "index": 0, "total": 1, "fraction": 0.5}})
        print("this is for people", file=sys.stderr)
        case(1)
        case(2, repeat=True)
        say({"finish": {"status": "finished", "reason": None, "parts": 3}})
    """)
    assert outcome == Outcome(RunStatus.FINISHED)
    assert report.status is RunStatus.FINISHED
    document = httpx.get(f"{stage.url}/api/runs/{stage.job.start.run_id}/document").json()
    assert document["start"]["runtime"] == {"name": "deno", "version": "1.2.3"}
    assert document["start"]["launch"]["variables"]["PLANTED"] == "yes"
    assert [part["sequence"] for part in document["parts"]] == [0, 1, 2]
    assert [progress.parts for progress in stage.watched] == [1, 2, 3]


def test_a_process_that_dies_leaves_what_it_measured_and_says_why(stage: Stage) -> None:
    outcome, report = stage.execute("""
        environment()
        case(1)
        print("the driver fell over", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """)
    assert outcome.status is report.status is RunStatus.PARTIAL
    assert outcome.reason == "the process ended by signal 9: the driver fell over"
    assert stage.watched[-1].parts == 2


def test_a_process_that_dies_before_its_first_word_has_failed(stage: Stage) -> None:
    outcome, _ = stage.execute("raise SystemExit('no library')")
    assert outcome == Outcome(RunStatus.FAILED, "the process ended with code 1: no library")


def test_a_process_that_hangs_is_ended(stage: Stage) -> None:
    outcome, _ = stage.execute("environment(); case(1); time.sleep(600)", stall_s=1.0)
    assert outcome == Outcome(RunStatus.PARTIAL, "hung: no case finished within 1 s")


def test_a_process_that_takes_too_long_gives_what_it_has(stage: Stage) -> None:
    outcome, _ = stage.execute(
        """
        environment()
        def end(*_):
            case(1)
            raise SystemExit
        signal.signal(signal.SIGTERM, end)
        while True:
            say({"progress": {}})
            time.sleep(0.05)
        """,
        timeout_s=1.5,
    )
    assert outcome == Outcome(RunStatus.PARTIAL, "not done within 2 s")
    assert _parts(stage) == 2


def test_a_run_that_is_stopped_keeps_the_case_in_flight(stage: Stage) -> None:
    stop = Event()
    Timer(1.5, stop.set).start()
    outcome, _ = stage.execute(
        """
        def end(*_):
            case(1, status="cancelled", reason="cancelled")
            say({"finish": {"status": "cancelled", "reason": "cancelled", "parts": 2}})
            raise SystemExit
        signal.signal(signal.SIGTERM, end)
        environment()
        time.sleep(600)
        """,
        stop,
    )
    assert outcome == Outcome(RunStatus.CANCELLED, "stopped by the user")
    assert _parts(stage) == 2


def test_a_process_that_will_not_end_is_killed(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "GRACE_S", 0.5)
    stop = Event()
    Timer(1.5, stop.set).start()
    begun = time.monotonic()
    outcome, _ = stage.execute("signal.signal(signal.SIGTERM, signal.SIG_IGN); environment(); time.sleep(600)", stop)
    assert outcome.status is RunStatus.CANCELLED
    assert time.monotonic() - begun < 20


@pytest.mark.parametrize(
    "bad", ['{"part": {"kind": "case", "sequence": 1}}', '{"part": 3}', '{"finish": {"status": "running", "parts": 1}}']
)
def test_what_is_no_part_ends_the_run_with_the_reason(stage: Stage, bad: str) -> None:
    outcome, report = stage.execute(f"environment(); print({bad!r}, flush=True); time.sleep(600)")
    assert outcome.status is report.status is RunStatus.PARTIAL
    assert (outcome.reason or "").startswith("a part was not accepted: ")


def test_lines_that_are_no_json_are_kept_for_the_reason(stage: Stage) -> None:
    outcome, _ = stage.execute("environment(); print('Segmentation what', flush=True); raise SystemExit(3)")
    assert outcome == Outcome(RunStatus.PARTIAL, "the process ended with code 3: Segmentation what")


def test_a_run_that_the_process_calls_unsupported_is_that(stage: Stage) -> None:
    outcome, _ = stage.execute('say({"finish": {"status": "unsupported", "reason": "no adapter", "parts": 0}})')
    assert outcome == Outcome(RunStatus.UNSUPPORTED, "no adapter")


def _parts(stage: Stage) -> int:
    server = Server(stage.url, patience_s=5)
    try:
        progress = server.progress(stage.job.start.run_id)
    finally:
        server.close()
    assert progress is not None
    return progress.parts


def missing() -> Command:
    raise Missing("there is no such thing")


def test_what_is_missing_is_unavailable_with_a_remedy(stage: Stage) -> None:
    driver = ProcessDriver(RuntimeName.DENO, missing, "plant it")
    probe = driver.probe(Options())
    assert (probe.status, probe.reason, probe.remedy) == ("unavailable", "there is no such thing", "plant it")
    outcome = driver.execute(job(stage.url), stage.watched.append, Event())
    assert outcome == Outcome(RunStatus.UNAVAILABLE, "there is no such thing")


def test_a_probe_reads_the_environment_alone(stage: Stage) -> None:
    probe = stage.probe("environment(); time.sleep(600)", adapter="software")
    assert (probe.status, probe.runtime.version) == ("usable", "1.2.3")
    assert probe.adapter is not None
    assert probe.adapter.device == "planted"
    assert probe.launch.driver == "process"
    assert probe.launch.variables["PLANTED"] == "yes"


@pytest.mark.parametrize(
    ("script", "wanted", "reason"),
    [
        ("environment(software=True)", "hardware", "it has no hardware adapter"),
        ("environment(software=False)", "software", "it has no software adapter"),
        ('say({"finish": {"status": "unsupported", "reason": "no GPU", "parts": 0}})', "software", "no GPU"),
        ("raise SystemExit('broken')", "software", "it does not start: ended with code 1: broken"),
        ("case(0)", "software", "it names no adapter"),
        ('say({"part": {"kind": "environment", "sequence": 0}})', "software", "it has no adapter"),
    ],
)
def test_a_probe_says_why_a_runtime_cannot_run(stage: Stage, script: str, wanted: Any, reason: str) -> None:
    probe = stage.probe(script, adapter=wanted)
    assert (probe.status, probe.reason) == ("unsupported", reason)


def test_a_probe_of_a_process_that_says_nothing_ends(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "PROBE_TIMEOUT_S", 1)
    assert stage.probe("time.sleep(600)").reason == "no answer within 1 s"


def test_a_part_of_the_probe_that_is_no_part_is_said_and_not_raised(stage: Stage) -> None:
    probe = stage.probe('say({"part": {"kind": "nonsense"}})', adapter="software")
    assert probe.status == "unsupported"
    assert "no part" in (probe.reason or "")


def test_an_executable_that_cannot_be_started_is_said_and_not_raised(stage: Stage, tmp_path: Path) -> None:
    broken = tmp_path / "runtime"
    broken.write_bytes(b"\x7fELF nothing")
    broken.chmod(0o755)
    driver = ProcessDriver(RuntimeName.DENO, lambda: Command((str(broken),), "1"), "plant it")
    probe, given = driver.probe(Options(adapter="software")), job(stage.url)
    assert (probe.status, probe.remedy) == ("unavailable", "plant it")
    outcome = driver.execute(given, stage.watched.append, Event())
    assert probe.reason == outcome.reason == f"{broken} does not start: Exec format error"
    assert outcome.status is stage.report(given).status is RunStatus.UNAVAILABLE
