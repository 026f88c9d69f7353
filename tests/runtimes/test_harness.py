import pytest

from dispatchmark.runtimes.harness import harness_url
from tests.runtimes.jobs import job


@pytest.fixture(autouse=True)
def no_drill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPATCHMARK_DRILL", raising=False)


def test_the_page_is_told_its_run_suite_and_seed() -> None:
    one = job("http://127.0.0.1:9/")
    assert harness_url(one, one.start) == f"http://127.0.0.1:9/harness?run={one.start.run_id}&suite=smoke&seed=2"


def test_a_browser_elsewhere_takes_the_address_by_which_it_reaches_the_server() -> None:
    one = job("http://127.0.0.1:9", page_url="https://bench.test/")
    assert harness_url(one, one.start).startswith("https://bench.test/harness?run=")


def test_a_drill_is_handed_on_and_cannot_change_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    one = job()
    monkeypatch.setenv("DISPATCHMARK_DRILL", "lose-device")
    assert harness_url(one, one.start).endswith("&seed=2&drill=lose-device")
    monkeypatch.setenv("DISPATCHMARK_DRILL", "a&run=b #")
    assert harness_url(one, one.start).endswith("&seed=2&drill=a%26run%3Db+%23")
