"""Which Python package brings which native library: known without loading any of them."""

from typing import Final

PACKAGES: Final = {"wgpu": "wgpu", "dawn": "wgpudawn"}
DIRECT: Final = "-c"
"""Ends the names of runtimes that call a library's C API."""

RUNTIMES: Final = (*PACKAGES, *(f"{name}{DIRECT}" for name in PACKAGES))


def library_of(runtime: str) -> str:
    """The library that a runtime calls."""
    return runtime.removesuffix(DIRECT)


def package_of(runtime: str) -> str:
    """The Python package in which a runtime's library comes."""
    return PACKAGES[library_of(runtime)]
