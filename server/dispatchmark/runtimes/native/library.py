"""wgpu-native and Dawn from Python: two packages with one API, and the places where they differ."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from types import ModuleType
from typing import Any, ClassVar

from dispatchmark.contract.base import WaitMode
from dispatchmark.contract.environment import Adapter
from dispatchmark.contract.suite import Case

from ..probing import is_software
from . import operations, phases
from .packages import PACKAGES
from .timestamps import GpuTimer
from .workload import COPY_DST, COPY_SRC, MAP_READ, READ, Issue, Workload

Wait = Callable[[], object]
"""Returns when all submitted work is done; called in a timed region."""


class Unsupported(Exception):
    """The library or its adapter lacks what a case needs."""


@dataclass(frozen=True, slots=True)
class Library:
    """One native library, called through its Python package. Everything it hands out is ready for a timed region."""

    name: str
    """Of the package in PACKAGES."""

    module: ModuleType
    times_gpu: ClassVar[bool] = True
    """Whether its loops can carry timestamp queries."""

    @property
    def version(self) -> str:
        """Exact version of the package, which pins that of the library in it."""
        return version(PACKAGES[self.name])

    def adapter(self) -> Any:
        """A fresh adapter: some libraries allow each adapter one device. Raises RuntimeError where there is none."""
        return self.module.gpu.request_adapter_sync(power_preference="high-performance")

    def waits(self, device: Any) -> dict[WaitMode, Wait]:
        """The wait modes that there are. Native libraries have no event loop that a nudge could wake."""
        return {WaitMode.DONE: self.done(device), WaitMode.MAP: _mapping(device)}

    def done(self, device: Any) -> Wait:
        """The plain wait."""
        if self.name == "dawn":
            done: Wait = device.queue.on_submitted_work_done_sync
        else:
            # wgpu-py's own call raises a TypeError; polling the device until it is idle is the same wait.
            done = device._poll_wait
        return done

    def operation(self, workload: Workload, case: Case, per_submit: int, timer: GpuTimer | None = None) -> Issue:
        """The loop that a case times."""
        return operations.operation(workload, case, per_submit, timer)

    def empty_submits(self, device: Any) -> Issue:
        """Submits of nothing."""
        submit = device.queue.submit

        def issue(n: int) -> None:
            for _ in range(n):
                submit([])

        return issue

    def phases(self, workload: Workload) -> phases.Batch:
        """A batch of dispatches in which each call is timed apart."""
        return phases.batch(workload)

    def libraries(self) -> dict[str, str]:
        """Names and versions of what takes part."""
        found = {PACKAGES[self.name]: self.version}
        if self.name == "wgpu":
            backend = import_module("wgpu.backends.wgpu_native")
            found["wgpu-native"] = ".".join(map(str, backend.lib_version_info))
        return found


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


def _mapping(device: Any) -> Wait:
    """Copies a little and maps the copy: done when everything before it is."""
    source = device.create_buffer(size=16, usage=COPY_DST | COPY_SRC)
    target = device.create_buffer(size=16, usage=COPY_DST | MAP_READ)

    def map_and_release() -> None:
        encoder = device.create_command_encoder()
        encoder.copy_buffer_to_buffer(source, 0, target, 0, 16)
        device.queue.submit([encoder.finish()])
        target.map_sync(READ)
        target.unmap()

    return map_and_release
