"""The built wheel, installed into an empty environment and started elsewhere, serves the page and the kernels.

In the source tree web/ and wgsl/ lie beside the package, so a wheel that forgot them would go unnoticed.
"""

import json
import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from pathlib import Path

import httpx
import pytest

from dispatchmark import __version__

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if not name.startswith(("DISPATCHMARK_", "PYTHON", "VIRTUAL_ENV"))
}


def quiet(command: list[str | Path], cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, env=ENVIRONMENT, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this tree, built by the build backend of pyproject.toml."""
    out = tmp_path_factory.mktemp("wheel")
    quiet([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out], ROOT)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an environment that holds the wheel, and third parties' packages by a path file.

    Python does not follow path files inside a folder that a path file names, so the editable install of this tree
    stays out; a test below makes sure.
    """
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    ours = Path(quiet([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], home).strip())
    paths = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (ours / "third_parties.pth").write_text("\n".join(sorted(paths)) + "\n")
    quiet(
        [
            sys.executable,
            "-m",
            "pip",
            "--python",
            python,
            "install",
            "--no-deps",
            "--no-index",
            "--ignore-installed",
            wheel,
        ],
        home,
    )
    return python.parent


@pytest.fixture(scope="module")
def url(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of `dispatchmark serve`, started in an empty folder on a free port."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    command = [installed / "dispatchmark", "serve", "--port", "0", "--database", elsewhere / "store.db"]
    with subprocess.Popen(command, cwd=elsewhere, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            first = server.stdout.readline()
            assert "http://" in first, first
            yield first.split()[-1]
        finally:
            server.terminate()
            server.wait(timeout=30)


def test_it_is_the_installed_package_that_runs(installed: Path, tmp_path: Path) -> None:
    where = quiet([installed / "python", "-c", "import dispatchmark; print(dispatchmark.__file__)"], tmp_path)
    assert Path(where.strip()).is_relative_to(installed.parent)
    assert quiet([installed / "dispatchmark", "--version"], tmp_path).strip() == f"dispatchmark {__version__}"


def test_every_file_of_the_page_and_the_kernels_is_in_the_wheel(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("web", "wgsl"):
        tracked = quiet(["git", "ls-files", folder], ROOT).split()
        assert tracked
        assert {f"dispatchmark/assets/{name}" for name in tracked} <= packed
    assert "dispatchmark/py.typed" in packed
    assert not [name for name in packed if name.startswith(("tests/", "server/"))]


def test_the_wheel_asks_for_what_pyproject_names(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    metadata = Parser().parsestr(archive.read(name).decode())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [one for one in metadata.get_all("Requires-Dist", []) if "extra ==" not in one]
    assert len(asked) == len(project["dependencies"])
    assert metadata["Version"] == __version__


def test_the_server_serves_pages_page_files_and_kernels(url: str) -> None:
    with httpx.Client(base_url=url, timeout=30) as client:
        assert client.get("/api/health").json()["version"] == __version__
        assert "<html" in client.get("/").raise_for_status().text
        assert "<html" in client.get("/bench").raise_for_status().text
        run = client.get("/web/core/run.js").raise_for_status()
        assert run.headers["content-type"].startswith("text/javascript")
        assert run.text == (ROOT / "web" / "core" / "run.js").read_text()
        suite = client.get("/wgsl/suite.json").raise_for_status()
        assert suite.json() == json.loads((ROOT / "wgsl" / "suite.json").read_text())
        for kernel in suite.json()["kernels"].values():
            assert "fn main" in client.get(f"/wgsl/{kernel['file']}").raise_for_status().text
        for answer in (run, suite):
            assert answer.headers["cross-origin-opener-policy"] == "same-origin"
            assert answer.headers["cross-origin-embedder-policy"] == "require-corp"
