"""Documentation that lags behind fails here: settings, routes, rules, commands, links, targets and versions."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dispatchmark import __version__
from dispatchmark.app import create_app
from dispatchmark.config import Settings
from dispatchmark.contract.base import RuntimeName, WaitMode
from dispatchmark.ingest import judgement

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference.md"


def pages() -> list[Path]:
    """Every tracked page of documentation."""
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def routes(tmp_path: Path) -> set[tuple[str, str]]:
    """Method and path of everything that the application answers, files apart."""
    app = create_app(Settings(database=str(tmp_path / "store.db")))
    found = {("GET", app.openapi_url or "")}
    for route in all_routes(app.routes):
        for method in (getattr(route, "methods", None) or set()) - {"HEAD"}:
            found.add((method, route.path))
    app.state.store.close()
    return found


def all_routes(found: list[object]) -> Iterator[object]:
    """Routes, those of included routers too, however FastAPI nests them."""
    for route in found:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from all_routes(inner.routes)
        elif hasattr(route, "path"):
            yield route


def test_every_setting_is_in_the_reference() -> None:
    text = REFERENCE.read_text()
    assert [name for name in Settings.model_fields if f"| `{name}` |" not in text] == []


def test_the_reference_names_no_setting_that_is_gone() -> None:
    section = REFERENCE.read_text().split("## Settings")[1].split("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == Settings.model_fields.keys()


def test_every_route_is_in_the_reference(tmp_path: Path) -> None:
    text = REFERENCE.read_text()
    found = routes(tmp_path)
    assert ("POST", "/api/runs") in found
    assert [f"{method} {path}" for method, path in sorted(found) if f"`{method} {path}`" not in text] == []


def test_every_rule_of_judgement_is_in_the_reference() -> None:
    text = REFERENCE.read_text()
    for rules, verdict in ((judgement.INVALIDATING, "invalid"), (judgement.DISTURBING, "disturbed")):
        assert [rule.__name__ for rule in rules if f"| `{rule.__name__}` | `{verdict}` |" not in text] == []


def test_the_page_of_commands_is_what_the_commands_say() -> None:
    command = [sys.executable, "-m", "typer", "dispatchmark.cli.main", "utils", "docs", "--name", "dispatchmark"]
    said = subprocess.run([*command, "--title", "Commands"], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "--suite" in said.stdout
    assert (DOCS / "commands.md").read_text().strip() == said.stdout.strip(), "run `make commands`"


@pytest.mark.parametrize("word", [*RuntimeName, *WaitMode])
def test_every_runtime_and_wait_mode_is_explained_somewhere(word: str) -> None:
    assert any(f"`{word}`" in page.read_text() for page in pages())


def links(page: Path) -> list[str]:
    """Targets of the page's links and pictures, code apart."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL)
    return re.findall(r"\]\(([^)\s]+)\)", text)


def anchors(page: Path) -> set[str]:
    """The anchors that a forge makes of a page's headings."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    dead = []
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            dead.append(link)
    assert dead == []


def targets() -> set[str]:
    return set(re.findall(r"^([a-z][\w-]*):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_make_targets_that_are_named_exist() -> None:
    wrong = []
    for page in pages():
        text = page.read_text()
        fenced = "\n".join(re.findall(r"^```.*?\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
        for code in re.findall(r"`(make [^`]+)`", text) + re.findall(r"^ *(make .+)$", fenced, re.MULTILINE):
            words = re.sub(r'ARGS=("[^"]*"|\S+)|#.*', "", code).split()[1:]
            wrong += [f"{page.name}: make {word}" for word in words if word not in targets()]
    assert wrong == []


def test_plain_make_lists_every_target() -> None:
    listed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {"setup", "sweep", "test", "lint", "serve"} <= targets()
    assert [name for name in targets() if not re.search(rf"^  make {name} +\S", listed, re.MULTILINE)] == []


def test_every_command_of_npm_that_make_runs_exists() -> None:
    scripts = json.loads((ROOT / "package.json").read_text())["scripts"]
    used = re.findall(r"npm (?:run --silent )?(lint|types|test|contract)", (ROOT / "Makefile").read_text())
    assert used
    assert set(used) <= scripts.keys()


def test_the_changelog_has_this_version() -> None:
    newest = re.search(r"^## \[([^\]]+)\] - (unreleased|\d{4}-\d\d-\d\d)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert newest is not None
    assert newest[1] == __version__


def test_every_page_of_docs_is_in_the_readme() -> None:
    readme = links(ROOT / "README.md")
    assert [page.name for page in sorted(DOCS.glob("*.md")) if f"docs/{page.name}" not in readme] == []
