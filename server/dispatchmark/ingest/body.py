"""Reads request bodies within their limits, before anything is parsed."""

import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic_core import from_json

from .errors import TooLarge, WrongType

WHOLE_RUNS = "/api/submissions"


class DocumentRequest(Request):
    """A request whose body is one JSON document of a limited size."""

    async def body(self) -> bytes:
        """The body. Raises TooLarge at the first byte beyond the limit, and WrongType for anything but plain JSON."""
        if not hasattr(self, "_body"):
            self._check_headers()
            chunks: list[bytes] = []
            size = 0
            async for chunk in self.stream():
                size += len(chunk)
                self._check_size(size)
                chunks.append(chunk)
            self._body = b"".join(chunks)
        return self._body

    async def json(self) -> Any:
        """The document. Raises JSONDecodeError, also for NaN, infinities and absurd nesting."""
        body = await self.body()
        try:
            # Stricter than the json module: it also refuses halves of characters, which could not be stored and read.
            return from_json(body, allow_inf_nan=False)
        except ValueError as error:
            raise json.JSONDecodeError(str(error), "", 0) from None

    def _limit(self) -> int:
        settings = self.app.state.settings
        whole = self.url.path == WHOLE_RUNS
        return int(settings.max_submission_bytes if whole else settings.max_body_bytes)

    def _check_headers(self) -> None:
        media_type = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type != "application/json":
            raise WrongType(f"send application/json, not {media_type or 'a body without a content type'}")
        encoding = self.headers.get("content-encoding", "identity")
        if encoding != "identity":
            raise WrongType(f"send the body as it is, not {encoding}")
        length = self.headers.get("content-length", "0")
        self._check_size(int(length) if length.isdecimal() else 0)

    def _check_size(self, size: int) -> None:
        if size > self._limit():
            raise TooLarge(f"the body is larger than {self._limit()} bytes")


class DocumentRoute(APIRoute):
    """A route that takes documents."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Hands the route a DocumentRequest."""
        handler = super().get_route_handler()

        async def handle(request: Request) -> Response:
            document = DocumentRequest(request.scope, request.receive)
            if request.method == "POST":
                await document.body()  # Here, because FastAPI would turn a refusal into a parsing error.
            return await handler(document)

        return handle
