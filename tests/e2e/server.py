"""A server as its owner starts it: a process of its own, on a port of its own, that can be killed and started again."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import httpx

SOURCE = Path(__file__).parents[2] / "server"
PATIENCE_S = 60


class ServerProcess:
    """`dispatchmark serve` on a store in `folder`."""

    def __init__(self, folder: Path, host: str = "127.0.0.1") -> None:
        self.folder = folder
        self.host = host
        self.port = _free_port()
        self.url = f"http://{host}:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    @classmethod
    @contextmanager
    def running(cls, folder: Path, host: str = "127.0.0.1") -> Iterator[Self]:
        """A server that runs while the block does."""
        server = cls(folder, host)
        try:
            server.start()
            yield server
        finally:
            server.stop()

    def start(self) -> None:
        command = [sys.executable, "-m", "dispatchmark", "serve", "--host", self.host, "--port", str(self.port)]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--database", str(self.folder / "store.db")],
                env=os.environ | {"PYTHONPATH": str(SOURCE)},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        deadline = time.monotonic() + PATIENCE_S
        while not self._answers():
            assert self.process.poll() is None, self.log
            assert time.monotonic() < deadline, f"no answer from {self.url}"
            time.sleep(0.2)

    def kill(self) -> None:
        """Ends the process without a warning, as a power cut does."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=PATIENCE_S)

    @property
    def log(self) -> str:
        return (self.folder / "server.log").read_text()

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/api/health", timeout=5).status_code == 200
        except httpx.TransportError:
            return False


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
