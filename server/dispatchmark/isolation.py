"""Headers that every answer carries, and static files under them.

Cross-origin isolation gives pages the fine clock that measuring needs; one resource without the headers breaks it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS: Mapping[str, str] = {
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}

MEDIA_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wgsl": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
"""What is served, and as what. The platform's own table is not asked: on some systems it calls scripts plain text."""

PRIVATE_FOLDERS = frozenset({"templates", "node_modules"})


class Isolation:
    """Puts the headers on every answer, those of errors and of crashed handlers too: it wraps everything else."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("cache-control", "no-cache")
            await send(message)

        await self.app(scope, receive, send_with_headers)


class Assets(StaticFiles):
    """The page's and the kernels' files: only known kinds of files, revalidated at every load by their ETag."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory, check_dir=False)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file. Raises HTTPException 404 for what is not served."""
        parts = Path(path).parts
        hidden = any(part.startswith(".") or part in PRIVATE_FOLDERS for part in parts)
        if hidden or Path(path).suffix not in MEDIA_TYPES:
            raise HTTPException(404)
        return await super().get_response(path, scope)

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """A file with its media type."""
        response = super().file_response(*args, **kwargs)
        full_path = args[0] if args else kwargs["full_path"]
        if "content-type" in response.headers:
            response.headers["content-type"] = MEDIA_TYPES[Path(full_path).suffix]
        return response
