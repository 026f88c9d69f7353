"""JavaScript outside a browser: Node with npm's `webgpu`, which is Dawn, and Deno, which is wgpu; both run web/core."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from dispatchmark.contract import suite
from dispatchmark.contract.base import RuntimeName

from .process import Command, Missing, ProcessDriver

VERSION_TIMEOUT_S = 30


def drivers() -> list[ProcessDriver]:
    """The runtimes that run JavaScript without a page."""
    remedy = "run `make setup` with npm there, or `npm install {}`"
    return [
        ProcessDriver(RuntimeName.DENO, deno, remedy.format("deno")),
        ProcessDriver(RuntimeName.NODE_DAWN, node_dawn, remedy.format("webgpu")),
    ]


def modules() -> list[Path]:
    """Folders in which npm may have put packages: one that is named, the checkout's, and the current one's."""
    named = os.environ.get("DISPATCHMARK_NODE_MODULES")
    near = [suite.assets("web").parent / "node_modules", Path.cwd() / "node_modules"]
    return [path for path in ([Path(named)] if named else []) + near if path.is_dir()]


def node_dawn() -> Command:
    """Node with npm's `webgpu`. Raises Missing."""
    node = os.environ.get("DISPATCHMARK_NODE") or shutil.which("node")
    if node is None or shutil.which(node) is None:
        raise Missing("there is no node")
    manifest = next((path for folder in modules() if (path := folder / "webgpu" / "package.json").is_file()), None)
    if manifest is None:
        raise Missing("the npm package webgpu is not installed")
    found = str(json.loads(manifest.read_text())["version"])
    paths = {"NODE_PATH": str(manifest.parent.parent)}
    return Command((node, str(_host("node.js")), "--wgsl", str(suite.assets("wgsl"))), found, paths)


def deno() -> Command:
    """Deno: one that is named, npm's, or the one on the path. Raises Missing."""
    beside = (folder / "deno" / "deno" for folder in modules())
    installed = next((str(path) for path in beside if os.access(path, os.X_OK)), None)
    executable = os.environ.get("DISPATCHMARK_DENO") or installed or shutil.which("deno")
    if executable is None or shutil.which(executable) is None:
        raise Missing("there is no deno")
    run = (executable, "run", "--unstable-webgpu", "--no-lock", "-A", str(_host("deno.js")))
    return Command((*run, "--wgsl", str(suite.assets("wgsl"))), _deno_version(executable))


def _deno_version(executable: str) -> str:
    try:
        answer = subprocess.run([executable, "--version"], capture_output=True, text=True, timeout=VERSION_TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Missing(f"{executable} does not run: {error}") from error
    words = answer.stdout.split()
    if answer.returncode != 0 or len(words) < 2:
        raise Missing(f"{executable} does not run: it ended with code {answer.returncode}")
    return words[1]


def _host(name: str) -> Path:
    return suite.assets("web") / "hosts" / name
