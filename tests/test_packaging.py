"""What is shipped is what pyproject.toml says: locks, image, compose file. And no machine's own addresses anywhere."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from dispatchmark import __version__
from dispatchmark.config import Settings

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
BUILD = PROJECT["optional-dependencies"]["build"]
DEV = PROJECT["optional-dependencies"]["dev"]


def locked(name: str) -> dict[str, Version]:
    """Package -> version of a lock."""
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", (ROOT / name).read_text(), re.MULTILINE)
    return {canonicalize_name(package): Version(version) for package, version in found}


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ("requirements.lock", PROJECT["dependencies"] + BUILD),
        ("requirements-dev.lock", PROJECT["dependencies"] + BUILD + DEV),
    ],
)
def test_a_lock_holds_what_pyproject_asks_for(lock: str, wanted: list[str]) -> None:
    pins = locked(lock)
    for text in wanted:
        requirement = Requirement(text)
        name = canonicalize_name(requirement.name)
        assert name in pins, f"{name} is not in {lock}: run `make lock`"
        assert pins[name] in requirement.specifier, f"{name}=={pins[name]} in {lock} is not {requirement}"


def test_the_locks_agree() -> None:
    everything = locked("requirements-dev.lock")
    assert {name: everything.get(name) for name in locked("requirements.lock")} == locked("requirements.lock")


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_every_pin_of_a_lock_has_hashes(lock: str) -> None:
    blocks = re.split(r"^(?=[A-Za-z0-9])", (ROOT / lock).read_text(), flags=re.MULTILINE)[1:]
    assert len(blocks) == len(locked(lock))
    assert [block.split()[0] for block in blocks if "--hash=sha256:" not in block] == []


def instructions(word: str) -> list[str]:
    """What follows a word in the Dockerfile, lines joined."""
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    return [line.removeprefix(word).strip() for line in text.splitlines() if line.startswith(word + " ")]


def test_the_image_copies_what_is_there_and_not_ignored() -> None:
    ignore = (ROOT / ".dockerignore").read_text().splitlines()
    sources = [source for line in instructions("COPY") if "--from" not in line for source in line.split()[:-1]]
    assert sources
    for source in sources:
        assert (ROOT / source).exists()
        assert f"!{source}" in ignore
    assert "*" in ignore


def test_the_image_installs_by_hashes_and_serves_without_rights() -> None:
    assert any("--require-hashes -r requirements.lock" in line for line in instructions("RUN"))
    assert instructions("USER") == ["dispatchmark"]
    assert instructions("CMD") == ['["dispatchmark", "serve"]']
    assert "/api/health" in "".join(instructions("HEALTHCHECK"))


def test_the_image_sets_settings_that_exist() -> None:
    names = set(re.findall(r"DISPATCHMARK_([A-Z_]+)=", " ".join(instructions("ENV"))))
    assert names == {"HOST", "PORT", "DATABASE"}
    assert {name.lower() for name in names} <= Settings.model_fields.keys()


def test_the_compose_file_keeps_the_store_in_a_volume() -> None:
    composed = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    server = composed["services"]["server"]
    assert server["image"] == f"dispatchmark:{__version__}"
    ((volume, folder),) = [one.split(":") for one in server["volumes"]]
    assert volume in composed["volumes"]
    assert f"DISPATCHMARK_DATABASE={folder}/" in " ".join(instructions("ENV"))
    assert instructions("VOLUME") == [folder]
    (port,) = server["ports"]
    assert port.split(":")[-1] == instructions("EXPOSE")[0] == str(Settings.model_fields["port"].default)


def compose() -> list[str] | None:
    """The compose command of this machine, if any; it checks a file without a daemon."""
    if shutil.which("docker") and subprocess.run(["docker", "compose", "version"], capture_output=True).returncode == 0:
        return ["docker", "compose"]
    return ["docker-compose"] if shutil.which("docker-compose") else None


@pytest.mark.skipif(compose() is None, reason="neither docker compose nor docker-compose is installed")
def test_compose_accepts_its_file() -> None:
    command = compose()
    assert command is not None
    checked = subprocess.run([*command, "config", "--quiet"], cwd=ROOT, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


# Written in pieces, so that this file does not find itself.
HOSTS = ["py" + "pi.org", "pythonhosted" + ".org", "registry." + "npmjs", "deb." + "debian", "--index" + "-url"]
HOSTS += ["--extra-index" + "-url"]
PLACES = [r"(?<![\w.])/" + place + r"/[\w.-]" for place in ("work", "root", r"home/[a-z]+", r"Users/\w+")]


def test_no_registry_and_no_path_of_one_machine_is_in_a_tracked_file() -> None:
    """Clones elsewhere use the registries that they are set up for; a path of one machine means nothing there."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    pattern = re.compile("|".join([*map(re.escape, HOSTS), *PLACES]))
    wrong = []
    for name in filter(None, names.split("\0")):
        path = ROOT / name
        if not path.is_file() or "/vendor/" in name:
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if found := pattern.search(line):
                wrong.append(f"{name}:{number}: {found.group()}")
    assert wrong == []
