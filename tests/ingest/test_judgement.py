from typing import Any

import pytest

from dispatchmark.contract.receipt import Estimate
from dispatchmark.ingest.judgement import Evidence, Judgement, judge
from dispatchmark.store import queries
from tests.ingest import documents


def slope(slope_us: float | None, **changes: Any) -> Estimate:
    verdict = "unresolved" if slope_us is None else "resolved"
    values = {"case_id": "submit/f32/chained", "wait": "done", "verdict": verdict, "slope_us": slope_us}
    return Estimate.model_validate(values | changes)


def judged(*parts: dict[str, Any], estimates: tuple[Estimate, ...] = (), hidden_limit_ms: float = 0.0) -> Judgement:
    sound = documents.case(1, "submit/f32/chained", [documents.sample(1, 100.0)], verified=True)
    read = [queries.PART.validate_python(part) for part in (sound, *parts)]
    return judge(Evidence(read, estimates, carryover_limit=1.5, hidden_limit_ms=hidden_limit_ms))


def test_a_sound_run_is_accepted() -> None:
    assert judged() == Judgement("accepted", [], None)


def test_a_wrong_result_makes_the_run_invalid() -> None:
    judgement = judged(documents.case(2, "passes/f32/chained", [documents.sample(1, 9.0)], verified=False))
    assert judgement.verdict == "invalid"
    assert judgement.reasons == ["passes/f32/chained: the result read back is wrong"]


@pytest.mark.parametrize("times", [{"done_us": -1.0}, {"encoded_us": -0.5}])
def test_a_negative_span_makes_the_run_invalid(times: dict[str, float]) -> None:
    judgement = judged(documents.case(2, "naive/f32", [documents.sample(1, 5.0) | times, documents.sample(1, 5.0)]))
    assert (judgement.verdict, judgement.reasons) == ("invalid", ["naive/f32: 1 spans are negative"])


def test_a_span_of_nothing_is_no_offence() -> None:
    assert judged(documents.case(2, "naive/f32", [documents.sample(1, 0.0)])).verdict == "accepted"


@pytest.mark.parametrize(
    ("first", "again", "verdict"),
    [
        (10.0, 14.9, "accepted"),
        (10.0, 15.1, "disturbed"),
        (15.1, 10.0, "disturbed"),
        (14.9, 10.0, "accepted"),
        (10.0, None, "accepted"),
        (None, 10.0, "accepted"),
    ],
)
def test_carrying_over_disturbs_beyond_its_limit(first: float | None, again: float | None, verdict: str) -> None:
    judgement = judged(estimates=(slope(first), slope(again, repeat=True)))
    assert judgement.verdict == verdict
    assert judgement.carryover_ratio == (again / first if first and again else None)


def test_the_repeated_case_is_compared_with_itself_in_its_own_wait_mode() -> None:
    estimates = (slope(90.0, case_id="passes/f32/chained"), slope(50.0, wait="map"), slope(10.0))
    judgement = judged(estimates=(*estimates, slope(11.0, repeat=True)))
    assert judgement.carryover_ratio == pytest.approx(1.1)


@pytest.mark.parametrize(("hidden_ms", "verdict"), [(None, "accepted"), (20.0, "accepted"), (20.1, "disturbed")])
def test_a_hidden_page_disturbs_beyond_its_limit(hidden_ms: float | None, verdict: str) -> None:
    part = documents.case(2, "naive/f32", [], hidden_ms=hidden_ms)
    assert judged(part, hidden_limit_ms=20.0).verdict == verdict


def test_a_clock_that_steps_back_disturbs() -> None:
    assert judged(documents.control(2, "control/clock", monotonic=True)).verdict == "accepted"
    assert judged(documents.control(2, "control/clock", monotonic=False)).verdict == "disturbed"


def test_an_adapter_that_changes_disturbs() -> None:
    software = {"vendor": "google", "software": True}
    assert judged(documents.environment(2), documents.environment(3)).verdict == "accepted"
    assert judged(documents.environment(2), documents.environment(3, adapter=software)).verdict == "disturbed"


def test_the_gravest_finding_is_the_verdict_and_all_are_told() -> None:
    wrong = documents.case(2, "naive/f32", [], verified=False, hidden_ms=50.0)
    judgement = judged(wrong)
    assert judgement.verdict == "invalid"
    assert len(judgement.reasons) == 2


def test_a_run_that_measured_nothing_has_no_verdict() -> None:
    part = queries.PART.validate_python(documents.case(1, "submit/f16/chained", status="unsupported", reason="no f16"))
    assert judge(Evidence([part], [], 1.5, 0.0)) == Judgement(None, [], None)
