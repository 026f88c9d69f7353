"""The native libraries by the name of their runtime."""

from importlib import import_module
from typing import Final

from . import capi
from .library import PACKAGES, Library

SUFFIX: Final = "-c"
RUNTIMES: Final = (*PACKAGES, *(f"{name}{SUFFIX}" for name in PACKAGES))


def package_of(runtime: str) -> str:
    """The Python package in which a runtime's library comes."""
    return PACKAGES[runtime.removesuffix(SUFFIX)]


def load(runtime: str) -> Library:
    """Loads a library. Raises ImportError or OSError where its package is missing or broken."""
    name = runtime.removesuffix(SUFFIX)
    module = import_module(PACKAGES[name])
    return capi.load(name, module) if runtime.endswith(SUFFIX) else Library(name, module)
