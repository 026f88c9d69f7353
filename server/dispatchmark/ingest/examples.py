"""Examples of the documents, shown in the OpenAPI description; a test validates every one."""

from typing import Any

from fastapi.openapi.models import Example

from dispatchmark.contract import suite

RUN_ID = "00000000000000000000000000000001"
SWEEP_ID = "0000000000000000000000000000000a"
SUITE = {"name": "quick", "hash": suite.suite_hash()}

USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"

SWEEP_START: dict[str, Any] = {
    "sweep_id": SWEEP_ID,
    "name": "before the driver update",
    "machine": {"name": "bench-1", "cpu": "AMD Ryzen 9 7950X", "cores": 16, "os": "Debian 13"},
    "suite": SUITE,
    "adapter": "hardware",
    "created_at": "2026-01-01T12:00:00Z",
    "seed": 7,
}
RUN_START: dict[str, Any] = {
    "run_id": RUN_ID,
    "sweep_id": SWEEP_ID,
    "position": 0,
    "runtime": {"name": "chromium", "version": "156.0.8000.0"},
    "launch": {"profile": "automation", "driver": "playwright", "headless": True, "flags": ["--enable-unsafe-webgpu"]},
    "suite": SUITE,
    "seed": 11,
    "created_at": "2026-01-01T12:00:05Z",
}
VOLUNTEER_START: dict[str, Any] = {
    "run_id": "00000000000000000000000000000002",
    "origin": "volunteer",
    "suite": SUITE,
    "seed": 3,
    "created_at": "2026-01-01T12:30:00Z",
}
ENVIRONMENT: dict[str, Any] = {
    "kind": "environment",
    "sequence": 0,
    "adapter": {"vendor": "nvidia", "architecture": "lovelace", "software": False, "masked": ["device"]},
    "page": {"user_agent": USER_AGENT, "isolated": True},
}
CASE: dict[str, Any] = {
    "kind": "case",
    "sequence": 1,
    "case_id": "submit/f32/chained",
    "status": "measured",
    "verified": True,
    "series": [
        {
            "samples": [
                {"n": 1, "rep": 0, "wait": "done", "start_us": 0.0, "encoded_us": 12.0, "done_us": 170.0},
                {"n": 100, "rep": 0, "wait": "done", "start_us": 400.0, "encoded_us": 560.0, "done_us": 4200.0},
            ],
            "stopped": "rounds",
        }
    ],
}
FINISHED: dict[str, Any] = {"status": "finished", "parts": 2}
CUT_SHORT: dict[str, Any] = {"status": "partial", "reason": "the browser ended", "parts": 2}

SWEEP: dict[str, Example] = {"sweep": {"value": SWEEP_START}}
RUN: dict[str, Example] = {
    "lab": {"summary": "a lab machine's run", "value": RUN_START},
    "volunteer": {"summary": "a volunteer's run", "value": VOLUNTEER_START},
}
PART: dict[str, Example] = {
    "environment": {"summary": "the environment, first", "value": ENVIRONMENT},
    "case": {"summary": "one case", "value": CASE},
}
FINISH: dict[str, Example] = {
    "finished": {"value": FINISHED},
    "partial": {"summary": "cut short", "value": CUT_SHORT},
}
SUBMISSION: dict[str, Example] = {
    "run": {"value": {"start": RUN_START, "parts": [ENVIRONMENT, CASE], "finish": FINISHED}}
}
