"""The application: store, doorway and routes put together, and one shape for all errors."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from . import __version__, exports, serving
from .comparison import routes as comparison_routes
from .config import Settings
from .contract import suite
from .contract.base import SCHEMA_VERSION
from .contract.receipt import ErrorAnswer, ErrorBody, Health
from .dashboard import routes as dashboard_routes
from .ingest import routes as ingest_routes
from .ingest.errors import Refused
from .ingest.service import Ingest
from .isolation import Assets, Isolation
from .store.session import open_store

log = logging.getLogger("dispatchmark")

CODES = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    415: "unsupported_media_type",
}
MOST_FIELDS = 20
LONGEST_FIELD = 200


class Application(FastAPI):
    """FastAPI, isolated from the outside in."""

    def build_middleware_stack(self) -> ASGIApp:
        """Wraps even the layer that answers for crashed handlers, which no ordinary middleware does."""
        return Isolation(super().build_middleware_stack())


def create_app(settings: Settings | None = None) -> Application:
    """The application on an opened store. Raises StoreError where the store cannot be opened."""
    settings = settings or Settings()
    app = Application(
        title="Dispatchmark",
        version=__version__,
        summary="What one WebGPU dispatch costs, in every browser and natively.",
        lifespan=_lifespan,
        # The usual pages come from a foreign host, which isolation forbids; /openapi.json is enough for tools.
        docs_url=None,
        redoc_url=None,
    )
    app.state.settings = settings
    app.state.store = open_store(settings.database_url, busy_timeout_s=settings.busy_timeout_s)
    app.state.ingest = Ingest(app.state.store, settings)
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(OperationalError, _store_unavailable)
    app.add_exception_handler(Exception, _crashed)
    app.include_router(ingest_routes.router)
    app.include_router(exports.router)
    app.include_router(comparison_routes.router)
    app.include_router(dashboard_routes.router)
    app.get("/api/health", tags=["server"], summary="Ask whether the server is there")(health)
    app.mount("/web", Assets(suite.assets("web")))
    app.mount("/wgsl", Assets(suite.assets("wgsl")))
    return app


def serve(settings: Settings) -> None:
    """Serves until interrupted. Raises StoreError and ServeError before anything is served."""
    serving.serve(create_app(settings), settings.host, settings.port)


@contextmanager
def embedded(settings: Settings) -> Iterator[str]:
    """Serves from a thread while the block runs; yields the URL. Raises StoreError and ServeError."""
    with serving.embedded(create_app(settings), settings.host, settings.port) as url:
        yield url


def health() -> Health:
    """Answers while the server is there."""
    return Health(version=__version__, schema_version=SCHEMA_VERSION)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    stop = asyncio.Event()
    closing = asyncio.create_task(_close_silent_runs(app.state.ingest, app.state.settings.closing_interval_s, stop))
    try:
        yield
    finally:
        # A round runs in a thread, which cannot be cancelled; the store is closed after it, not under it.
        stop.set()
        await closing
        app.state.store.close()


async def _close_silent_runs(ingest: Ingest, interval_s: float, stop: asyncio.Event) -> None:
    while not stop.is_set():
        try:
            await asyncio.to_thread(ingest.close_silent)
        except Exception:
            log.exception("closing silent runs failed; it is tried again")
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), interval_s)


def _answer(status: int, code: str, message: str, fields: list[dict[str, str]] | None = None) -> JSONResponse:
    body = ErrorAnswer(error=ErrorBody(code=code, message=message, fields=fields or []))
    return JSONResponse(body.model_dump(mode="json"), status_code=status)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refused)
    return JSONResponse(error.answer().model_dump(mode="json"), status_code=error.status)


async def _malformed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    fields = [_field(found) for found in error.errors()]
    shown = "; ".join(f"{one['field']}: {one['message']}" for one in fields[:3])
    return _answer(422, "malformed", f"the document is malformed: {shown}", fields[:MOST_FIELDS])


def _field(found: Mapping[str, Any]) -> dict[str, str]:
    """Where in the document, and what is wrong there. The value itself is not repeated."""
    if found["type"] == "json_invalid":
        return {"field": "body", "message": f"not JSON: {found['ctx']['error']}"}
    where, *path = found["loc"]
    name = ".".join(map(str, path)) or str(where)
    # A name comes from the sender: it may be endless, or hold halves of characters that cannot be sent back.
    return {"field": name[:LONGEST_FIELD].encode(errors="replace").decode(), "message": str(found["msg"])}


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and _is_for_a_reader(request):
        return dashboard_routes.missing(request, f"page {request.url.path}")
    message = f"nothing at {request.url.path}" if error.detail == "Not Found" else str(error.detail)
    return _answer(error.status_code, CODES.get(error.status_code, "error"), message)


def _is_for_a_reader(request: Request) -> bool:
    """Whether a person asked for a page, and not a program for a document or a file."""
    named = request.url.path.startswith(("/api/", "/web/", "/wgsl/"))
    return not named and "text/html" in request.headers.get("accept", "")


async def _store_unavailable(request: Request, error: Exception) -> JSONResponse:
    log.error("the store does not take or give anything: %s", error)
    answer = _answer(503, "unavailable", "the store is busy or its disk is full; nothing was stored, send it again")
    answer.headers["retry-after"] = "5"
    return answer


async def _crashed(request: Request, error: Exception) -> JSONResponse:
    return _answer(500, "internal", "the server failed on this request; its log says why")
