import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from dispatchmark.app import embedded
from dispatchmark.client import Server, ServerError
from dispatchmark.config import Settings
from dispatchmark.contract.base import RunStatus
from dispatchmark.contract.submission import CasePart, EnvironmentPart, Finish, RunStart, SweepStart
from tests.ingest import documents
from tests.ingest.documents import RUN_ID, SWEEP_ID

HEALTH = {"status": "ok", "version": "1.0", "schema_version": 1}
Answer = httpx.Response | Exception


class Network:
    """Answers as scripted, the last answer for ever; what was asked and how long was slept is kept."""

    def __init__(self, *script: Answer) -> None:
        self.script = list(script)
        self.requests: list[httpx.Request] = []
        self.slept: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def server(self, patience_s: float = 30.0) -> Server:
        return Server(
            "http://server.test/",
            patience_s=patience_s,
            transport=httpx.MockTransport(self),
            sleep=self.slept.append,
        )


def test_a_server_that_is_being_restarted_is_waited_for() -> None:
    network = Network(httpx.ConnectError("refused"), httpx.Response(503), httpx.Response(200, json=HEALTH))
    assert network.server().check().version == "1.0"
    assert network.slept == [0.2, 0.4]


def test_the_same_document_is_sent_again_whole() -> None:
    receipt = {"run_id": RUN_ID, "status": "running"}
    network = Network(httpx.ReadError("broken"), httpx.RemoteProtocolError("cut"), httpx.Response(201, json=receipt))
    start = RunStart.model_validate(documents.run_start())
    network.server().open_run(start)
    assert len({request.content for request in network.requests}) == 1
    assert len(network.requests) == 3
    assert RunStart.model_validate(json.loads(network.requests[0].content)) == start
    # What was left out stays out: the server compares documents by what was sent.
    assert "position" not in json.loads(network.requests[0].content)


@pytest.mark.parametrize("answer", [httpx.ConnectError("refused"), httpx.Response(503), httpx.Response(502)])
def test_patience_has_an_end(answer: Answer) -> None:
    network = Network(answer)
    with pytest.raises(ServerError, match=r"^http://server\.test (cannot be reached: refused|answered 50[23])$"):
        network.server(patience_s=0).check()
    assert (len(network.requests), network.slept) == (1, [])


def test_pauses_grow_to_five_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    network = Network(httpx.ConnectError("refused"))
    server = Server("http://server.test", transport=httpx.MockTransport(network), sleep=lambda s: pause(s))

    def pause(seconds: float) -> None:
        now[0] += seconds
        network.slept.append(seconds)

    monkeypatch.setattr("dispatchmark.client.time.monotonic", lambda: now[0])
    with pytest.raises(ServerError):
        server.check()
    assert network.slept[:6] == [0.2, 0.4, 0.8, 1.6, 3.2, 5.0]
    assert set(network.slept[6:]) == {5.0}
    assert 20 < now[0] <= 30


@pytest.mark.parametrize("url", ["server.test:8787", "ftp://server.test", "http://[::1", "http://server.test:port"])
def test_an_address_that_is_none_is_refused_at_once(url: str) -> None:
    def never(seconds: float) -> None:
        raise AssertionError("there is nothing to wait for")

    with pytest.raises(ServerError, match="address"):
        Server(url, sleep=never).check()


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, text="<h1>It works</h1>"),
        httpx.Response(404, text="not found"),
        httpx.Response(301, headers={"location": "https://elsewhere.test"}),
        httpx.Response(200, json={"status": "fine"}),
        httpx.DecodingError("not gzip"),
    ],
)
def test_another_server_at_that_address_is_told_apart(answer: Answer) -> None:
    with pytest.raises(ServerError, match="check the URL"):
        Network(answer).server().check()


def test_a_server_of_another_contract_is_refused() -> None:
    with pytest.raises(ServerError, match="version 2 of the contract, this command 1"):
        Network(httpx.Response(200, json=HEALTH | {"schema_version": 2})).server().check()


def test_a_refusal_is_not_repeated_and_carries_the_servers_words() -> None:
    body = {"error": {"code": "conflict", "message": "run 1 was opened with other content", "fields": []}}
    network = Network(httpx.Response(409, json=body))
    with pytest.raises(ServerError, match="refused: run 1 was opened with other content") as caught:
        network.server().open_run(RunStart.model_validate(documents.run_start()))
    assert (caught.value.status, len(network.requests)) == (409, 1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    database: Path = tmp_path_factory.mktemp("store") / "store.db"
    with embedded(Settings(database=str(database), port=0)) as url:
        server = Server(url)
        yield server
        server.close()


def test_a_run_and_its_sweep_against_a_real_server(server: Server) -> None:
    assert server.check().status == "ok"
    sweep = SweepStart.model_validate(documents.sweep_start())
    assert server.open_sweep(sweep).duplicate is False
    assert server.open_sweep(sweep).duplicate is True
    assert server.progress(RUN_ID) is None
    assert server.open_run(RunStart.model_validate(documents.run_start(sweep_id=SWEEP_ID))).duplicate is False
    parts = documents.parts()
    for part in parts:
        kind: Callable[..., EnvironmentPart | CasePart] = (
            EnvironmentPart.model_validate if part["kind"] == "environment" else CasePart.model_validate
        )
        assert server.send_part(RUN_ID, kind(part)).duplicate is False
    progress = server.progress(RUN_ID)
    assert progress is not None
    assert (progress.parts, progress.last_case) == (len(parts), "submit/f32/chained")
    report = server.finish(RUN_ID, Finish(status=RunStatus.FINISHED, parts=len(parts)))
    assert server.report(RUN_ID) == report
    assert report.status is RunStatus.FINISHED
    assert [run.run_id for run in server.sweep(SWEEP_ID).runs] == [RUN_ID]
    (row,) = server.comparison(SWEEP_ID, "submit/f32/chained", "chromium").rows
    assert row.run_ids == [RUN_ID]
    assert server.attribution(SWEEP_ID, "submit/f32/chained").sweep_id == SWEEP_ID


def test_no_proxy_stands_between_this_machine_and_itself(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with closing(Server(server.url, patience_s=0)) as direct:
        assert direct.check().status == "ok"
    with closing(Server("http://server.test", patience_s=0)) as proxied, pytest.raises(ServerError, match="refused"):
        proxied.check()


def test_what_a_real_server_does_not_know_is_an_error_with_its_status(server: Server) -> None:
    with pytest.raises(ServerError, match="refused: no sweep") as caught:
        server.sweep(f"{77:032x}")
    assert caught.value.status == 404
