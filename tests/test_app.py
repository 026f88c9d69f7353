import json
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from dispatchmark import __version__
from dispatchmark.app import create_app, embedded
from dispatchmark.config import Settings
from dispatchmark.isolation import HEADERS
from dispatchmark.serving import ServeError, address, listen
from dispatchmark.store.errors import StoreError
from tests.ingest import documents
from tests.ingest.documents import RUN_ID

JSON = {"content-type": "application/json"}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database=str(tmp_path / "store.db"), max_body_bytes=4096, max_submission_bytes=8192, page_rows=3)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield client


def error(response: Any) -> dict[str, Any]:
    body = response.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "fields"}
    return dict(body["error"])


def rows_stored(settings: Settings) -> int:
    connection = sqlite3.connect(settings.database)
    counts = [connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("sweep", "run", "part")]
    connection.close()
    return sum(counts)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/health", 200),
        ("GET", "/openapi.json", 200),
        ("GET", "/wgsl/suite.json", 200),
        ("GET", "/wgsl/absent.wgsl", 404),
        ("GET", "/nowhere", 404),
        ("GET", f"/api/runs/{RUN_ID}", 404),
        ("GET", "/api/runs/not-an-id", 422),
        ("DELETE", "/api/health", 405),
        ("POST", "/api/runs", 415),
        ("GET", "/crash", 500),
    ],
)
def test_every_answer_is_isolated(client: TestClient, method: str, path: str, status: int) -> None:
    def crash() -> None:
        raise RuntimeError("a bug")

    client.app.get("/crash")(crash)  # type: ignore[attr-defined]
    response = client.request(method, path)
    assert response.status_code == status
    assert {name: response.headers.get(name) for name in HEADERS} == dict(HEADERS)
    assert response.headers["cache-control"] == "no-cache"
    if status >= 400:
        assert error(response)["message"]


def test_a_person_who_lost_the_way_gets_a_page_and_a_program_an_error(client: TestClient) -> None:
    person = {"accept": "text/html,application/xhtml+xml;q=0.9"}
    page = client.get("/<b>nowhere</b>", headers=person)
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "nowhere" in page.text
    assert "<b>nowhere" not in page.text
    for path, headers in (("/nowhere", {}), ("/api/nowhere", person), ("/web/nowhere.js", person)):
        assert error(client.get(path, headers=headers))["code"] == "not_found"


def test_pages_may_run_no_inline_script_and_no_eval() -> None:
    assert "unsafe" not in HEADERS["content-security-policy"]
    assert "default-src 'self'" in HEADERS["content-security-policy"]


def test_health_names_versions(client: TestClient) -> None:
    assert client.get("/api/health").json() == {"status": "ok", "version": __version__, "schema_version": 1}


def test_kernels_are_served_as_text_and_revalidated(client: TestClient) -> None:
    response = client.get("/wgsl/add_f32.wgsl")
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    again = client.get("/wgsl/add_f32.wgsl", headers={"if-none-match": response.headers["etag"]})
    assert again.status_code == 304
    assert again.headers["cross-origin-embedder-policy"] == "require-corp"


def test_scripts_have_the_type_that_modules_need(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("page/a.js", "page/b.mjs", "templates/c.js", ".secret.js", "page/notes.md"):
        (tmp_path / "web" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "web" / name).write_text("export {};")
    monkeypatch.setenv("DISPATCHMARK_WEB", str(tmp_path / "web"))
    with TestClient(create_app(Settings(database=str(tmp_path / "store.db")))) as client:
        for name in ("a.js", "b.mjs"):
            assert client.get(f"/web/page/{name}").headers["content-type"] == "text/javascript; charset=utf-8"
        for path in ("templates/c.js", ".secret.js", "page/notes.md", "page/", "page", "..%2f..%2fstore.db"):
            assert client.get(f"/web/{path}").status_code == 404


BAD_BODIES = [
    (b"", 422, "body"),
    (b"{", 422, "body"),
    (b"\xff\xfe", 422, "body"),
    (b"[" * 3000, 422, "body"),
    (b'{"seed": NaN}', 422, "body"),
    (b'{"seed": -Infinity}', 422, "body"),
    (b'{"seed": 1e999}', 422, "seed"),
    (b"[]", 422, "body"),
    (b"null", 422, "body"),
    (b'{"\\ud800": 1}', 422, "body"),
    (b'{"' + b"x" * 3000 + b'": 1}', 422, "x" * 200),
    (b'{"run_id": "\\ud800"}', 422, "body"),
    (b'{"seed": ' + b"1" * 4000 + b"}", 422, "seed"),
]


@pytest.mark.parametrize(("body", "status", "field"), BAD_BODIES)
def test_what_is_no_document_is_refused(
    client: TestClient, settings: Settings, body: bytes, status: int, field: str
) -> None:
    response = client.post("/api/runs", content=body, headers=JSON)
    assert response.status_code == status
    assert field in [one["field"] for one in error(response)["fields"]]
    assert rows_stored(settings) == 0


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"run_id": "short"}, "run_id"),
        ({"seed": 2**32}, "seed"),
        ({"seed": -1}, "seed"),
        ({"surprise": 1}, "surprise"),
        ({"schema_version": 2}, "schema_version"),
        ({"runtime": {"name": "netscape"}}, "runtime.name"),
        ({"created_at": "yesterday"}, "created_at"),
        ({"runtime": None}, "runtime"),
        ({"suite": documents.suite_ref("endless")}, "suite.name"),
    ],
)
def test_a_malformed_start_is_refused_by_field(
    client: TestClient, settings: Settings, changes: dict[str, Any], field: str
) -> None:
    response = client.post("/api/runs", json=documents.run_start(**changes))
    assert response.status_code == 422
    assert [one["field"] for one in error(response)["fields"]] == [field]
    assert rows_stored(settings) == 0


@pytest.mark.parametrize(
    "change",
    [
        {"done_us": 6e8 + 1},
        {"n": 1_000_001},
        {"wait": "busy"},
        {"start_us": -1.0},
        {"rep": 0.5},
        {"done_us": "soon"},
    ],
)
def test_a_malformed_sample_is_refused_by_its_place(client: TestClient, change: dict[str, Any]) -> None:
    client.post("/api/runs", json=documents.run_start())
    samples = [documents.sample(1, 2.0), documents.sample(1, 2.0) | change]
    response = client.post(f"/api/runs/{RUN_ID}/parts", json=documents.case(1, "naive/f32", samples))
    assert response.status_code == 422
    (field,) = (one["field"] for one in error(response)["fields"])
    assert field == f"case.series.0.samples.1.{next(iter(change))}"
    assert client.get(f"/api/runs/{RUN_ID}/progress").json()["parts"] == 0


def test_what_could_be_stored_but_not_read_again_is_refused(client: TestClient) -> None:
    client.post("/api/runs", json=documents.run_start())
    path = f"/api/runs/{RUN_ID}/parts"
    for value in (b'"\\ud800"', b"1e999", b"NaN", b"[]", b"{}"):
        body = json.dumps(documents.control(1, "control/clock", odd="HERE")).encode().replace(b'"HERE"', value)
        assert client.post(path, content=body, headers=JSON).status_code == 422, value
    for sequence, odd in enumerate((10**300, "\0", "\U0001f600", -0.0, 1e-320)):
        response = client.post(path, json=documents.control(sequence, "control/clock", odd=odd))
        assert response.status_code == 201, odd
    client.post(f"/api/runs/{RUN_ID}/finish", json=documents.finish(5, "partial"))
    document = client.get(f"/api/runs/{RUN_ID}/document").json()
    assert [part["values"]["odd"] for part in document["parts"]] == [10**300, "\0", "\U0001f600", 0.0, 1e-320]


@pytest.mark.parametrize(
    "headers",
    [{"content-type": "text/plain"}, {"content-type": "multipart/form-data"}, {}, JSON | {"content-encoding": "gzip"}],
)
def test_only_plain_json_is_read(client: TestClient, settings: Settings, headers: dict[str, str]) -> None:
    response = client.post("/api/runs", content=json.dumps(documents.run_start()), headers=headers)
    assert (response.status_code, error(response)["code"]) == (415, "unsupported_media_type")
    assert rows_stored(settings) == 0


def padded(start: dict[str, Any], size: int) -> bytes:
    body = json.dumps(start).encode()
    return body + b" " * (size - len(body))


@pytest.mark.parametrize("chunked", [False, True])
def test_bodies_are_taken_up_to_their_limit_and_not_a_byte_more(
    client: TestClient, settings: Settings, chunked: bool
) -> None:
    def post(path: str, body: bytes) -> Any:
        pieces = iter([body[:1000], body[1000:]])
        return client.post(path, content=pieces if chunked else body, headers=JSON)

    response = post("/api/runs", padded(documents.run_start(), 4097))
    assert (response.status_code, error(response)["code"]) == (413, "too_large")
    assert rows_stored(settings) == 0
    assert post("/api/runs", padded(documents.run_start(), 4096)).status_code == 201
    whole = documents.submission(parts=[], finish=documents.finish(0, "cancelled"))
    assert post("/api/submissions", padded(whole, 8193)).status_code == 413
    assert post("/api/submissions", padded(whole, 8192)).status_code == 200


def test_a_conflict_and_another_suite_are_told_apart(client: TestClient) -> None:
    assert client.post("/api/runs", json=documents.run_start()).status_code == 201
    assert client.post("/api/runs", json=documents.run_start()).status_code == 200
    response = client.post("/api/runs", json=documents.run_start(seed=5))
    assert (response.status_code, error(response)["code"]) == (409, "conflict")
    old = {"name": "quick", "hash": "0" * 64}
    response = client.post("/api/runs", json=documents.run_start(f"{2:032x}", suite=old))
    assert (response.status_code, error(response)["code"]) == (409, "out_of_date")


def test_a_store_that_is_held_by_another_writer_is_unavailable(settings: Settings) -> None:
    hasty = settings.model_copy(update={"busy_timeout_s": 0.05})
    with TestClient(create_app(hasty), raise_server_exceptions=False) as client:
        other = sqlite3.connect(settings.database)
        other.execute("BEGIN IMMEDIATE")
        response = client.post("/api/runs", json=documents.run_start())
        assert (response.status_code, error(response)["code"]) == (503, "unavailable")
        assert response.headers["retry-after"] == "5"
        assert client.get("/api/runs").json()["runs"] == []
        other.close()
        assert client.post("/api/runs", json=documents.run_start()).status_code == 201


def test_lists_go_on_page_by_page(client: TestClient) -> None:
    client.post("/api/sweeps", json=documents.sweep_start())
    for number in range(1, 6):
        start = documents.run_start(f"{number:032x}", sweep_id=documents.SWEEP_ID if number > 2 else None)
        assert client.post("/api/runs", json=start).status_code == 201
    first = client.get("/api/runs").json()
    rest = client.get("/api/runs", params={"before": first["before"]}).json()
    assert [int(run["run_id"], 16) for run in first["runs"] + rest["runs"]] == [5, 4, 3, 2, 1]
    assert rest["before"] is None
    assert len(client.get("/api/runs", params={"limit": 2}).json()["runs"]) == 2
    assert len(client.get("/api/runs", params={"limit": 1000}).json()["runs"]) == 3
    assert client.get("/api/runs", params={"limit": 0}).status_code == 422
    (line,) = client.get("/api/sweeps").json()["sweeps"]
    assert line["runs"] == 3
    report = client.get(f"/api/sweeps/{documents.SWEEP_ID}").json()
    assert report["start"]["machine"]["name"] == "bench-1"
    assert len(report["runs"]) == 3
    assert client.get(f"/api/sweeps/{RUN_ID}").status_code == 404


def test_the_description_has_an_example_for_every_document_and_each_is_accepted(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    seen = 0
    for path, methods in paths.items():
        assert all(operation.get("summary") and operation.get("description") for operation in methods.values()), path
        body = methods.get("post", {}).get("requestBody")
        if body is None:
            continue
        for example in body["content"]["application/json"]["examples"].values():
            response = client.post(path.replace("{run_id}", RUN_ID), json=example["value"])
            assert response.status_code in (200, 201), response.text
            seen += 1
    assert seen == 8


def test_a_second_server_on_the_same_port_says_so(settings: Settings) -> None:
    with embedded(settings.model_copy(update={"port": 0})) as url:
        port = int(url.rpartition(":")[2])
        assert httpx.get(f"{url}/api/health").status_code == 200
        with pytest.raises(ServeError, match=rf"port {port}: Address already in use.*DISPATCHMARK_PORT"):
            listen(settings.host, port)
    listen(settings.host, port).close()


def test_the_address_of_a_server_on_all_interfaces_is_one_that_isolates() -> None:
    bound = listen("0.0.0.0", 0)
    assert address(bound) == f"http://127.0.0.1:{bound.getsockname()[1]}"
    bound.close()


def test_an_application_without_its_store_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        create_app(Settings(database=str(tmp_path)))


@contextmanager
def server_process(database: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A real server in a process of its own, and its URL."""
    script = "from dispatchmark.app import serve; from dispatchmark.config import Settings; serve(Settings())"
    source = Path(__file__).parent.parent / "server"
    variables = {"DISPATCHMARK_DATABASE": str(database), "DISPATCHMARK_PORT": "0", "PYTHONPATH": str(source)}
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=variables)
    assert process.stdout is not None
    try:
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        yield process, found[0]
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_a_server_killed_between_parts_has_lost_nothing_it_acknowledged(tmp_path: Path) -> None:
    database = tmp_path / "store.db"
    measured = documents.parts()
    with server_process(database) as (process, url):
        assert httpx.post(f"{url}/api/runs", json=documents.run_start()).status_code == 201
        for part in measured[:4]:
            assert httpx.post(f"{url}/api/runs/{RUN_ID}/parts", json=part).status_code == 201
        process.send_signal(signal.SIGKILL)
        process.wait()
    with server_process(database) as (process, url):
        progress = httpx.get(f"{url}/api/runs/{RUN_ID}/progress").json()
        assert (progress["status"], progress["parts"]) == ("running", 4)
        # The sender does not know what arrived, so it sends the last part again and goes on.
        statuses = [httpx.post(f"{url}/api/runs/{RUN_ID}/parts", json=part).status_code for part in measured[3:]]
        assert statuses == [200, 201, 201]
        report = httpx.post(f"{url}/api/runs/{RUN_ID}/finish", json=documents.finish(6)).json()
        assert (report["status"], report["verdict"]) == ("finished", "accepted")
        document = httpx.get(f"{url}/api/runs/{RUN_ID}/document").json()
        assert document["parts"] == measured
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) in (0, -signal.SIGINT)


def test_an_oversized_upload_to_a_real_server_gets_its_answer(settings: Settings) -> None:
    with embedded(settings.model_copy(update={"port": 0})) as url:
        response = httpx.post(f"{url}/api/runs", content=b"x" * 5_000_000, headers=JSON)
        assert response.status_code == 413
        assert httpx.get(f"{url}/api/health").status_code == 200


def test_a_sender_that_hangs_up_leaves_nothing(settings: Settings) -> None:
    with embedded(settings.model_copy(update={"port": 0})) as url:
        host, port = url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as connection:
            head = "POST /api/runs HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n"
            connection.sendall(head.encode() + b'{"run_id"')
        assert httpx.get(f"{url}/api/health").status_code == 200
    assert rows_stored(settings) == 0
