"""The wire contract on both sides of each of its limits, and suite.json as it is."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import TypeAdapter, ValidationError

from dispatchmark.contract import base, suite
from dispatchmark.contract.receipt import Estimate, RunReport
from dispatchmark.contract.schema import DOCUMENTS, schema
from dispatchmark.contract.submission import CasePart, Finish, Part, RunStart, Sample, Series, Submission, SweepStart
from dispatchmark.contract.suite import CaseKind, SuiteFile
from tests.ingest import documents

PART: TypeAdapter[Any] = TypeAdapter(Part)
SAMPLE = documents.sample(10, 250.0)
CASE = documents.case(1, "submit/f32/chained", [SAMPLE])
SUITES = json.loads((suite.assets("wgsl") / "suite.json").read_text())


def accepts(model: Any, document: Any) -> bool:
    """Whether a document is read, as JSON, the way the server reads it."""
    try:
        TypeAdapter(model).validate_json(json.dumps(document))
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("n", 0, -1),
        ("n", base.MAX_N, base.MAX_N + 1),
        ("n", 1, 1.5),
        ("rep", 0, -1),
        ("rep", 1_000_000, 1_000_001),
        ("wait", "nudged", "sleepy"),
        ("start_us", 0, -0.001),
        ("start_us", 1e12, 1.1e12),
        ("done_us", base.MAX_SPAN_US, base.MAX_SPAN_US * 1.001),
        ("done_us", -base.MAX_SPAN_US, -base.MAX_SPAN_US * 1.001),
        ("encoded_us", -1.0, None),
        ("gpu_us", None, "fast"),
        ("stamps_us", [1.0] * base.MAX_STAMPS, [1.0] * (base.MAX_STAMPS + 1)),
    ],
)
def test_a_sample_at_and_beyond_its_limits(field: str, good: object, bad: object) -> None:
    assert accepts(Sample, SAMPLE | {field: good})
    assert not accepts(Sample, SAMPLE | {field: bad})


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("field", ["start_us", "encoded_us", "done_us", "gpu_us"])
def test_a_time_that_is_no_number_is_refused(field: str, value: float) -> None:
    assert not accepts(Sample, SAMPLE | {field: value})


def test_a_series_holds_so_many_samples_and_no_more() -> None:
    assert accepts(Series, {"samples": [SAMPLE] * base.MAX_SAMPLES_PER_SERIES})
    assert not accepts(Series, {"samples": [SAMPLE] * (base.MAX_SAMPLES_PER_SERIES + 1)})


def test_a_case_holds_so_many_series_and_tells_them_apart() -> None:
    def series(count: int) -> list[dict[str, Any]]:
        return [{"label": str(number), "samples": []} for number in range(count)]

    assert accepts(Part, CASE | {"series": series(base.MAX_SERIES_PER_CASE)})
    assert not accepts(Part, CASE | {"series": series(base.MAX_SERIES_PER_CASE + 1)})
    with pytest.raises(ValidationError, match="different labels"):
        CasePart.model_validate(CASE | {"series": [{"samples": []}, {"samples": []}]})


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("sequence", 100_000, 100_001),
        ("sequence", 0, -1),
        ("case_id", "a" * 80, "a" * 81),
        ("case_id", "submit/f32/chained", "submit//chained"),
        ("case_id", "a", "../a"),
        ("case_id", "submit-trace/f32", "Submit/f32"),
        ("status", "unsupported", "fine"),
        ("reason", "x" * 2000, "x" * 2001),
        ("verified", None, "perhaps"),
        ("values", {"poll_us": None, "isolated": True, "mode": "done"}, {"poll_us": [1]}),
        ("values", {str(number): 1 for number in range(100)}, {str(number): 1 for number in range(101)}),
        ("hidden_ms", 0, -1),
        ("kind", "case", "environment"),
    ],
)
def test_a_case_at_and_beyond_its_limits(field: str, good: object, bad: object) -> None:
    assert accepts(Part, CASE | {field: good})
    assert not accepts(Part, CASE | {field: bad})


@pytest.mark.parametrize(
    ("model", "document"),
    [
        (SweepStart, documents.sweep_start()),
        (RunStart, documents.run_start()),
        (Part, documents.environment()),
        (Part, CASE),
        (Sample, SAMPLE),
        (Finish, documents.finish(3)),
        (Submission, documents.submission()),
    ],
)
def test_every_document_refuses_what_it_does_not_know(model: Any, document: dict[str, Any]) -> None:
    assert accepts(model, document)
    assert not accepts(model, document | {"extra": 1})
    assert not accepts(model, [document])


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("run_id", "0" * 32, "0" * 31),
        ("run_id", "f" * 32, "F" * 32),
        ("seed", 2**32 - 1, 2**32),
        ("seed", 0, -1),
        ("position", 100_000, 100_001),
        ("origin", "volunteer", "stranger"),
        ("runtime", None, {"name": "netscape"}),
        ("runtime", {"name": "safari"}, {"name": "safari", "version": ""}),
        ("schema_version", base.SCHEMA_VERSION, base.SCHEMA_VERSION + 1),
        ("suite", {"name": "quick", "hash": "0" * 64}, {"name": "quick", "hash": "0" * 63}),
        ("created_at", "2026-01-01T00:00:00+02:00", "yesterday"),
    ],
)
def test_the_start_of_a_run_at_and_beyond_its_limits(field: str, good: object, bad: object) -> None:
    assert accepts(RunStart, documents.run_start(**{field: good}))
    assert not accepts(RunStart, documents.run_start(**{field: bad}))


@pytest.mark.parametrize("status", base.RunStatus)
def test_a_finish_is_final(status: base.RunStatus) -> None:
    assert accepts(Finish, documents.finish(0, status)) is (status is not base.RunStatus.RUNNING)


def test_a_finish_counts_every_part_that_can_be() -> None:
    assert accepts(Finish, documents.finish(100_001))
    assert not accepts(Finish, documents.finish(100_002))
    assert not accepts(Finish, documents.finish(-1))


def test_a_submission_holds_so_many_parts_and_no_more() -> None:
    parts = [documents.environment(number) for number in range(1001)]
    assert accepts(Submission, documents.submission(parts=parts[:1000]))
    assert not accepts(Submission, documents.submission(parts=parts))


def test_documents_cannot_be_changed() -> None:
    sample = Sample.model_validate(SAMPLE)
    with pytest.raises(ValidationError, match="frozen"):
        sample.n = 2  # type: ignore[misc]


def test_a_document_survives_the_wire() -> None:
    sent = Submission.model_validate(documents.submission())
    assert Submission.model_validate_json(sent.model_dump_json()) == sent


def test_the_schema_describes_every_document() -> None:
    written = schema()
    jsonschema.Draft202012Validator.check_schema(written)
    assert {model.__name__ for model in DOCUMENTS.__args__ if isinstance(model, type)} <= written["$defs"].keys()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("Submission", documents.submission()),
        ("RunStart", documents.run_start()),
        ("CasePart", CASE),
        ("SuiteFile", SUITES),
        ("Finish", documents.finish(1)),
    ],
)
def test_the_schema_agrees_with_the_models(name: str, document: dict[str, Any]) -> None:
    written = schema()
    validator = jsonschema.Draft202012Validator(
        {"$ref": f"#/$defs/{name}", "$defs": written["$defs"]}, format_checker=jsonschema.FormatChecker()
    )
    assert list(validator.iter_errors(document)) == []
    assert list(validator.iter_errors(document | {"extra": 1})) != []


def test_the_schema_is_printed_as_json() -> None:
    root = Path(__file__).resolve().parent.parent / "server"
    command = [sys.executable, "-m", "dispatchmark.contract.schema"]
    environment = os.environ | {"PYTHONPATH": str(root)}
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert json.loads(printed) == json.loads(json.dumps(schema()))


def test_an_unresolved_estimate_carries_no_figure_of_its_own() -> None:
    estimate = Estimate(case_id="a", wait=base.WaitMode.DONE, verdict="unresolved", reason="poll")
    assert estimate.slope_us is None
    assert not accepts(Estimate, estimate.model_dump(mode="json") | {"reason": "bad luck"})
    assert accepts(RunReport, {"run_id": "0" * 32, "status": "finished"})


# --- suite.json ---


def changed(**changes: Any) -> dict[str, Any]:
    return json.loads(json.dumps(SUITES)) | changes


def test_the_suite_file_is_sound() -> None:
    known = suite.load()
    assert {"smoke", "quick", "standard", "full"} <= known.suites.keys()
    assert {case.id for case in known.cases} == set(known.suites["full"].cases), "full is every case"
    for kernel in known.kernels.values():
        assert f"fn {kernel.entry}(" in suite.wgsl(kernel)


def test_a_case_needs_what_its_kernel_needs() -> None:
    known = suite.load()
    for case in known.cases:
        if case.kernel is not None:
            assert set(known.kernels[case.kernel].features) <= set(case.features), case.id


def test_a_case_is_named_after_its_operation_and_type() -> None:
    known = suite.load()
    for case in known.cases:
        if case.kind is CaseKind.LADDER:
            operation, kind, *_ = case.id.split("/")
            assert operation == case.operation
            assert case.kernel is not None
            assert kind == known.kernels[case.kernel].type


def test_every_kernel_file_is_named_and_used() -> None:
    known = suite.load()
    assert {path.name for path in suite.assets("wgsl").glob("*.wgsl")} == {one.file for one in known.kernels.values()}
    assert known.kernels.keys() == {case.kernel for case in known.cases} - {None}


def test_the_controls_are_in_every_suite_that_is_compared() -> None:
    known = suite.load()
    for name in ("quick", "standard", "full"):
        controls = [case.id for case in known.cases if case.kind is CaseKind.CONTROL]
        assert known.suites[name].cases[: len(controls)] == controls


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (changed(cases=[*SUITES["cases"], SUITES["cases"][0]]), "case ids must differ"),
        (changed(kernels={}), "no kernel"),
        (changed(suites={"odd": SUITES["suites"]["quick"] | {"cases": ["naive/f64"]}}), "suite odd: no case naive/f64"),
        (changed(schema_version=2), "schema_version"),
        (changed(suites={"odd": SUITES["suites"]["quick"] | {"rungs": 3}}), "rungs"),
        (changed(suites={"odd": SUITES["suites"]["quick"] | {"narrow": 1.0}}), "narrow"),
        (changed(suites={"odd": SUITES["suites"]["quick"] | {"cases": []}}), "cases"),
    ],
)
def test_a_suite_file_that_contradicts_itself_is_refused(
    document: dict[str, Any], message: str, tmp_path: Path
) -> None:
    assert SuiteFile.model_validate(SUITES)
    path = tmp_path / "suite.json"
    path.write_text(json.dumps(document))
    with pytest.raises(ValueError, match=message) as caught:
        suite.load(tmp_path)
    assert str(path) in str(caught.value)


def test_a_missing_or_broken_suite_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"suite\.json"):
        suite.load(tmp_path)
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "suite.json").write_text("{")
    with pytest.raises(ValueError, match=r"broken.*suite\.json"):
        suite.load(broken)


def test_the_hash_changes_with_the_suite_and_with_each_kernel(tmp_path: Path) -> None:
    def copy(name: str, edited: str | None = None) -> str:
        folder = tmp_path / name
        folder.mkdir()
        for path in suite.assets("wgsl").iterdir():
            end = "\n// changed\n" if path.suffix == ".wgsl" else "\n"
            (folder / path.name).write_text(path.read_text() + (end if path.name == edited else ""))
        return suite.suite_hash(folder)

    files = ["suite.json", *(kernel.file for kernel in suite.load().kernels.values())]
    same = copy("same")
    assert same == suite.suite_hash()
    hashes = {copy(f"edited-{name}", name) for name in files}
    assert len(hashes) == len(files)
    assert same not in hashes
    assert copy("other-file", "README.md") == same


def test_cases_and_suites_that_do_not_exist() -> None:
    assert [case.id for case in suite.load().cases_of("smoke")] == suite.load().suites["smoke"].cases
    with pytest.raises(KeyError):
        suite.load().case("no/such")
    with pytest.raises(KeyError):
        suite.reference("no-such")
    assert suite.reference("quick").hash == suite.suite_hash()
