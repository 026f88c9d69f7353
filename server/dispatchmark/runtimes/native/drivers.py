"""The drivers of the native runtimes: each run is a process of this Python."""

import sys
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from dispatchmark.contract.base import RuntimeName

from ..process import Command, Missing, ProcessDriver
from .packages import RUNTIMES, package_of


def drivers() -> list[ProcessDriver]:
    """The native runtimes, through their Python packages and through their C APIs."""
    return [
        ProcessDriver(
            RuntimeName(runtime), partial(find, runtime), f"run `make setup`, or `pip install {package_of(runtime)}`"
        )
        for runtime in RUNTIMES
    ]


def find(runtime: str) -> Command:
    """A native runtime under this Python. Raises Missing."""
    package = package_of(runtime)
    try:
        found = version(package)
    except PackageNotFoundError:
        raise Missing(f"the Python package {package} is not installed") from None
    return Command((sys.executable, "-m", "dispatchmark.runtimes.native", runtime), found)
