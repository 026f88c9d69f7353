"""A page on a throw-away loopback server, and the question that a browser is asked there about its adapter."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from dispatchmark.contract.environment import Adapter, Launch, Runtime

from .base import Options, Probe
from .vulkan import SELECTORS

PAGE = b"<!doctype html><meta charset=utf-8><title>Dispatchmark: probe</title>"

ADAPTER_PATIENCE_MS = 8000
"""The first requests may be answered with null while a GPU process restarts."""

QUESTION = """
async (patience) => {
  const agent = navigator.userAgent;
  if (!navigator.gpu) return { agent, gpu: false };
  const end = Date.now() + patience;
  for (let attempts = 1; ; attempts += 1) {
    const adapter = await navigator.gpu.requestAdapter({ powerPreference: 'high-performance' });
    if (adapter) {
      const { vendor, architecture, device, description, isFallbackAdapter } = adapter.info;
      return { agent, gpu: true, adapter: { vendor, architecture, device, description, attempts,
        fallback: isFallbackAdapter ?? null, features: [...adapter.features].sort() } };
    }
    if (Date.now() >= end) return { agent, gpu: true };
    await new Promise((next) => setTimeout(next, 250));
  }
}
"""

SOFTWARE_NAMES = ("swiftshader", "llvmpipe", "lavapipe", "basic render", "softpipe")


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """Answers every path with the page."""
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, format: str, *args: object) -> None:
        """Keeps quiet."""


@contextmanager
def probe_page() -> Iterator[str]:
    """Yields the URL of the page: WebGPU needs a secure context, which a loopback address is."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    Thread(target=server.serve_forever, daemon=True, name="probe page").start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()


def is_software(*names: str) -> bool:
    """Whether an adapter's names are those of a driver that runs on the CPU."""
    return any(known in name.lower() for known in SOFTWARE_NAMES for name in names)


def adapter_of(answer: dict[str, Any], variables: dict[str, str]) -> Adapter | None:
    """The adapter of a browser's answer. Where the browser masks all names, its Vulkan driver tells, if we set one."""
    found = answer.get("adapter")
    if not found:
        return None
    names = {key: found.get(key) or "" for key in ("vendor", "architecture", "device", "description")}
    software: bool | None = True if found["fallback"] or is_software(*names.values()) else None
    if software is None and any(names.values()):
        software = False
    drivers = [variables[name] for name in SELECTORS if name in variables]
    if software is None and drivers:
        software = is_software(*drivers) or any("lvp_icd" in path for path in drivers)
    return Adapter(
        **names,
        fallback=found["fallback"],
        software=software,
        masked=[key for key, value in names.items() if not value],
        features=found["features"],
        attempts=found["attempts"],
    )


def judged(runtime: Runtime, launch: Launch, answer: dict[str, Any], options: Options) -> Probe:
    """What a browser's answer makes of it: usable, or unsupported with the reason and what helps."""
    remedy = "choose the profile automation: it sets flags and preferences" if options.profile == "user" else None
    if "error" in answer:
        return Probe(
            runtime, "unsupported", launch, reason=f"its adapter cannot be asked for: {answer['error']}"[:2000]
        )
    if not answer["gpu"]:
        reason = "it has no WebGPU here: navigator.gpu is missing"
        return Probe(runtime, "unsupported", launch, reason=reason, remedy=remedy)
    adapter = adapter_of(answer, launch.variables)
    if adapter is None:
        reason = "it has no adapter here: requestAdapter answers null"
        return Probe(runtime, "unsupported", launch, reason=reason, remedy=remedy)
    if options.adapter == "hardware" and adapter.software:
        reason, remedy = "it has only a software adapter", remedy or "install the GPU's own driver"
        return Probe(runtime, "unsupported", launch, adapter, reason, remedy)
    if options.adapter == "software" and adapter.software is False:
        return Probe(runtime, "unsupported", launch, adapter, reason="it cannot be put on a software adapter here")
    return Probe(runtime, "usable", launch, adapter)
