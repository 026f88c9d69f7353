import json
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from dispatchmark.app import embedded
from dispatchmark.config import Settings
from dispatchmark.runtimes.base import Options
from dispatchmark.runtimes.forward import forwarded, is_secure, secured
from tests.ingest import documents
from tests.runtimes.jobs import job


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    with embedded(Settings(database=str(tmp_path / "store.db"), port=0)) as url:
        yield url


def test_pages_and_answers_are_passed_on_with_the_headers_that_isolate(server: str) -> None:
    with forwarded(server) as url:
        assert url != server
        for path in ("/harness?run=1&suite=smoke", "/web/page/harness.js", "/wgsl/suite.json", "/nothing"):
            there, here = httpx.get(server + path), httpx.get(url + path)
            assert (here.status_code, here.content) == (there.status_code, there.content)
            changing = {"date", "server", "content-encoding", "transfer-encoding", "content-length", "vary"}
            kept = {name: value for name, value in there.headers.items() if name not in changing}
            assert kept.items() <= here.headers.items()
            assert here.headers["cross-origin-embedder-policy"] == "require-corp"


def test_documents_are_passed_on_whole_and_their_answers_back(server: str) -> None:
    with forwarded(server) as url, httpx.Client(base_url=url) as client:
        start = documents.run_start()
        assert client.post("/api/runs", json=start).status_code == 201
        part = {**documents.environment(), "libraries": {f"library-{n}": "x" * 100 for n in range(100)}}
        assert client.post(f"/api/runs/{start['run_id']}/parts", json=part).status_code == 201
        finish = {"status": "partial", "parts": 1}
        assert client.post(f"/api/runs/{start['run_id']}/finish", json=finish).status_code == 200
        stored = client.get(f"/api/runs/{start['run_id']}/document").json()
        assert len(stored["parts"][0]["libraries"]) == 100
        refused = client.post("/api/runs", content=b"{", headers={"content-type": "application/json"})
        assert refused.status_code == 422
        assert json.loads(refused.content)["error"]["code"] == "malformed"


def test_a_server_that_is_down_is_one_that_may_come_back() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with forwarded(f"http://127.0.0.1:{port}") as url:
        assert httpx.post(f"{url}/api/runs", json={}).status_code == 502


@pytest.mark.parametrize(
    ("url", "secure"),
    [
        ("http://127.0.0.1:8787", True),
        ("http://localhost:1", True),
        ("https://lab.test", True),
        ("http://lab.test:8787", False),
        ("http://192.168.0.7", False),
    ],
)
def test_plain_http_is_secure_on_this_machine_alone(url: str, secure: bool) -> None:
    assert is_secure(url) is secure


@pytest.mark.parametrize(
    ("server_url", "page_url", "remote", "forwards"),
    [
        ("http://lab.test:8787", None, None, True),
        ("http://lab.test:8787", None, "ws://127.0.0.1:3000", True),
        ("http://127.0.0.1:8787", None, None, False),
        ("https://lab.test", None, None, False),
        # An address that was given is the one that is taken, and a browser elsewhere has no use for ours.
        ("http://127.0.0.1:1", "http://lab.test:8787", None, False),
        ("http://lab.test:8787", None, "ws://other.test:3000", False),
    ],
)
def test_only_what_would_not_work_is_forwarded(
    server_url: str, page_url: str | None, remote: str | None, forwards: bool
) -> None:
    given = job(server_url, page_url=page_url, options=Options(remote=remote))
    with secured(given) as found:
        assert (found != given) is forwards
        assert found.start == given.start
        if forwards:
            assert str(found.page_url).startswith("http://127.0.0.1:")
