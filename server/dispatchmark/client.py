"""The server as its clients see it, over HTTP: documents of the contract out and in."""

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

import httpx
from pydantic import ValidationError

from dispatchmark.contract.base import SCHEMA_VERSION, Document
from dispatchmark.contract.comparison import Attribution, Comparison
from dispatchmark.contract.receipt import ErrorAnswer, Health, Progress, Receipt, RunReport, SweepReceipt, SweepReport
from dispatchmark.contract.submission import Finish, Part, RunStart, SweepStart

Answer = TypeVar("Answer", bound=Document)
RETRY_STATUSES = frozenset({502, 503, 504})
OWN_NAMES = frozenset({"127.0.0.1", "::1", "localhost"})
FOREIGN = "gave an answer that is no Dispatchmark server's; check the URL"


class ServerError(Exception):
    """The server cannot be reached or refuses; the message says which URL and why."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Server:
    """A Dispatchmark server. Every document is idempotent, so a request that fails on the way is sent again.

    Raises ServerError for a URL that is none.
    """

    def __init__(
        self,
        url: str,
        *,
        patience_s: float = 30.0,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url = url.rstrip("/")
        self.patience_s = patience_s
        self._sleep = sleep
        host = _host(self.url)
        # No proxy leads to this machine itself, whatever the environment says.
        proxies = host not in OWN_NAMES
        self._client = httpx.Client(base_url=self.url, timeout=60.0, transport=transport, trust_env=proxies)

    def close(self) -> None:
        """Closes connections."""
        self._client.close()

    def check(self) -> Health:
        """Asks whether the server is there and speaks this contract. Raises ServerError."""
        health = self._get("/api/health", Health)
        if health.schema_version != SCHEMA_VERSION:
            raise ServerError(
                f"{self.url} speaks version {health.schema_version} of the contract, this command {SCHEMA_VERSION}: "
                "bring both to the same version"
            )
        return health

    def open_sweep(self, start: SweepStart) -> SweepReceipt:
        """Opens a sweep. Raises ServerError."""
        return self._post("/api/sweeps", start, SweepReceipt)

    def open_run(self, start: RunStart) -> Receipt:
        """Opens a run. Raises ServerError."""
        return self._post("/api/runs", start, Receipt)

    def send_part(self, run_id: str, part: Part) -> Receipt:
        """Sends one part of a run. Raises ServerError."""
        return self._post(f"/api/runs/{run_id}/parts", part, Receipt)

    def finish(self, run_id: str, finish: Finish) -> RunReport:
        """Closes a run. Raises ServerError."""
        return self._post(f"/api/runs/{run_id}/finish", finish, RunReport)

    def progress(self, run_id: str) -> Progress | None:
        """How far a run is; None for one that was never opened. Raises ServerError."""
        try:
            return self._get(f"/api/runs/{run_id}/progress", Progress)
        except ServerError as error:
            if error.status == 404:
                return None
            raise

    def report(self, run_id: str) -> RunReport:
        """A run's standing and estimates. Raises ServerError."""
        return self._get(f"/api/runs/{run_id}", RunReport)

    def sweep(self, sweep_id: str) -> SweepReport:
        """A sweep with its runs. Raises ServerError."""
        return self._get(f"/api/sweeps/{sweep_id}", SweepReport)

    def comparison(self, sweep_id: str, case_id: str, baseline: str | None = None) -> Comparison:
        """The runtimes of a sweep for one case. Raises ServerError."""
        query = {"case": case_id} | ({"baseline": baseline} if baseline else {})
        return self._get(f"/api/sweeps/{sweep_id}/comparison", Comparison, query)

    def attribution(self, sweep_id: str, case_id: str) -> Attribution:
        """The waterfalls of a sweep for one case. Raises ServerError."""
        return self._get(f"/api/sweeps/{sweep_id}/attribution", Attribution, {"case": case_id})

    def _get(self, path: str, kind: type[Answer], query: Mapping[str, str] | None = None) -> Answer:
        return self._ask(kind, self._client.build_request("GET", path, params=query))

    def _post(self, path: str, document: Document, kind: type[Answer]) -> Answer:
        body = document.model_dump_json(exclude_unset=True)
        headers = {"content-type": "application/json"}
        return self._ask(kind, self._client.build_request("POST", path, content=body, headers=headers))

    def _ask(self, kind: type[Answer], request: httpx.Request) -> Answer:
        """Sends until answered or out of patience: a server that is being restarted is waited for."""
        deadline = time.monotonic() + self.patience_s
        pause = 0.2
        while True:
            try:
                answer = self._client.send(request)
                problem = f"answered {answer.status_code}"
                if answer.status_code not in RETRY_STATUSES:
                    return self._read(kind, answer)
            except httpx.DecodingError as error:
                raise ServerError(f"{request.url} {FOREIGN}") from error
            except httpx.TransportError as error:
                problem = f"cannot be reached: {error}"
            if time.monotonic() + pause > deadline:
                raise ServerError(f"{self.url} {problem}")
            self._sleep(pause)
            pause = min(2 * pause, 5.0)

    def _read(self, kind: type[Answer], answer: httpx.Response) -> Answer:
        try:
            if answer.is_success:
                return kind.model_validate_json(answer.content)
            message = ErrorAnswer.model_validate_json(answer.content).error.message
        except ValidationError:
            raise ServerError(f"{answer.request.url} {FOREIGN}", answer.status_code) from None
        raise ServerError(f"{self.url} refused: {message}", answer.status_code)


def _host(url: str) -> str:
    try:
        found = httpx.URL(url)
    except httpx.InvalidURL:
        found = httpx.URL("")
    if found.scheme not in ("http", "https") or not found.host:
        raise ServerError(f"{url} is no address of a server: give it as http://HOST:PORT or https://HOST")
    return found.host
