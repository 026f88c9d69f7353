"""The pages in real browsers: a volunteer measures, and what was measured can be read, on a phone too."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from dispatchmark.app import create_app, embedded
from dispatchmark.config import Settings
from dispatchmark.contract import suite as suites
from dispatchmark.contract.base import Origin, RuntimeName
from dispatchmark.contract.submission import CasePart, Submission
from dispatchmark.runtimes.base import Options
from dispatchmark.runtimes.launching import started
from tests.dashboard import stored
from tests.ingest.documents import RUN_ID, SWEEP_ID

PATIENCE_MS = 240_000
NO_GPU = "Object.defineProperty(Navigator.prototype, 'gpu', { value: undefined });"
COMMANDS = {RuntimeName.CHROMIUM: "chromium", RuntimeName.FIREFOX: "firefox-esr"}


def needs(name: RuntimeName) -> pytest.MarkDecorator:
    command = COMMANDS[name]
    return pytest.mark.skipif(shutil.which(command) is None, reason=f"{command} is not installed")


pytestmark = pytest.mark.e2e
chromium, firefox = needs(RuntimeName.CHROMIUM), needs(RuntimeName.FIREFOX)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a run that has everything, and a sweep."""
    database: Path = tmp_path_factory.mktemp("store") / "store.db"
    settings = Settings(database=str(database), port=0)
    with TestClient(create_app(settings)) as client:
        stored.sweep(client, ("chromium", 50.0), ("dawn", 25.0), ("chromium", 50.5), ("dawn", 25.2), name="nightly")
        stored.run(client, parts=stored.everything())
    with embedded(settings) as url:
        yield url


@contextmanager
def opened(name: RuntimeName, script: str | None = None) -> Iterator[Page]:
    """A page in a browser with a software adapter. Errors fail, and so does what the pages' own policy forbids."""
    complaints: list[str] = []
    with started(name, Options(adapter="software")) as (browser, _):
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        if script is not None:
            page.add_init_script(script)
        yield page
    assert complaints == []


def begin(page: Page, url: str, suite: str) -> None:
    """Opens the page to measure on, chooses a suite as soon as it is ready, and starts."""
    page.goto(f"{url}/bench")
    expect(page.locator("#start")).to_be_enabled(timeout=PATIENCE_MS)
    assert page.locator("#checks li").count() >= 2
    if page.locator(f"#suite option[value={suite}]").count() == 0:
        # Volunteers are not offered the shortest suite, which spares these tests half a minute.
        page.locator("#suite").evaluate("(list, name) => list.add(new Option(name, name))", suite)
    page.select_option("#suite", suite)
    page.click("#start")


def sent(page: Page, url: str) -> Submission:
    """What the page says it has sent, which is what the server has of the run behind the permalink."""
    path = page.locator("#permalink").get_attribute("href")
    shown = Submission.model_validate_json(page.locator("#document").text_content() or "")
    assert shown == Submission.model_validate_json(httpx.get(f"{url}/api{path}/document").content)
    assert shown.start.origin is Origin.VOLUNTEER
    return shown


@pytest.mark.parametrize(
    ("name", "suite"),
    [
        pytest.param(RuntimeName.CHROMIUM, "quick", marks=chromium),
        pytest.param(RuntimeName.FIREFOX, "smoke", marks=firefox),
    ],
)
def test_a_volunteer_measures_the_own_browser(url: str, name: RuntimeName, suite: str) -> None:
    expected = suites.load().suites[suite].cases
    with opened(name) as page:
        begin(page, url, suite)
        expect(page.locator("#start")).to_be_disabled()
        expect(page.locator("#progress-text")).to_contain_text(f" of {len(expected) + 1}", timeout=PATIENCE_MS)
        page.wait_for_selector("#live circle", state="attached")
        page.wait_for_selector("#permalink")
        assert page.locator("#result h2").inner_text().startswith(("One dispatch costs", "The cost could not"))
        assert not page.locator("#running").is_visible()
        assert page.locator("#start").is_enabled()
        run = sent(page, url)
        page.click("#permalink")
        page.wait_for_selector("dl.figures")
        assert page.locator("h1").inner_text().startswith(name.value)
        assert page.locator("svg.plot circle").count() > 10
    assert run.finish.status == "finished"
    cases = [part for part in run.parts if isinstance(part, CasePart)]
    assert [case.case_id for case in cases] == [*expected, "submit/f32/chained"]
    assert {case.status for case in cases} <= {"measured", "unsupported"}
    assert [case.verified for case in cases if case.case_id == "submit/f32/chained"] == [True, True]


@chromium
def test_a_volunteer_may_stop_and_what_was_measured_is_kept(url: str) -> None:
    with opened(RuntimeName.CHROMIUM) as page:
        begin(page, url, "quick")
        page.wait_for_selector("#live circle", state="attached")
        page.click("#cancel")
        page.wait_for_selector("#permalink")
        assert "You cancelled" in page.locator("#result").inner_text()
        run = sent(page, url)
        path = page.locator("#permalink").get_attribute("href")
    assert run.finish.status == "cancelled"
    assert len(run.parts) < len(suites.load().suites["quick"].cases) + 2
    assert httpx.get(f"{url}/api{path}").json()["status"] == "cancelled"


@chromium
def test_a_browser_without_webgpu_is_told_so_and_cannot_start(url: str) -> None:
    with opened(RuntimeName.CHROMIUM, NO_GPU) as page:
        page.goto(f"{url}/bench")
        page.wait_for_selector("#checks li.bad")
        assert "navigator.gpu is missing" in page.locator("#checks").inner_text()
        assert page.locator("#start").is_disabled()


@chromium
def test_no_page_is_wider_than_its_screen_and_figures_are_in_sight(url: str) -> None:
    paths = ["/", f"/sweeps/{SWEEP_ID}", f"/runs/{RUN_ID}", "/bench"]
    with opened(RuntimeName.CHROMIUM) as page:
        for width in (1200, 390):
            page.set_viewport_size({"width": width, "height": 900})
            for path in paths:
                page.goto(url + path)
                assert page.evaluate("document.documentElement.scrollWidth") <= width, f"{path} at {width}"
        page.goto(f"{url}/sweeps/{SWEEP_ID}")
        for figure in page.locator("td strong").all():
            box = figure.bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= 390, json.dumps(box)
