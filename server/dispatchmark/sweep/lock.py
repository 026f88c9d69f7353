"""One sweep per machine at a time: two at once would measure each other."""

import json
import os
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout
from platformdirs import user_data_path


class Busy(Exception):
    """Another sweep holds the machine; the message says which."""


def default_path() -> Path:
    """The lock of this user on this machine. Home directories are shared between machines, so its name is in it."""
    host = "".join(letter if letter.isalnum() else "-" for letter in platform.node()) or "unnamed"
    return user_data_path("dispatchmark", appauthor=False) / f"sweep-{host}.lock"


@contextmanager
def held(path: Path, *, wait: bool, waiting: Callable[[str], None] = lambda holder: None) -> Iterator[None]:
    """Holds the machine while the block runs. The lock is the operating system's: it ends with the process.

    Where another sweep holds it, raises Busy, or with `wait` calls `waiting` with the holder and waits.
    Raises OSError where the lock's file cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        if not wait:
            raise Busy(_holder(path)) from None
        waiting(_holder(path))
        lock.acquire(poll_interval=0.5)
    note = _note(path)
    try:
        note.write_text(
            json.dumps({"pid": os.getpid(), "since": datetime.now().astimezone().isoformat("T", "seconds")})
        )
        yield
    finally:
        note.unlink(missing_ok=True)
        lock.release()


def _note(path: Path) -> Path:
    """Who holds it. Beside the lock and not in it, since some systems let nobody read a locked file."""
    return path.with_suffix(".holder.json")


def _holder(path: Path) -> str:
    try:
        holder = json.loads(_note(path).read_text())
        return f"process {holder['pid']}, since {holder['since']}"
    except (OSError, ValueError, KeyError):
        return f"unknown: {path} is locked"
