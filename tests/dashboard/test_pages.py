import re
from html.parser import HTMLParser
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.dashboard import stored
from tests.ingest import documents
from tests.ingest.documents import RUN_ID, SWEEP_ID

HOSTILE = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>{{ 7 * 7 }}"
VOID = {"meta", "link", "img", "input", "br", "hr"}


class Page(HTMLParser):
    """A page taken apart: well-formedness, links, ids and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def read(client: TestClient, path: str, status: int = 200) -> Page:
    """The page at a path: well-formed, in the house's frame, with no script or style of its own and no foreign host."""
    response = client.get(path, headers={"accept": "text/html"})
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["cross-origin-embedder-policy"] == "require-corp"
    page = Page(response.text)
    assert [tag for tag, attributes in page.tags for key in attributes if key == "style" or key.startswith("on")] == []
    assert all(script.get("src") for script in page.all("script"))
    for attributes in (*page.all("a"), *page.all("link"), *page.all("script")):
        target = attributes.get("href") or attributes.get("src") or ""
        assert target.startswith(("/", "#", "?")) or target == "data:," or "download" in attributes, attributes
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    anchors = [str(one["href"])[1:] for one in page.all("a") if str(one.get("href")).startswith("#")]
    assert set(anchors) <= set(ids)
    return page


def links_work(client: TestClient, page: Page) -> None:
    for attributes in (*page.all("a"), *page.all("link"), *page.all("script")):
        target = attributes.get("href") or attributes.get("src") or ""
        if target.startswith("/"):
            assert client.get(target).status_code == 200, target


def test_an_empty_store_says_how_to_begin(client: TestClient) -> None:
    page = read(client, "/")
    assert "Nothing measured yet" in page.text
    assert "make sweep" in page.text
    assert page.all("table") == []
    links_work(client, page)


def test_the_overview_lists_sweeps_and_runs(client: TestClient) -> None:
    stored.sweep(client, ("chromium", 40.0), ("dawn", 25.0), name="nightly")
    volunteer = documents.volunteer_start(f"{7:032x}")
    assert client.post("/api/runs", json=volunteer).status_code == 201
    page = read(client, "/")
    assert "Nothing measured yet" not in page.text
    assert "nightly bench-1 quick any 2" in page.text
    assert "unknown" in page.text
    assert "running" in page.text
    links_work(client, page)


def test_a_run_shows_its_figures_conditions_and_data(client: TestClient) -> None:
    stored.run(client, parts=stored.everything())
    page = read(client, f"/runs/{RUN_ID}")
    text = page.text
    assert "chromium 156.0" in text
    assert re.search(r"One operation of submit/f32/chained 2[45]\.\d µs 2[45]\.\d – 2[56]\.\d", text)
    assert "Naive: dispatch and wait 130 µs" in text
    assert re.search(r"Total / 100 2\d\.\d µs", text)
    assert "Not measured" in text
    assert "the adapter lacks shader-f16" in text
    # Creating bind groups is beside the calls that every dispatch needs.
    assert "add up to 32.0 µs" in text
    assert "Submit trace" in text
    assert "quantum 5 µs" in text.replace("5.00", "5")
    assert "hopper" in text
    assert len(page.all("svg")) >= 4
    assert all(one["aria-label"] for one in page.all("svg"))
    links_work(client, page)


def test_an_unresolved_run_has_no_figure_and_says_why(client: TestClient) -> None:
    polled = [documents.sample(n, 100_000.0 + rep, rep) for rep in range(12) for n in documents.LADDER]
    stored.run(client, parts=[documents.environment(), documents.case(1, "submit/f32/chained", polled)])
    page = read(client, f"/runs/{RUN_ID}")
    assert "One operation of submit/f32/chained unresolved" in page.text
    assert "the line holds" not in page.text
    assert "1.00 ms" not in page.text.split("Total / 100")[0]


@pytest.mark.parametrize("status", ["failed", "partial", "cancelled", "unsupported", "unavailable"])
def test_a_run_without_figures_says_what_became_of_it(client: TestClient, status: str) -> None:
    end = documents.finish(0, status, reason="the browser went away")
    stored.run(client, parts=[], end=end)
    page = read(client, f"/runs/{RUN_ID}")
    assert "the browser went away" in page.text
    assert "This run has no figure" in page.text
    assert "the browser went away" in read(client, "/").text


def test_a_running_run_can_be_looked_at(client: TestClient) -> None:
    client.post("/api/runs", json=documents.run_start())
    for part in documents.parts()[:4]:
        client.post(f"/api/runs/{RUN_ID}/parts", json=part)
    page = read(client, f"/runs/{RUN_ID}")
    assert "running" in page.text
    assert "hopper" in page.text


def test_an_invalid_run_is_called_invalid(client: TestClient) -> None:
    parts = documents.parts()
    parts[3] |= {"verified": False}
    stored.run(client, parts=parts)
    page = read(client, f"/runs/{RUN_ID}")
    assert "invalid: the results were not those of the dispatches" in page.text
    assert [one for one in page.all("p") if one.get("class") == "warning"]


def test_a_disturbed_run_says_by_how_much(client: TestClient) -> None:
    stored.run(client, parts=documents.parts(25.0, again_us=100.0))
    page = read(client, f"/runs/{RUN_ID}")
    assert "disturbed: something changed while it was measured" in page.text
    assert re.search(r"First case repeated last [34]\.\d\d×", page.text)


def test_a_sweep_compares_its_runtimes(client: TestClient) -> None:
    stored.sweep(client, ("chromium", 50.0), ("dawn", 25.0), ("chromium", 50.5), ("dawn", 25.2), name="nightly")
    page = read(client, f"/sweeps/{SWEEP_ID}")
    assert "nightly" in page.text
    assert "4 runs" in page.text
    assert "Cost of one operation: submit/f32/chained" in page.text
    assert re.search(r"chromium 1\.0 .*50\.\d µs", page.text)
    assert re.search(r"2\.0\d×( \d\.\d\d – \d\.\d\d)? to dawn", page.text)
    assert "Where the microseconds go" in page.text
    assert len(page.all("svg")) == 1
    links_work(client, page)


def test_a_case_of_a_sweep_can_be_chosen(client: TestClient) -> None:
    client.post("/api/sweeps", json=documents.sweep_start())
    stored.run(client, 1, stored.everything(), sweep_id=SWEEP_ID, position=0)
    page = read(client, f"/sweeps/{SWEEP_ID}?case=dispatches/f32/chained")
    assert "Cost of one operation: dispatches/f32/chained" in page.text
    (current,) = [one for one in page.all("a") if one.get("aria-current")]
    assert current["href"] == "?case=dispatches/f32/chained"
    for odd in ("nonsense", "", "control/clock", "x" * 500, "<b>"):
        assert "operation: submit/f32/chained" in read(client, f"/sweeps/{SWEEP_ID}?case={odd}").text


def test_a_baseline_that_is_no_row_is_not_found(client: TestClient) -> None:
    stored.sweep(client, ("chromium", 50.0), ("dawn", 25.0))
    assert "50.0" in read(client, f"/sweeps/{SWEEP_ID}?baseline=dawn").text
    read(client, f"/sweeps/{SWEEP_ID}?baseline=safari", status=404)
    read(client, f"/sweeps/{SWEEP_ID}?baseline={'x' * 500}", status=404)


def test_a_sweep_without_a_figure_is_a_table_of_reasons(client: TestClient) -> None:
    client.post("/api/sweeps", json=documents.sweep_start())
    end = documents.finish(0, "unavailable", reason="there is no safaridriver")
    stored.run(client, 1, [], sweep_id=SWEEP_ID, position=0, runtime={"name": "safari"}, end=end)
    page = read(client, f"/sweeps/{SWEEP_ID}")
    assert "there is no safaridriver" in page.text
    assert page.all("svg") == []


def test_a_sweep_that_has_not_begun_has_a_page(client: TestClient) -> None:
    client.post("/api/sweeps", json=documents.sweep_start())
    assert "0 runs" in read(client, f"/sweeps/{SWEEP_ID}").text


@pytest.mark.parametrize(
    "path",
    [f"/runs/{RUN_ID}", f"/sweeps/{SWEEP_ID}", "/runs/nothing", "/sweeps/%00", f"/runs/{'f' * 200}", "/runs/<b>x</b>"],
)
def test_what_is_not_there_is_a_page_that_says_so(client: TestClient, path: str) -> None:
    page = read(client, path, status=404)
    assert "There is no" in page.text
    assert page.all("b") == []


def hostile_parts() -> list[dict[str, Any]]:
    adapter = {"vendor": HOSTILE, "description": HOSTILE, "features": [HOSTILE[:200]], "limits": {HOSTILE[:200]: 1.0}}
    page = {"user_agent": HOSTILE, "battery": HOSTILE}
    environment = documents.environment(adapter=adapter, page=page, libraries={HOSTILE: HOSTILE})
    clock = documents.control(1, "control/clock", **{HOSTILE: HOSTILE, "quantum_us": HOSTILE})
    ladder = documents.ladder(2, 25.0)
    ladder["series"][0]["label"] = HOSTILE
    failed = documents.case(3, "naive/f32", status="failed", reason=HOSTILE)
    phase = documents.case(4, "phases/f32", series=[stored.phases(4)["series"][0] | {"label": HOSTILE}])
    return [environment, clock, ladder, failed, phase]


def test_nothing_that_a_stranger_sends_becomes_markup(client: TestClient) -> None:
    machine = {"name": HOSTILE, "cpu": HOSTILE, "gpus": [HOSTILE]}
    client.post("/api/sweeps", json=documents.sweep_start(name=HOSTILE, machine=machine))
    launch = {"profile": HOSTILE, "flags": [HOSTILE], "preferences": {HOSTILE: HOSTILE}}
    runtime = {"name": "chromium", "version": HOSTILE}
    parts = hostile_parts()
    start = {"sweep_id": SWEEP_ID, "position": 0, "machine": machine, "launch": launch, "runtime": runtime}
    stored.run(client, 1, parts, end=documents.finish(len(parts), "partial", reason=HOSTILE), **start)
    for path in ("/", f"/runs/{RUN_ID}", f"/sweeps/{SWEEP_ID}"):
        page = read(client, path)
        assert page.all("img") == page.all("script") == []
        assert "alert('x')" in page.text, path
        assert "{{ 7 * 7 }}" in page.text, path
        assert "49" not in page.text.split("{{ 7 * 7 }}")[0][-3:]


def test_numbers_that_a_stranger_sends_fill_no_page(client: TestClient) -> None:
    spans = [documents.sample(n, 1e-3 * n, rep) for rep in range(12) for n in (0, 1, 10, 1_000_000)]
    endless = documents.control(2, "control/clock", a=1e-308, b=1e308, c=10**300, quantum_us=1e-320)
    stored.run(client, parts=[documents.environment(), documents.case(1, "submit/f32/chained", spans), endless])
    page = read(client, f"/runs/{RUN_ID}")
    assert "0" * 100 not in page.text.replace(str(10**300), "")


def test_the_page_to_measure_on_names_its_suites_and_works_without_a_choice(client: TestClient) -> None:
    page = read(client, "/bench")
    values = [one["value"] for one in page.all("option")]
    assert values[0] == "quick"
    assert {"standard", "full"} <= set(values)
    (root,) = [one for _, one in page.tags if one.get("id") == "bench"]
    assert re.fullmatch("[0-9a-f]{64}", str(root["data-suite-hash"]))
    (start,) = [one for one in page.all("button") if one.get("id") == "start"]
    assert "disabled" in start
    links_work(client, page)


def test_the_harness_carries_the_build_of_the_page(client: TestClient) -> None:
    tags = [*read(client, "/harness").tags, *read(client, "/bench").tags]
    builds = {one["data-build"] for _, one in tags if "data-build" in one}
    assert len(builds) == 1
    assert re.fullmatch("[0-9a-f]{16}", str(builds.pop()))
