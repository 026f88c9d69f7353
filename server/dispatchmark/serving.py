"""Runs an application on a socket: for good, or embedded beside something else."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import uvicorn
from starlette.types import ASGIApp


class ServeError(Exception):
    """The server cannot listen; the message says where and what to do."""


def listen(host: str, port: int) -> socket.socket:
    """A bound socket. Raises ServeError, for example when the port is in use."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind(address)
            bound.listen(128)
        except OSError:
            bound.close()
            raise
    except OSError as error:
        raise ServeError(
            f"cannot listen on {host} port {port}: {error.strerror or error}. Choose another port with "
            "DISPATCHMARK_PORT (0 takes a free one), or end the program that has it."
        ) from error
    return bound


def address(bound: socket.socket) -> str:
    """The URL of a bound socket. Pages are isolated only on https and on this machine's own names."""
    host, port = bound.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(app: ASGIApp, host: str, port: int) -> None:
    """Serves until interrupted, and says where. Raises ServeError before anything is served."""
    with closing(listen(host, port)) as bound:
        print(f"Dispatchmark serves {address(bound)}", flush=True)
        uvicorn.Server(_configure(app)).run(sockets=[bound])


@contextmanager
def embedded(app: ASGIApp, host: str, port: int) -> Iterator[str]:
    """Serves from a thread while the block runs; yields the URL, which answers from then on. Raises ServeError."""
    with closing(listen(host, port)) as bound:
        server = uvicorn.Server(_configure(app))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, name="server", daemon=True)
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        if not server.started:
            raise ServeError("the server ended while it started; its log says why")
        try:
            yield address(bound)
        finally:
            server.should_exit = True
            thread.join(timeout=30)


def _configure(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="on",
        server_header=False,
        timeout_graceful_shutdown=10,
        ws="none",
    )
