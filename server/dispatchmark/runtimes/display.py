"""A display for browsers that need one, on machines that have none."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

SCREEN = "1280x1024x24"


class NoDisplay(Exception):
    """There is no display and none can be had; the message says what to install."""


@contextmanager
def display() -> Iterator[dict[str, str]]:
    """Yields the environment variables of a display: the user's own, else an Xvfb that ends with the block.

    Raises NoDisplay.
    """
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        yield {}
        return
    server = shutil.which("Xvfb")
    if server is None:
        raise NoDisplay("there is no display, and no Xvfb to make one: install xvfb")
    read, write = os.pipe()
    command = [server, "-displayfd", str(write), "-screen", "0", SCREEN, "-nolisten", "tcp"]
    try:
        process = subprocess.Popen(
            command,
            pass_fds=[write],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        os.close(read)
        raise NoDisplay(f"Xvfb cannot be started: {error}") from error
    finally:
        os.close(write)
    try:
        with os.fdopen(read) as numbers:
            number = numbers.readline().strip()
        if not number:
            raise NoDisplay("Xvfb ended while it started")
        yield {"DISPLAY": f":{number}"}
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
