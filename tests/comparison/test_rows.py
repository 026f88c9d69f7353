from typing import Any

from dispatchmark.comparison.rows import left_out, reason, rows
from dispatchmark.comparison.runs import Run
from dispatchmark.contract.base import RunStatus, RuntimeName, WaitMode
from dispatchmark.contract.environment import Adapter, Launch
from dispatchmark.contract.receipt import Estimate

GPU = Adapter(device="NVIDIA H200", software=False)


def estimate(slope_us: float | None, **changes: Any) -> Estimate:
    verdict = "unresolved" if slope_us is None else "resolved"
    fields = {"case_id": "submit/f32/chained", "wait": WaitMode.DONE, "verdict": verdict, "slope_us": slope_us}
    return Estimate.model_validate(fields | changes)


def run(number: int = 1, runtime: str = "dawn", slope_us: float | None = 25.0, **changes: Any) -> Run:
    fields = {
        "run_id": f"{number:032x}",
        "runtime": RuntimeName(runtime),
        "version": "1.0",
        "launch": Launch(),
        "adapter": GPU,
        "machine": None,
        "suite": "s",
        "status": RunStatus.FINISHED,
        "verdict": "accepted",
        "estimate": estimate(slope_us),
    }
    return Run(**(fields | changes))


def failed(number: int, runtime: str = "dawn", **changes: Any) -> Run:
    gone = {"adapter": None, "estimate": None, "verdict": None, "version": None}
    died = {"status": RunStatus.FAILED, "reason": "it died"}
    return run(number, runtime, **(gone | died | changes))


def test_repetitions_are_one_row_and_rows_go_from_native_to_browser() -> None:
    found = rows([run(1, "chromium"), run(2, "dawn"), run(3, "wgpu"), run(4, "dawn")])
    assert [row.key for row in found] == ["dawn", "chromium", "wgpu"]
    assert found[0].slopes_us == [25.0, 25.0]


def test_profiles_adapters_and_wait_modes_are_rows_of_their_own() -> None:
    software = Adapter(device="llvmpipe", software=True)
    found = rows(
        [
            run(1, "firefox"),
            run(2, "firefox", launch=Launch(profile="user")),
            run(3, "firefox", adapter=software),
            run(4, "firefox", estimate=estimate(25.0, wait="nudged")),
        ]
    )
    assert {row.key for row in found} == {
        "firefox [NVIDIA H200] [done]",
        "firefox [NVIDIA H200] [nudged]",
        "firefox [llvmpipe]",
        "firefox/user",
    }


def test_launches_that_only_flags_tell_apart_are_numbered() -> None:
    found = rows([run(1), run(2, launch=Launch(flags=["--one"]))])
    assert [row.key for row in found] == ["dawn", "dawn #2"]


def test_a_run_that_failed_early_joins_its_likes() -> None:
    (row,) = rows([failed(1), run(2), run(3)])
    assert len(row.runs) == 3
    assert left_out(row) == ["1 of 3 runs left out: failed, it died"]


def test_a_run_that_failed_early_joins_none_of_several() -> None:
    found = rows([failed(1), run(2), run(3, adapter=Adapter(device="llvmpipe", software=True))])
    assert sorted(len(row.runs) for row in found) == [1, 1, 1]


def test_a_runtime_that_cannot_run_is_a_row_with_its_reason() -> None:
    (row,) = rows([failed(1, "safari", status=RunStatus.UNAVAILABLE)])
    assert row.key == "safari"
    assert reason(row) == "unavailable: it died"
    assert left_out(row) == []


def test_disturbed_and_unresolved_runs_are_left_out_with_their_reasons() -> None:
    disturbed = {"verdict": "disturbed", "verdict_reasons": ["the page was hidden"]}
    (row,) = rows([run(1), run(2, **disturbed), run(3, slope_us=None, estimate=estimate(None, reason="noise"))])
    assert row.slopes_us == [25.0]
    assert reason(row) is None
    assert left_out(row) == [
        "1 of 3 runs left out: disturbed (the page was hidden)",
        "1 of 3 runs left out: unresolved (noise)",
    ]


def test_a_row_of_disturbed_runs_has_no_figure() -> None:
    (row,) = rows([run(1, verdict="invalid", verdict_reasons=["the result read back is wrong"])])
    assert row.slopes_us == []
    assert reason(row) == "invalid: the result read back is wrong"


def test_an_unresolved_row_says_why() -> None:
    (row,) = rows([run(1, estimate=estimate(None, reason="poll", detail="flat at 100 ms"))])
    assert reason(row) == "unresolved: poll (flat at 100 ms)"


def test_a_case_that_was_not_measured_says_why() -> None:
    (row,) = rows([run(1, estimate=None, missing="case unsupported: no shader-f16")])
    assert reason(row) == "case unsupported: no shader-f16"
