"""wgpu-native and Dawn from Python: two packages with one API, and the places where they differ."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from types import ModuleType
from typing import Any, Final

from dispatchmark.contract.environment import Adapter

from ..probing import is_software

PACKAGES: Final = {"wgpu": "wgpu", "dawn": "wgpudawn"}
CORE_FEATURE: Final = "core-features-and-limits"


class Unsupported(Exception):
    """The library or its adapter lacks what a case needs."""


@dataclass(frozen=True, slots=True)
class Library:
    """One native library. `name` is that of its runtime, without the `-c` of runtimes that call its C API."""

    name: str
    module: ModuleType

    @property
    def version(self) -> str:
        """Exact version of the package, which pins that of the library in it."""
        return version(PACKAGES[self.name])

    def adapter(self) -> Any:
        """A fresh adapter: some libraries allow each adapter one device. Raises RuntimeError where there is none."""
        return self.module.gpu.request_adapter_sync(power_preference="high-performance")

    def done(self, device: Any) -> Callable[[], object]:
        """The plain wait on all submitted work, ready to be called in a timed region."""
        if self.name == "dawn":
            done: Callable[[], object] = device.queue.on_submitted_work_done_sync
        else:
            # wgpu-py's own call raises a TypeError; polling the device until it is idle is the same wait.
            done = device._poll_wait
        return done

    def libraries(self) -> dict[str, str]:
        """Names and versions of what takes part."""
        found = {PACKAGES[self.name]: self.version}
        if self.name == "wgpu":
            backend = import_module("wgpu.backends.wgpu_native")
            found["wgpu-native"] = ".".join(map(str, backend.lib_version_info))
        return found


def load(name: str) -> Library:
    """Loads a library. Raises ImportError or OSError where its package is missing or broken."""
    return Library(name, import_module(PACKAGES[name]))


def describe(adapter: Any, attempts: int = 1) -> Adapter:
    """An adapter in the contract's words."""
    info = adapter.info
    names = {key: str(info.get(key) or "") for key in ("vendor", "architecture", "device", "description")}
    kind = str(info.get("adapter_type") or "")
    software = kind.lower() == "cpu" or is_software(*names.values())
    return Adapter(
        **names,
        backend=str(info.get("backend_type") or ""),
        driver=names["description"],
        software=software if kind else None,
        masked=[key for key, value in names.items() if not value],
        features=sorted(map(str, adapter.features)),
        attempts=attempts,
    )
