import pytest

from dispatchmark.runtimes.base import Options
from dispatchmark.runtimes.remote import is_grid, is_here, origin, unreachable
from tests.runtimes.jobs import job


@pytest.mark.parametrize(
    ("endpoint", "grid"),
    [("http://lab:4444/wd/hub", True), ("https://lab", True), ("ws://lab:3000", False), ("wss://lab/x", False)],
)
def test_a_grid_speaks_http(endpoint: str, grid: bool) -> None:
    assert is_grid(endpoint) is grid
    assert is_grid(None) is False


@pytest.mark.parametrize(
    ("endpoint", "shown"),
    [
        ("ws://127.0.0.1:42087/523d61fdccbd2a0e8c37cfbd5e796522", "ws://127.0.0.1:42087"),
        ("wss://user:secret@lab.test/browser?token=secret#secret", "wss://lab.test"),
        ("http://user:secret@[::1]:4444/wd/hub", "http://[::1]:4444"),
    ],
)
def test_what_is_recorded_of_an_endpoint_holds_no_credential(endpoint: str, shown: str) -> None:
    assert origin(endpoint) == shown


def test_only_loopback_addresses_mean_this_machine() -> None:
    assert all(map(is_here, [None, "http://127.0.0.1:4444", "ws://localhost:3000/x", "http://[::1]:1"]))
    assert not any(map(is_here, ["http://lab:4444", "ws://192.168.0.7:3000", "https://localhost.lab.test"]))


@pytest.mark.parametrize(
    ("remote", "server_url", "page_url", "reachable"),
    [
        (None, "http://127.0.0.1:9", None, True),
        ("ws://127.0.0.1:3000/x", "http://127.0.0.1:9", None, True),
        ("ws://lab:3000/x", "http://127.0.0.1:9", None, False),
        ("ws://lab:3000/x", "https://bench.test", None, True),
        ("ws://lab:3000/x", "http://127.0.0.1:9", "https://bench.test", True),
        ("http://lab:4444", "https://bench.test", "http://localhost:9", False),
    ],
)
def test_a_browser_elsewhere_needs_an_address_that_means_the_server_there(
    remote: str | None, server_url: str, page_url: str | None, reachable: bool
) -> None:
    problem = unreachable(job(server_url, page_url=page_url, options=Options(remote=remote)))
    assert (problem is None) is reachable
    if problem is not None:
        assert "--page-url" in problem
        assert origin(str(remote)) in problem
