"""One run as a comparison sees it: its conditions, its standing, and its estimate of the case. Pure."""

from dataclasses import dataclass, field
from functools import cached_property

from dispatchmark.contract.base import RunStatus, RuntimeName, WaitMode
from dispatchmark.contract.environment import Adapter, Launch, Machine
from dispatchmark.contract.receipt import Estimate, Verdict


@dataclass(frozen=True, slots=True)
class Conditions:
    """Everything that must agree for two runs to be repetitions of each other. None where a run does not say."""

    runtime: RuntimeName
    version: str | None = None
    profile: str = "automation"
    channel: str | None = None
    launch: str = ""
    """The rest of how the process was started, as one value."""
    adapter: str = ""
    """The adapter's most telling name."""
    model: str = ""
    """The name of its model, which browsers mask."""
    words: str = ""
    """All that the runtime says of its adapter."""
    backend: str = ""
    driver: str = ""
    software: bool | None = None
    wait_mode: WaitMode | None = None
    machine: str | None = None
    suite: str = ""


@dataclass(frozen=True)
class Run:
    """One run of a sweep. `estimate` is of the case asked for; `missing` says why there is none."""

    run_id: str
    runtime: RuntimeName
    version: str | None
    launch: Launch | None
    adapter: Adapter | None
    machine: Machine | None
    suite: str
    status: RunStatus
    reason: str | None = None
    verdict: Verdict | None = None
    verdict_reasons: list[str] = field(default_factory=list)
    wait_us: float | None = None
    naive_us: float | None = None
    estimate: Estimate | None = None
    missing: str | None = None

    @cached_property
    def conditions(self) -> Conditions:
        """What the run was measured under."""
        launch = self.launch or Launch()
        adapter = self.adapter or Adapter()
        return Conditions(
            runtime=self.runtime,
            version=self.version,
            profile=launch.profile,
            channel=launch.channel,
            launch=launch.model_dump_json(exclude={"profile", "channel"}),
            adapter=adapter.label,
            model=adapter.model,
            words=" ".join((adapter.vendor, adapter.architecture, adapter.device, adapter.description)),
            backend=adapter.backend,
            driver=adapter.driver,
            software=adapter.software,
            wait_mode=self.estimate.wait if self.estimate else None,
            machine=self.machine.facts_hash if self.machine else None,
            suite=self.suite,
        )

    @property
    def counts(self) -> bool:
        """Whether its figures enter: a run that is disturbed or invalid is shown and left out."""
        return self.verdict == "accepted"

    @property
    def slope_us(self) -> float | None:
        """Its resolved marginal cost."""
        if self.estimate is None or self.estimate.verdict != "resolved":
            return None
        return self.estimate.slope_us
