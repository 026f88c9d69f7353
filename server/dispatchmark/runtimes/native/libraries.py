"""Loads the native library of a runtime."""

from importlib import import_module

from . import capi
from .library import Library
from .packages import DIRECT, library_of, package_of


def load(runtime: str) -> Library:
    """Loads a library. Raises ImportError or OSError where its package is missing or broken."""
    name, module = library_of(runtime), import_module(package_of(runtime))
    return capi.load(name, module) if runtime.endswith(DIRECT) else Library(name, module)
