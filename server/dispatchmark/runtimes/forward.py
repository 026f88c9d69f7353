"""A loopback address for a server elsewhere: WebGPU and fine clocks need a secure context, which plain http is not.

Only between cases does anything pass through it, so it costs a measurement nothing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import urlsplit

import httpx

from .base import Job
from .remote import is_here

PASSED_ON = ("content-type",)
OF_ONE_HOP = frozenset({"connection", "content-length", "date", "keep-alive", "server", "transfer-encoding"})
PATIENCE_S = 60.0


@contextmanager
def secured(job: Job) -> Iterator[Job]:
    """The job with an address for its page that is a secure context for a browser of this machine, where it can be."""
    address = job.page_url or job.server_url
    if job.page_url is not None or not is_here(job.options.remote) or is_secure(address):
        yield job
        return
    with forwarded(address) as url:
        yield replace(job, page_url=url)


def is_secure(url: str) -> bool:
    """Whether browsers take an address for a secure context."""
    return urlsplit(url).scheme == "https" or is_here(url)


@contextmanager
def forwarded(url: str) -> Iterator[str]:
    """Yields a loopback address under which everything of the server at `url` is found."""
    with httpx.Client(base_url=url, timeout=PATIENCE_S, headers={"accept-encoding": "identity"}) as client:
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(client))
        thread = Thread(target=server.serve_forever, name="forward")
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def _handler(client: httpx.Client) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            """Passes a request on, and its answer back with all headers, on which isolation hangs."""
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            headers = {name: self.headers[name] for name in PASSED_ON if name in self.headers}
            try:
                answer = client.request(self.command, self.path, content=body, headers=headers)
            except httpx.TransportError as error:
                # The page takes it for a server that is being restarted, and sends again.
                answer = httpx.Response(502, text=f"the server cannot be reached: {error}")
            self.send_response(answer.status_code)
            for name, value in answer.headers.multi_items():
                if name not in OF_ONE_HOP:
                    self.send_header(name, value)
            self.send_header("content-length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

        do_POST = do_GET

        def log_message(self, format: str, *args: object) -> None:
            """Keeps quiet."""

    return Handler
