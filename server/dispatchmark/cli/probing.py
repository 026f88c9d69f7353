"""Looks for runtimes, all on the same kind of adapter."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event

from dispatchmark.contract.base import RuntimeName
from dispatchmark.contract.environment import Launch, Runtime
from dispatchmark.runtimes import discovery, vulkan
from dispatchmark.runtimes.base import Driver, Options, Probe, Wanted
from dispatchmark.sweep.execute import Candidate


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the user chose for all runtimes, and for each."""

    adapter: Wanted = "any"
    profile: str = "automation"
    channel: Mapping[RuntimeName, str] = field(default_factory=dict)
    executable: Mapping[RuntimeName, str] = field(default_factory=dict)
    remote: Mapping[RuntimeName, str] = field(default_factory=dict)

    def options(self, name: RuntimeName) -> Options:
        """The options of one runtime. All are put on one driver: a GPU's, or the same software one.

        Drivers find that one themselves, but for the SwiftShader of a Chromium that was chosen here.
        """
        chromium = self.executable.get(RuntimeName.CHROMIUM)
        return Options(
            adapter=vulkan.resolve(self.adapter),
            profile=self.profile,
            channel=self.channel.get(name),
            executable=self.executable.get(name),
            remote=self.remote.get(name),
            variables=vulkan.variables(self.adapter, chromium) if chromium else {},
        )


def placement(adapter: Wanted) -> str:
    """Where all runtimes are put, in words."""
    if vulkan.resolve(adapter) == "hardware":
        return "All runtimes are put on the GPU."
    driver = vulkan.software_driver()
    why = "software was asked for" if adapter == "software" else "no GPU was found"
    named = f"the same software Vulkan driver, {driver}" if driver else "software adapters of their own"
    return f"All runtimes are put on {named} ({why})."


def probe(
    names: Sequence[RuntimeName],
    chosen: Chosen,
    looking: Callable[[str], None] = lambda name: None,
    stop: Event | None = None,
) -> list[Candidate]:
    """Probes runtimes one after the other, so that they do not disturb each other's start; ends early on `stop`."""
    drivers = {driver.name: driver for driver in discovery.drivers()}
    found: list[Candidate] = []
    for name in names:
        if stop is not None and stop.is_set():
            break
        looking(name)
        options = chosen.options(name)
        driver = drivers[name]
        found.append(Candidate(driver, options, _probe(driver, options)))
    return found


def _probe(driver: Driver, options: Options) -> Probe:
    try:
        return driver.probe(options)
    except Exception as error:
        # A probe should never raise; one that does must not take the other runtimes with it.
        reason = f"looking for it failed: {type(error).__name__}: {error}"
        return Probe(Runtime(name=driver.name), "unavailable", Launch(profile=options.profile), reason=reason)
