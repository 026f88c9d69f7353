import importlib
from threading import Event
from types import ModuleType

import pytest

from dispatchmark.contract.base import RunStatus, RuntimeName
from dispatchmark.runtimes import discovery
from dispatchmark.runtimes.base import Options, Outcome
from tests.runtimes.jobs import job


def test_there_is_a_driver_for_every_runtime_in_the_order_of_their_names() -> None:
    found = discovery.drivers()
    assert [driver.name for driver in found] == list(RuntimeName)
    assert not [driver for driver in found if isinstance(driver, discovery.MissingDriver)]


def test_every_runtime_belongs_to_one_family() -> None:
    assert sorted(name for names in discovery.FAMILIES.values() for name in names) == sorted(RuntimeName)


@pytest.mark.parametrize(
    "problem", [ImportError("no module named playwright"), OSError("libfoo.so: cannot open"), RuntimeError("bad build")]
)
def test_a_library_that_cannot_be_loaded_costs_only_its_own_runtimes(
    monkeypatch: pytest.MonkeyPatch, problem: Exception
) -> None:
    def load(name: str) -> ModuleType:
        if name.endswith(".browser"):
            raise problem
        return importlib.import_module(name)

    monkeypatch.setattr(discovery, "import_module", load)
    found = {driver.name: driver for driver in discovery.drivers()}
    lost = {name for name, driver in found.items() if isinstance(driver, discovery.MissingDriver)}
    assert list(found) == list(RuntimeName)
    assert lost == set(discovery.FAMILIES["browser"])
    probe = found[RuntimeName.CHROMIUM].probe(Options(profile="developer"))
    assert (probe.status, probe.launch.profile, probe.remedy) == ("unavailable", "developer", "run `make setup`")
    assert str(problem) in str(probe.reason)
    outcome = found[RuntimeName.CHROMIUM].execute(job(), lambda progress: None, Event())
    assert outcome == Outcome(RunStatus.UNAVAILABLE, probe.reason)
