"""What the core emits is what the contract accepts, on runtimes that work and on those that do not."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from dispatchmark.contract.submission import CasePart, EnvironmentPart, Finish, Part
from dispatchmark.contract.suite import load

ROOT = Path(__file__).resolve().parents[2]
PARTS = TypeAdapter(list[Part])

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="needs node")


def emitted(cases: list[str], **scenario: Any) -> tuple[list[Part], Finish]:
    done = subprocess.run(
        ["node", "tests/contract/emit.mjs"],
        cwd=ROOT,
        input=json.dumps({"scenario": scenario, "cases": cases}),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    document = json.loads(done.stdout)
    return PARTS.validate_python(document["parts"]), Finish.model_validate(document["finish"])


def test_every_case_of_the_suite_file_validates() -> None:
    ids = [case.id for case in load().cases]
    parts, finish = emitted(ids)
    assert finish.parts == len(parts) == len(ids) + 2
    assert isinstance(parts[0], EnvironmentPart)
    cases = [part for part in parts if isinstance(part, CasePart)]
    assert [part.case_id for part in cases if not part.repeat] == ids
    assert {part.status for part in cases} == {"measured"}
    assert [part.repeat for part in cases][-1] is True
    assert all(part.series or part.values for part in cases)


@pytest.mark.parametrize(
    ("scenario", "status", "case_status"),
    [
        ({"poll_us": 100_000}, "finished", "measured"),
        ({"clock_quantum_us": 16_670}, "finished", "measured"),
        ({"lose_device": 0, "lose_after": 50}, "finished", "failed"),
        ({"hang_device": 0}, "finished", "failed"),
        ({"compile_error": "x" * 5000}, "failed", "failed"),
        ({"info": {}, "features": [], "timestamps": "zero"}, "finished", "measured"),
        ({"info": {"vendor": "v" * 5000, "isFallbackAdapter": True}}, "finished", "measured"),
    ],
)
def test_misbehaving_runtimes_still_validate(scenario: dict[str, Any], status: str, case_status: str) -> None:
    parts, finish = emitted(["submit/f32/chained", "dispatches/f32/chained"], **scenario)
    assert finish.status == status
    cases = [part for part in parts if isinstance(part, CasePart)]
    assert cases[0].status == case_status
    assert (cases[0].reason is None) == (case_status == "measured")


def test_a_run_without_an_adapter_validates() -> None:
    parts, finish = emitted(["submit/f32/chained"], null_adapters=10**6)
    assert parts == []
    assert finish.status == "unsupported"
    assert finish.reason
