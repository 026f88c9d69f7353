"""Browsers elsewhere, by their endpoint: a Playwright server (ws, wss) or a Selenium Grid (http, https)."""

from urllib.parse import urlsplit

from .base import Job

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def is_grid(endpoint: str | None) -> bool:
    """Whether an endpoint speaks WebDriver rather than Playwright's protocol."""
    return endpoint is not None and urlsplit(endpoint).scheme in ("http", "https")


def origin(endpoint: str) -> str:
    """Scheme, host and port alone: what else an endpoint has may be a credential, and differs from start to start."""
    parts = urlsplit(endpoint)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    return f"{parts.scheme}://{host}" + (f":{parts.port}" if parts.port else "")


def is_here(url: str | None) -> bool:
    """Whether an address means this machine; no address is one that was never left."""
    return url is None or urlsplit(url).hostname in LOOPBACK


def unreachable(job: Job) -> str | None:
    """Why a browser elsewhere could not open the page, if its address shows that."""
    page = job.page_url or job.server_url
    if is_here(job.options.remote) or not is_here(page):
        return None
    where = origin(str(job.options.remote))
    return f"{page} means another machine for the browser at {where}: say with --page-url how it reaches the server"
