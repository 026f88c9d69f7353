"""All runtimes that there are, each with its driver. A library that cannot be loaded costs only its own runtimes."""

from collections.abc import Callable, Sequence
from importlib import import_module
from threading import Event

from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.contract.environment import Launch, Runtime
from dispatchmark.contract.receipt import Progress

from .base import Driver, Job, Options, Outcome, Probe

FAMILIES: dict[str, tuple[RuntimeName, ...]] = {
    "browser": (RuntimeName.CHROMIUM, RuntimeName.FIREFOX, RuntimeName.WEBKIT),
    "webdriver": (RuntimeName.SAFARI, RuntimeName.WEBKITGTK),
    "native.drivers": (RuntimeName.WGPU, RuntimeName.DAWN, RuntimeName.WGPU_C, RuntimeName.DAWN_C),
    "javascript": (RuntimeName.DENO, RuntimeName.NODE_DAWN),
}
"""The module of each family, which offers `drivers()`."""


class MissingDriver:
    """Stands for a runtime whose driver cannot be loaded, with the reason."""

    def __init__(self, name: RuntimeName, reason: str) -> None:
        self.name = name
        self.reason = reason

    def probe(self, options: Options) -> Probe:
        """Says why it cannot run."""
        launch = Launch(profile=options.profile)
        return Probe(Runtime(name=self.name), "unavailable", launch, reason=self.reason, remedy="run `make setup`")

    def execute(self, job: Job, watch: Callable[[Progress], None], stop: Event) -> Outcome:
        """Says why it cannot run."""
        return Outcome(RunStatus.UNAVAILABLE, self.reason)


def drivers() -> list[Driver]:
    """One driver for each runtime, in the order of RuntimeName."""
    found: dict[RuntimeName, Driver] = {}
    for module, names in FAMILIES.items():
        for driver in _family(module, names):
            found[driver.name] = driver
    return [found[name] for name in RuntimeName]


def _family(module: str, names: Sequence[RuntimeName]) -> Sequence[Driver]:
    try:
        family: Sequence[Driver] = import_module(f"{__package__}.{module}").drivers()
    except Exception as error:
        # A library may fail to load in any way; the runtimes of the others are still to be found.
        return [MissingDriver(name, f"its driver cannot be loaded: {error}") for name in names]
    return family
