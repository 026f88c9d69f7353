"""Where a run was measured: runtime, how it was launched, adapter, page and machine."""

from pydantic import Field

from .base import Document, Name, RuntimeName, Text


class Runtime(Document):
    """A runtime with its exact version (None where it could not be read)."""

    name: RuntimeName
    version: Name | None = None


class Launch(Document):
    """How a runtime's process was started. Two runs are comparable only where these agree."""

    profile: Name = "automation"
    driver: Name | None = Field(None, description="playwright, selenium, or process", examples=["playwright"])
    driver_version: Name | None = None
    executable: Text | None = None
    channel: Name | None = None
    flags: list[Text] = Field(default_factory=list, max_length=200)
    preferences: dict[Name, bool | int | float | str] = Field(default_factory=dict, max_length=200)
    variables: dict[Name, Text] = Field(default_factory=dict, max_length=50, description="environment variables set")
    headless: bool | None = None
    sandbox: bool | None = None
    remote: Text | None = Field(None, description="endpoint of the remote browser, without credentials")


class Adapter(Document):
    """The GPU as the runtime names it. `software` is None where nothing tells; `masked` names fields left empty."""

    vendor: Text = ""
    architecture: Text = ""
    device: Text = ""
    description: Text = ""
    backend: Text = ""
    driver: Text = ""
    software: bool | None = None
    fallback: bool | None = None
    masked: list[Name] = Field(default_factory=list, max_length=20)
    features: list[Name] = Field(default_factory=list, max_length=200)
    limits: dict[Name, float] = Field(default_factory=dict, max_length=200)
    attempts: int = Field(1, ge=1, le=1000, description="adapter requests until one was answered")

    @property
    def model(self) -> str:
        """The name of the model, empty where it is masked. Some runtimes put a number in its place: that is no name."""
        names = (name for name in (self.device, self.description) if not _is_number(name))
        return next(names, "")

    @property
    def label(self) -> str:
        """The adapter in a few words: its model, else vendor and architecture; empty where all are masked."""
        return self.model or " ".join(filter(None, (self.vendor, self.architecture)))


def _is_number(name: str) -> bool:
    return name == "" or name.startswith("0x") or name.isdecimal()


class Page(Document):
    """What the page can see of its own conditions."""

    user_agent: Text = ""
    isolated: bool = False
    visible: bool = True
    focused: bool = False
    hardware_concurrency: int | None = Field(None, ge=1, le=100_000)
    build: Name | None = Field(None, description="hash of the page's own files")
    battery: Name | None = Field(None, description="charging, discharging, or null where the browser does not tell")


class Machine(Document):
    """A lab machine: the owner's name for it and the stable facts that its history hangs on."""

    name: Name
    cpu: Text = ""
    cores: int | None = Field(None, ge=1, le=100_000)
    memory_gib: float | None = Field(None, ge=0, le=1e6)
    os: Text = ""
    gpus: list[Text] = Field(default_factory=list, max_length=64)
    facts_hash: Name | None = None
