"""Imports go one way, so that a room can be read, tested and replaced without the rooms above it.

A sample travels from `contract` through `ingest` into `store` and from there to readers. A `stats` that knew the
store could not be tested on planted numbers; a `runtimes` that knew the store would measure another path than a
browser does, which only has HTTP. docs/architecture.md draws the same picture; this test keeps the drawing true.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "server" / "dispatchmark"

# Room -> the rooms that it may import, besides itself. `__init__` (the version) is nobody's secret.
ALLOWED: dict[str, set[str]] = {
    "contract": set(),
    "stats": set(),
    "config": set(),
    "client": {"contract"},
    "isolation": set(),
    "serving": set(),
    "store": {"contract"},
    "ingest": {"store", "stats", "contract", "config"},
    "comparison": {"store", "stats", "contract"},
    "dashboard": {"store", "comparison", "contract", "config"},
    "exports": {"store", "contract"},
    "runtimes": {"contract", "config", "client"},
    "sweep": {"runtimes", "contract", "config", "client"},
}
# The roof: the application and the commands put the rooms together, and nothing below may import them.
ROOF = {"app", "cli", "__main__"}

LONGEST_MODULE = 400


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    """The top-level module or folder of the package that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[tuple[str, int]]:
    """The rooms of ours that a file imports, wherever in the file, with their lines."""
    package = ("dispatchmark", *path.relative_to(PACKAGE).parent.parts)
    for node in ast.walk(ast.parse(path.read_text(), str(path))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            start = ".".join(part for part in (base, node.module) if part)
            names = [f"{start}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == "dispatchmark" and len(parts) > 1 and not parts[1].startswith("__version__"):
                yield parts[1], node.lineno


def test_every_room_has_its_place() -> None:
    rooms = {room_of(path) for path in modules()} - {"__init__"}
    assert rooms <= ALLOWED.keys() | ROOF, "a new room needs a place in ALLOWED and in docs/architecture.md"


@pytest.mark.parametrize("room", sorted(ALLOWED))
def test_imports_go_one_way(room: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {other}"
        for path in modules()
        if room_of(path) == room
        for other, line in imported(path)
        if other != room and other not in ALLOWED[room]
    ]
    assert wrong == []


def test_the_allowed_imports_are_no_circle() -> None:
    def above(room: str, seen: tuple[str, ...]) -> None:
        assert room not in seen, f"circle: {' -> '.join((*seen, room))}"
        for other in ALLOWED[room]:
            above(other, (*seen, room))

    for room in ALLOWED:
        above(room, ())


def test_the_documentation_draws_the_same_picture() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    table = text.split("| room | imports |")[1].split("\n\n")[0]
    drawn = {}
    for row in re.findall(r"^\| `(\w+)` \| (.+) \|$", table, re.MULTILINE):
        drawn[row[0]] = set() if row[1] == "nothing" else set(re.findall(r"`(\w+)`", row[1]))
    assert drawn == ALLOWED


def test_relative_and_nested_imports_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "PACKAGE", tmp_path)
    module = tmp_path / "stats" / "deep" / "line.py"
    module.parent.mkdir(parents=True)
    module.write_text(
        "import dispatchmark.store.tables\n"
        "from ...ingest import service\n"
        "from .. import regression\n"
        "def late():\n    from dispatchmark import app, __version__\n"
    )
    assert list(imported(module)) == [("store", 1), ("ingest", 2), ("stats", 3), ("app", 5)]
    assert room_of(module) == "stats"


def test_modules_stay_small() -> None:
    """A module that outgrows a reader's patience holds more than one noun."""
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in modules()}
    assert {name: length for name, length in lengths.items() if length > LONGEST_MODULE} == {}


def test_the_core_of_the_page_knows_no_page() -> None:
    """web/core runs in browsers, Deno and Node, and takes what differs between them as arguments."""
    core = ROOT / "web" / "core"
    wrong = []
    for path in sorted(core.glob("*.js")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = "" if line.lstrip().startswith(("*", "/*")) else line.split("//")[0]
            if code.lstrip().startswith(("import ", "} from", "export ")) and " from " in code:
                source = code.split(" from ")[1].strip(" ;\"'")
                if not source.startswith("./"):
                    wrong.append(f"{path.name}:{number} imports {source}")
            if any(word in code for word in ("document.", "window.", "fetch(", "navigator.", "process.", "Deno.")):
                wrong.append(f"{path.name}:{number} reaches out: {code.strip()}")
    assert wrong == []
