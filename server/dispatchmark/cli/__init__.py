"""The command line: thin commands over the rooms below."""

from .main import main

__all__ = ["main"]
