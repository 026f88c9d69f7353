"""The loops of loops.c, compiled at first use where there is a C compiler, and kept in the user's cache."""

import ctypes
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

from .workload import Issue

SOURCE: Final = Path(__file__).with_name("loops.c")
FLAGS: Final = ("-O2", "-std=c11", "-shared", "-fPIC")
COMPILE_TIMEOUT_S: Final = 60
OPERATIONS: Final = {"submit": "submits", "cmdbufs": "command_buffers", "passes": "passes", "dispatches": "dispatches"}
PHASES: Final = (
    "encoder",
    "pass_begin",
    "set_pipeline",
    "set_bind_group",
    "dispatch",
    "pass_end",
    "finish",
    "submit",
    "create_bind_group",
    "write_buffer",
)
"""In the order in which `phases` of loops.c times them."""


class NoCompiler(Exception):
    """The loops cannot be compiled here; the message says why."""


class Work(ctypes.Structure):
    """`struct work` of loops.c, with addresses as numbers."""

    kept: object
    _fields_ = [
        ("device", ctypes.c_void_p),
        ("queue", ctypes.c_void_p),
        ("pipeline", ctypes.c_void_p),
        ("groups", ctypes.c_void_p),
        ("group_count", ctypes.c_uint64),
        ("offsets", ctypes.c_void_p),
        ("offset_count", ctypes.c_uint64),
        ("description", ctypes.c_void_p),
        ("indirect", ctypes.c_void_p),
        ("uniform", ctypes.c_void_p),
        ("immediate", ctypes.c_void_p),
        ("one", ctypes.c_void_p),
        ("workgroups", ctypes.c_uint64),
        ("scratch", ctypes.c_void_p),
        ("per_submit", ctypes.c_uint64),
    ]


@dataclass(frozen=True, slots=True)
class Loops:
    """The compiled loops, with the version of the compiler that made them."""

    library: ctypes.CDLL
    compiler: str

    def operation(self, name: str, calls: Sequence[int], fields: Mapping[str, int], keep: object = None) -> Issue:
        """The loop of that name over the functions at `calls`, in the order of `struct calls`.

        `keep` is what the addresses point to, and lives as long as the loop.
        """
        loop = getattr(self.library, name)
        loop.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64)
        loop.restype = None
        table, work = (ctypes.c_void_p * len(calls))(*calls), Work(**fields)
        work.kept = keep
        return partial(loop, ctypes.byref(table), ctypes.byref(work))

    def phases(
        self, calls: Sequence[int], fields: Mapping[str, int], description: int, uniform: int, n: int
    ) -> list[tuple[str, int]]:
        """Nanoseconds of each phase over a batch of n."""
        table, work = (ctypes.c_void_p * len(calls))(*calls), Work(**fields)
        spans = (ctypes.c_uint64 * len(PHASES))()
        self.library.phases.restype = None
        self.library.phases(
            ctypes.byref(table),
            ctypes.byref(work),
            ctypes.c_uint64(n),
            ctypes.c_void_p(description),
            ctypes.c_void_p(uniform),
            ctypes.byref(spans),
        )
        return list(zip(PHASES, spans, strict=True))


def load(folder: Path | None = None) -> Loops:
    """Compiles the loops, or takes them from the folder (default: the user's cache). Raises NoCompiler."""
    command = shlex.split(os.environ.get("CC") or "cc")
    if os.name == "nt" or not command or shutil.which(command[0]) is None:
        raise NoCompiler("no C compiler")
    try:
        compiler = _answer([*command, "--version"]).partition("\n")[0][:150]
        recipe = "\0".join([SOURCE.read_text(), compiler, *command, *FLAGS])
        cache = folder or user_cache_path("dispatchmark", appauthor=False)
        made = cache / f"loops-{hashlib.sha256(recipe.encode()).hexdigest()[:16]}.so"
        if not made.is_file():
            _compile(command, made)
        return Loops(ctypes.CDLL(str(made)), compiler)
    except subprocess.CalledProcessError as error:
        # A compiler that fails is a fault, unlike one that is missing: its words go where people look for them.
        print(error.stderr, file=sys.stderr)
        raise NoCompiler(f"{Path(command[0]).name} failed") from error
    except (OSError, subprocess.SubprocessError) as error:
        print(error, file=sys.stderr)
        raise NoCompiler(f"{Path(command[0]).name} cannot be used: {type(error).__name__}") from error


def _compile(command: list[str], made: Path) -> None:
    """Compiles beside the target and moves it there whole, since several processes may do so at once."""
    made.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=made.parent) as scratch:
        fresh = Path(scratch) / made.name
        _answer([*command, *FLAGS, "-o", str(fresh), str(SOURCE)])
        fresh.replace(made)


def _answer(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=COMPILE_TIMEOUT_S, check=True).stdout
