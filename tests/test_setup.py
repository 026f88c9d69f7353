"""scripts/setup on systems that lack something: it says what, and what would help. Nothing is installed here.

Each system is a folder of stand-ins for the commands that the script asks, and nothing else is on its path.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ("bash", "dirname", "env", "head", "readlink", "touch", "grep", "rm", "cat", "id", "uname", "printf")


class System:
    """A checkout and a path with chosen commands; `ran` lists what the stand-ins were asked to do."""

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "checkout"
        self.commands = folder / "bin"
        self.log = folder / "log"
        for made in (self.checkout / "scripts", self.commands):
            made.mkdir(parents=True)
        shutil.copy(ROOT / "scripts" / "setup", self.checkout / "scripts")
        for tool in TOOLS:
            found = shutil.which(tool)
            assert found is not None
            (self.commands / tool).symlink_to(found)
        self.stand_in("uname", "echo Linux")
        self.stand_in("dpkg-query", "exit 1")

    def stand_in(self, name: str, script: str) -> None:
        path = self.commands / name
        path.unlink(missing_ok=True)
        path.write_text(f'#!{shutil.which("bash")}\necho "{name} $*" >>"{self.log}"\n{script}\n')
        path.chmod(0o755)

    def user(self, number: int) -> None:
        self.stand_in("id", f"echo {number}")

    def python(self, venv: bool = True) -> None:
        """A Python that is new enough, and makes environments in which pip and all packages are found."""
        real = f"""
case "$*" in
  *ensurepip*) exit {0 if venv else 1} ;;
  "-m venv .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
  *--dry-run*|"- chromium"|"- firefox"|-) exit 1 ;;
esac
exit 0"""
        for tool in ("mkdir", "cp"):
            if not (self.commands / tool).exists():
                (self.commands / tool).symlink_to(str(shutil.which(tool)))
        self.stand_in("python3", real)

    def apt(self, lacking: str = "nothing") -> None:
        self.stand_in("apt-get", f'case " $* " in *" {lacking} "*) exit 100 ;; esac; exit 0')

    def setup(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.checkout / "scripts" / "setup", *arguments],
            env={"PATH": str(self.commands)} | variables,
            capture_output=True,
            text=True,
            timeout=60,
        )

    @property
    def ran(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []

    def installed(self) -> list[str]:
        """Packages that apt-get was asked for, in order."""
        lines = [line for line in self.ran if line.startswith("apt-get install")]
        return [word for line in lines for word in line.split()[2:] if not word.startswith("-")]


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System(tmp_path)


def test_without_root_and_sudo_it_says_the_command_and_goes_on(system: System) -> None:
    system.user(1000)
    system.apt()
    system.python()
    done = system.setup("sweep")
    assert done.returncode == 0, done.stderr
    assert "neither root nor a user of sudo" in done.stdout
    (command,) = [line for line in done.stdout.splitlines() if "sudo apt-get update" in line]
    assert command.endswith(
        "--no-install-recommends libvulkan1 mesa-vulkan-drivers fonts-dejavu-core chromium firefox-esr"
    )
    assert system.installed() == []
    assert (system.checkout / ".venv" / ".setup-sweep").exists()
    assert not (system.checkout / ".venv" / ".setup-test").exists()


def test_root_installs_what_is_missing_and_refreshes_once(system: System) -> None:
    system.user(0)
    system.apt()
    system.python()
    assert system.setup("sweep").returncode == 0
    assert system.installed() == ["libvulkan1", "mesa-vulkan-drivers", "fonts-dejavu-core", "chromium", "firefox-esr"]
    assert [line for line in system.ran if line.startswith("apt-get update")] == ["apt-get update -qq"]


def test_what_is_there_is_not_installed_again(system: System) -> None:
    system.user(0)
    system.apt()
    system.python()
    system.stand_in("dpkg-query", "echo installed")
    for browser in ("chromium", "firefox-esr"):
        system.stand_in(browser, "exit 0")
    done = system.setup("sweep")
    assert done.returncode == 0, done.stderr
    assert not [line for line in system.ran if line.startswith("apt-get")]
    # The environment's Python is a copy of the stand-in, and logs under its name.
    assert any("--require-hashes -r requirements.lock" in line for line in system.ran)


def test_the_stub_of_a_snap_is_no_browser(system: System) -> None:
    system.user(0)
    system.apt()
    system.python()
    system.stand_in("chromium", "exec /snap/bin/chromium")
    system.stand_in("firefox-esr", "exit 0")
    assert system.setup("sweep").returncode == 0
    assert "chromium" in system.installed()
    assert "firefox-esr" not in system.installed()


def test_sudo_without_a_password_is_used(system: System) -> None:
    system.user(1000)
    system.apt()
    system.python()
    system.stand_in("sudo", 'shift; [ "$1" = true ] && exit 0; exec "$@"')
    assert system.setup("sweep").returncode == 0
    assert "chromium" in system.installed()


def test_sudo_that_asks_for_a_password_is_not(system: System) -> None:
    system.user(1000)
    system.apt()
    system.python()
    system.stand_in("sudo", "exit 1")
    done = system.setup("sweep")
    assert done.returncode == 0
    assert "neither root nor a user of sudo" in done.stdout
    assert system.installed() == []


def test_one_package_that_is_not_to_be_had_keeps_no_other_out(system: System) -> None:
    system.user(0)
    system.apt(lacking="mesa-vulkan-drivers")
    system.python()
    done = system.setup("sweep")
    assert done.returncode == 0, done.stderr
    assert "could not install mesa-vulkan-drivers" in done.stdout
    assert system.installed()[-2:] == ["chromium", "firefox-esr"]
    assert system.installed().count("fonts-dejavu-core") == 2


def test_without_apt_it_names_what_to_install(system: System) -> None:
    system.user(0)
    system.python()
    done = system.setup("sweep")
    assert done.returncode == 0, done.stderr
    assert "no apt-get here" in done.stdout
    assert "chromium" in done.stdout


def test_an_old_python_is_refused_with_the_version_that_is_needed(system: System) -> None:
    system.user(1000)
    system.stand_in("python3", "exit 1")
    done = system.setup("sweep")
    assert done.returncode == 1
    assert "3.11" in done.stderr


def test_a_python_without_venv_says_which_package_has_it(system: System) -> None:
    system.user(1000)
    system.apt()
    system.python(venv=False)
    done = system.setup("sweep")
    assert done.returncode == 1
    assert "python3-venv" in done.stdout
    assert "python3-venv" in done.stderr


def test_tests_need_node(system: System) -> None:
    system.user(1000)
    system.apt()
    system.python()
    done = system.setup("test")
    assert done.returncode == 1
    assert "nodejs npm" in done.stdout
    assert "no node and npm" in done.stderr
    assert not (system.checkout / ".venv" / ".setup-test").exists()


def test_the_local_mode_touches_no_system_package(system: System) -> None:
    system.user(0)
    system.apt()
    system.python()
    done = system.setup("sweep", DISPATCHMARK_SETUP="local")
    assert done.returncode == 0, done.stderr
    assert system.installed() == []
    assert "DISPATCHMARK_SETUP=local" in done.stdout


def test_an_unknown_level_is_refused(system: System) -> None:
    done = system.setup("everything")
    assert done.returncode == 1
    assert "'sweep' or 'test'" in done.stderr
