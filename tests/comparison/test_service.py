from typing import Any

import pytest

from tests.comparison.conftest import Sweep
from tests.ingest import documents
from tests.ingest.documents import SWEEP_ID, case, control, environment, sample

SOFTWARE = {"vendor": "google", "architecture": "swiftshader", "software": True}


def polled() -> list[dict[str, Any]]:
    """A run of a runtime that answers at the next tick of a 100 ms poll, whatever N."""
    flat = [sample(n, 100_200.0 + rep, rep) for rep in range(8) for n in (1, 10, 100, 1000)]
    values = {"floor_done_us": 100_200.0, "poll_us": 100_000.0, "wait_mode": "done"}
    return [
        environment(),
        control(1, "control/clock", quantum_us=20.0, monotonic=True),
        control(2, "control/wait", **values),
        case(3, "submit/f32/chained", flat, verified=True),
        case(4, "naive/f32", [sample(1, 100_300.0)]),
    ]


def test_planted_costs_and_their_ratio_are_recovered(sweep: Sweep) -> None:
    sweep.add("dawn", 25.0, 25.5, 24.5)
    sweep.add("chromium", 50.0, 51.0, 49.0)
    rows = sweep.rows()
    native, browser = rows["dawn"], rows["chromium"]
    assert native["per_operation_us"]["value"] == pytest.approx(25.0, rel=0.02)
    assert native["per_operation_us"]["low"] < 25.0 < native["per_operation_us"]["high"]
    assert browser["ratio"]["baseline"] == "dawn"
    assert browser["ratio"]["ratio"]["value"] == pytest.approx(2.0, rel=0.02)
    assert browser["ratio"]["ratio"]["low"] < 2.0 < browser["ratio"]["ratio"]["high"]
    assert browser["ratio"]["verdict"] == "differs"
    assert (native["ratio"], native["no_ratio"]) == (None, "it is the baseline")
    assert native["wait_us"] == 90.0
    assert native["naive_us"] == 130.0
    assert native["total_over_100_us"] == pytest.approx(26.0, rel=0.03)
    assert len(native["run_ids"]) == len(native["run_slopes_us"]) == 3
    assert native["statuses"] == {"finished": 3}
    assert native["verdicts"] == {"accepted": 3}


def test_the_same_cost_is_not_called_different(sweep: Sweep) -> None:
    sweep.add("dawn", 25.0, 25.2, 24.8, 25.1, 24.9)
    sweep.add("chromium", 25.1, 24.9, 25.0, 25.2, 24.8)
    assert sweep.rows()["chromium"]["ratio"]["verdict"] == "same"


def test_two_runs_are_too_few_for_an_interval(sweep: Sweep) -> None:
    sweep.add("dawn", 25.0, 26.0)
    sweep.add("chromium", 50.0, 51.0)
    row = sweep.rows()["chromium"]
    assert row["per_operation_us"]["value"] == pytest.approx(50.5, rel=0.02)
    assert (row["per_operation_us"]["low"], row["per_operation_us"]["high"]) == (None, None)
    assert row["ratio"]["verdict"] == "insufficient data"


def test_each_family_has_its_own_native_library(sweep: Sweep) -> None:
    for place, runtime in enumerate(("dawn", "dawn-c", "chromium", "node-dawn", "wgpu", "wgpu-c", "firefox", "deno")):
        sweep.add(runtime, 20.0 + place)
    against = {key: row["ratio"] and row["ratio"]["baseline"] for key, row in sweep.rows().items()}
    assert against == {
        "dawn": None,
        "dawn-c": "dawn",
        "node-dawn": "dawn",
        "chromium": "dawn",
        "wgpu": None,
        "wgpu-c": "wgpu",
        "deno": "wgpu",
        "firefox": "wgpu",
    }
    assert {row["ratio"]["baseline"] for row in sweep.rows(baseline="deno").values() if row["ratio"]} == {"deno"}


def test_without_a_native_figure_the_reason_is_given(sweep: Sweep) -> None:
    sweep.add("chromium", 50.0)
    sweep.add("safari", 50.0)
    rows = sweep.rows()
    assert rows["chromium"]["no_ratio"] == "no native figure to hold it against (dawn or dawn-c)"
    assert rows["safari"]["no_ratio"] == "webkit has no native library"


def test_software_is_never_held_against_hardware(sweep: Sweep) -> None:
    sweep.add("dawn", 25.0, 25.0, 25.0)
    sweep.add("chromium", 50.0, 50.0, 50.0, adapter=SOFTWARE)
    row = sweep.rows()["chromium"]
    assert row["ratio"] is None
    assert "one adapter is software, the other hardware" in row["no_ratio"]


def test_a_comparable_native_row_is_preferred(sweep: Sweep) -> None:
    sweep.add("dawn", 25.0)
    sweep.add("dawn", 80.0, adapter=SOFTWARE)
    sweep.add("chromium", 160.0, adapter=SOFTWARE)
    row = sweep.rows()["chromium"]
    assert row["ratio"]["baseline"] == "dawn [google swiftshader]"
    assert row["ratio"]["ratio"]["value"] == pytest.approx(2.0, rel=0.02)


def test_a_profile_is_a_row_of_its_own_and_noted(sweep: Sweep) -> None:
    sweep.add("dawn", 25.0)
    sweep.add("chromium", 50.0)
    sweep.add("chromium", 60.0, launch={"profile": "user"})
    rows = sweep.rows()
    assert rows["chromium"]["ratio"]["notes"] == []
    assert rows["chromium/user"]["ratio"]["notes"] == ["different launch profiles: user and automation"]


def test_a_disturbed_run_is_left_out_with_a_note(sweep: Sweep) -> None:
    sweep.add("dawn", 25.0, 25.0, 25.0)
    sweep.add("dawn", parts=documents.parts(25.0, again_us=100.0))
    row = sweep.rows()["dawn"]
    assert row["per_operation_us"]["value"] == pytest.approx(25.0, rel=0.02)
    assert row["verdicts"] == {"accepted": 3, "disturbed": 1}
    (note,) = row["notes"]
    assert note.startswith("1 of 4 runs left out: disturbed (the first case, repeated last")


def test_a_poll_leaves_no_figure_and_shows_what_naive_methods_say(sweep: Sweep) -> None:
    sweep.add("wgpu", 25.0)
    sweep.add("firefox", parts=polled())
    row = sweep.rows()["firefox"]
    assert row["per_operation_us"] is None
    assert row["reason"].startswith("unresolved: poll")
    assert row["no_ratio"] == "the row has no figure"
    assert row["total_over_100_us"] == pytest.approx(1002.0, rel=0.01)
    assert row["naive_us"] == 100_300.0
    assert row["wait_us"] == 100_200.0


def test_runtimes_that_did_not_run_are_rows_with_their_reasons(sweep: Sweep) -> None:
    sweep.add("webkitgtk", status="unsupported", reason="navigator.gpu is missing", parts=[])
    sweep.add("safari", status="unavailable", reason="not installed", parts=[])
    rows = sweep.rows()
    assert rows["webkitgtk"]["reason"] == "unsupported: navigator.gpu is missing"
    assert rows["safari"]["reason"] == "unavailable: not installed"
    assert rows["safari"]["statuses"] == {"unavailable": 1}


def test_a_case_without_its_feature_says_so(sweep: Sweep) -> None:
    unsupported = case(6, "submit/f16/chained", status="unsupported", reason="no shader-f16")
    sweep.add("dawn", parts=[*documents.parts(25.0), unsupported])
    sweep.add("wgpu", 25.0)
    rows = sweep.rows(case="submit/f16/chained")
    assert rows["dawn"]["reason"] == "case unsupported: no shader-f16"
    assert rows["wgpu"]["reason"] == "the run did not get to submit/f16/chained"


def test_the_same_question_has_the_same_answer(sweep: Sweep) -> None:
    sweep.add("dawn", 25.0, 26.0, 27.0)
    sweep.add("chromium", 50.0, 52.0, 51.0)
    assert sweep.ask("comparison") == sweep.ask("comparison")


@pytest.mark.parametrize(
    ("path", "query", "status", "words"),
    [
        (f"{'f' * 32}/comparison", {"case": "submit/f32/chained"}, 404, f"no sweep {'f' * 32}"),
        (f"{'f' * 32}/attribution", {"case": "submit/f32/chained"}, 404, f"no sweep {'f' * 32}"),
        (f"{SWEEP_ID}/comparison", {"case": "submit/f32/chained", "baseline": "opera"}, 404, "there are dawn"),
        (f"{SWEEP_ID}/comparison", {}, 422, "case"),
        (f"{SWEEP_ID}/attribution", {"case": "NOT A CASE"}, 422, "case"),
        ("12/comparison", {"case": "submit/f32/chained"}, 422, "sweep_id"),
    ],
)
def test_bad_questions_are_answered_in_words(
    sweep: Sweep, path: str, query: dict[str, str], status: int, words: str
) -> None:
    sweep.add("dawn", 25.0)
    answer = sweep.client.get(f"/api/sweeps/{path}", params=query)
    assert answer.status_code == status
    assert words in answer.json()["error"]["message"]
