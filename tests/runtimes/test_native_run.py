"""Real runs on the native libraries, on a software driver."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from dispatchmark.contract.base import RunStatus
from dispatchmark.contract.submission import CasePart, EnvironmentPart, Finish, Part
from dispatchmark.contract.suite import CaseKind, SuiteFile, load
from dispatchmark.runtimes import vulkan
from dispatchmark.runtimes.native import capi, compiled, libraries
from dispatchmark.runtimes.native.library import Unsupported
from dispatchmark.runtimes.native.packages import RUNTIMES
from dispatchmark.runtimes.native.run import Run
from dispatchmark.runtimes.native.workload import Tally, build

SERVER = Path(__file__).parents[2] / "server"
PARTS: TypeAdapter[EnvironmentPart | CasePart] = TypeAdapter(Part)
LADDERS = [case for case in load().cases if case.kind is CaseKind.LADDER]

pytestmark = pytest.mark.skipif(vulkan.software_driver() is None, reason="there is no software Vulkan driver")


def environment(**changes: str) -> dict[str, str]:
    return {**os.environ, **vulkan.variables("software"), "PYTHONPATH": str(SERVER), **changes}


def started(*arguments: str, **changes: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "dispatchmark.runtimes.native", *arguments],
        env=environment(**changes),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def read(process: subprocess.Popen[str]) -> tuple[list[EnvironmentPart | CasePart], Finish, list[Any]]:
    out, _ = process.communicate(timeout=180)
    assert process.returncode == 0
    lines = [json.loads(line) for line in out.splitlines()]
    parts = [PARTS.validate_python(line["part"], strict=False) for line in lines if "part" in line]
    progress = [line["progress"] for line in lines if "progress" in line]
    assert len(parts) + len(progress) + 1 == len(lines)
    return parts, Finish.model_validate(lines[-1]["finish"]), progress


@pytest.fixture(scope="module")
def software() -> Iterator[None]:
    """This process on the software driver: the loader reads the variables when a library first asks it."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in vulkan.variables("software").items():
            patch.setenv(name, value)
        yield


@pytest.mark.parametrize("runtime", ["dawn", *(pytest.param(one, marks=pytest.mark.e2e) for one in RUNTIMES[::-1])])
def test_a_smoke_run_measures_and_verifies(runtime: str) -> None:
    parts, finish, progress = read(started(runtime, "--suite", "smoke", "--seed", "3"))
    assert finish == Finish(status=RunStatus.FINISHED, reason=None, parts=len(parts))
    assert [part.sequence for part in parts] == list(range(len(parts)))
    first, *cases = parts
    assert isinstance(first, EnvironmentPart)
    assert first.adapter is not None
    assert first.adapter.software is True
    assert first.runtime_version
    assert progress
    *_, ladder, repeat = (part for part in cases if isinstance(part, CasePart))
    assert (ladder.case_id, ladder.repeat) == (repeat.case_id, False)
    assert repeat.repeat
    for case in (ladder, repeat):
        assert (case.status, case.verified) == ("measured", True)
        (series,) = case.series
        low = min(sample.done_us for sample in series.samples if sample.n == 1)
        high = min(sample.done_us for sample in series.samples if sample.n == 100)
        # A dispatch on a CPU takes microseconds at the least; where they were not issued, spans would not grow.
        assert high - low > 100


@pytest.mark.parametrize("case", LADDERS, ids=lambda case: case.id)
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_every_ladder_counts_right(runtime: str, case: Any, software: None) -> None:
    run = Run(libraries.load(runtime), load(), "smoke", 0)
    try:
        device = run._device(case)
    except Unsupported as error:
        if "f16" not in case.id:
            raise
        pytest.skip(str(error))
    workload = build(device, load(), case)
    tally, issue = Tally(workload), run.library.operation(workload, case, 16)
    for n in (1, 2, 16, 17, 100):
        issue(n)
        tally.add(n)
    run.library.done(device)()
    assert tally.verify()
    tally.add(1)
    assert not tally.verify(), "a dispatch that did not happen must be seen"
    device.destroy()


@pytest.mark.parametrize("runtime", ["wgpu-c", "dawn-c"])
@pytest.mark.parametrize("operation", ["submit", "cmdbufs", "passes", "dispatches"])
def test_without_a_compiler_the_calls_are_made_one_by_one(
    runtime: str, operation: str, software: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    library = libraries.load(runtime)
    assert library.libraries()["loops"] == "cffi, one call at a time: no C compiler"
    case, device = load().case(f"{operation}/f32/independent"), library.adapter().request_device_sync()
    workload = build(device, load(), case)
    tally, issue = Tally(workload), library.operation(workload, case, 16)
    issue(40)
    tally.add(40)
    library.done(device)()
    assert tally.verify()
    device.destroy()


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
class TestCompiled:
    def test_the_loops_compile_here(self, tmp_path: Path) -> None:
        loops = compiled.load(tmp_path)
        (made,) = tmp_path.iterdir()
        assert loops.compiler
        first = made.stat().st_mtime_ns
        compiled.load(tmp_path)
        assert made.stat().st_mtime_ns == first
        assert list(tmp_path.iterdir()) == [made]

    @pytest.mark.parametrize("name", ["wgpu-c", "dawn-c"])
    def test_they_are_what_runs(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("CC", raising=False)
        library = libraries.load(name)
        assert isinstance(library, capi.DirectLibrary)
        assert library.loops is not None, library.how
        assert library.libraries()["loops"].startswith("compiled, ")

    def test_a_source_that_does_not_compile_is_no_silence(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        broken = tmp_path / "broken.c"
        broken.write_text("int loops(void) { return nothing; }\n")
        monkeypatch.setattr(compiled, "SOURCE", broken)
        monkeypatch.delenv("CC", raising=False)
        with pytest.raises(compiled.NoCompiler, match=r"^cc failed$"):
            compiled.load(tmp_path / "cache")
        assert "nothing" in capfd.readouterr().err

    def test_a_cache_that_cannot_be_written_is_no_end(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(compiled.NoCompiler, match="cannot be used"):
            compiled.load(tmp_path / "file" / "cache")


def suite_of(*cases: str, budget_ms: int = 300) -> SuiteFile:
    file = load()
    smoke = file.suites["smoke"].model_copy(update={"cases": list(cases), "case_budget_ms": budget_ms})
    return file.model_copy(update={"suites": {"smoke": smoke}})


def run_of(runtime: str, file: SuiteFile) -> tuple[dict[str, CasePart], Finish]:
    run = Run(libraries.load(runtime), file, "smoke", 0)
    parts = {part.case_id: part for part in run.parts() if isinstance(part, CasePart) and not part.repeat}
    return parts, run.finish


@pytest.mark.e2e
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_every_other_kind_of_case(runtime: str, software: None) -> None:
    ids = [case.id for case in load().cases if case.kind is not CaseKind.LADDER]
    parts, finish = run_of(runtime, suite_of(*ids))
    assert finish.status is RunStatus.FINISHED
    assert [*parts] == ids
    without = {"control/timestamps"} if runtime.endswith("-c") else set()
    for case_id, part in parts.items():
        unsupported = "f16" in case_id or case_id in without
        assert part.status == ("unsupported" if unsupported else "measured"), part.reason
        assert part.reason if unsupported else part.verified is not False
    assert parts["control/clock"].values["quantum_us"] < 10  # type: ignore[operator]
    assert {series.label for series in parts["phases/f32"].series} == set(compiled.PHASES)
    assert all(len(sample.stamps_us or ()) == sample.n for sample in parts["submit-trace/f32"].series[0].samples)
    assert [series.label for series in parts["carryover/f32"].series] == ["before", "after", "new device"]
    assert [series.label for series in parts["chunk/f32"].series] == [str(1 << power) for power in range(11)]


def test_a_kernel_that_does_not_compile_costs_its_case_only(
    software: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = load().kernels["add_i32"].file
    for path in (SERVER.parent / "wgsl").glob("*.wgsl"):
        (tmp_path / path.name).write_text("this is no kernel" if path.name == folder else path.read_text())
    monkeypatch.setenv("DISPATCHMARK_WGSL", str(tmp_path))
    parts, finish = run_of("dawn", suite_of("submit/i32/chained", "naive/f32"))
    assert finish.status is RunStatus.FINISHED
    assert parts["submit/i32/chained"].status == "failed"
    assert folder in (parts["submit/i32/chained"].reason or "")
    assert parts["naive/f32"].status == "measured"


def test_a_run_on_which_nothing_works_has_failed(
    software: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (SERVER.parent / "wgsl").glob("*.wgsl"):
        (tmp_path / path.name).write_text("this is no kernel")
    monkeypatch.setenv("DISPATCHMARK_WGSL", str(tmp_path))
    _, finish = run_of("dawn", suite_of("control/clock", "submit/f32/chained"))
    assert finish.status is RunStatus.FAILED
    assert (finish.reason or "").startswith("submit/f32/chained: ")


def test_no_adapter_is_a_row() -> None:
    nowhere = dict.fromkeys(vulkan.SELECTORS, "/nonexistent.json")
    parts, finish, _ = read(started("dawn", "--suite", "smoke", **nowhere))
    assert parts == []
    assert finish.status is RunStatus.UNSUPPORTED
    assert (finish.reason or "").startswith("no adapter: ")


def test_the_probe_is_one_line() -> None:
    out, _ = started("dawn", "--probe").communicate(timeout=60)
    answer = json.loads(out)
    assert answer["adapter"]["software"] is True
    assert answer["version"]


def test_a_run_told_to_end_gives_the_case_in_flight() -> None:
    process = started("dawn", "--suite", "full")
    assert process.stdout is not None
    lines = iter(process.stdout.readline, "")
    for line in lines:
        progress = json.loads(line).get("progress")
        if progress and progress["case_id"] == "control/submit":
            process.send_signal(signal.SIGTERM)
            break
    rest = [json.loads(line) for line in lines]
    process.stdout.close()
    assert process.wait(timeout=30) == 0
    last = PARTS.validate_python(rest[-2]["part"], strict=False)
    assert isinstance(last, CasePart)
    assert last.status in ("cancelled", "measured")
    assert rest[-1]["finish"]["status"] == "cancelled"
    assert rest[-1]["finish"]["parts"] == last.sequence + 1
