import pytest

from dispatchmark.ingest.browsers import runtime

APPLE = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
BLINK = "AppleWebKit/537.36 (KHTML, like Gecko)"
WINDOWS = f"Mozilla/5.0 (Windows NT 10.0) {BLINK} Chrome/156.0.0.0 Safari/537.36"


@pytest.mark.parametrize(
    ("user_agent", "name", "version"),
    [
        (f"Mozilla/5.0 (X11; Linux x86_64) {BLINK} Chrome/156.0.0.0 Safari/537.36", "chromium", "156.0.0.0"),
        (f"Mozilla/5.0 (X11; Linux x86_64) {BLINK} HeadlessChrome/156.0.0.0 Safari/537.36", "chromium", "156.0.0.0"),
        (
            f"{WINDOWS} Edg/156.0.0.0",
            "chromium",
            "156.0.0.0",
        ),
        (
            f"{WINDOWS} OPR/120.0.0.0",
            "chromium",
            "156.0.0.0",
        ),
        (f"Mozilla/5.0 (Linux; Android 16) {BLINK} Chrome/156.0.0.0 Mobile Safari/537.36", "chromium", "156.0.0.0"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0", "firefox", "153.0"),
        ("Mozilla/5.0 (Android 16; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0", "firefox", "153.0"),
        (f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {APPLE} Version/26.2 Safari/605.1.15", "safari", "26.2"),
        (
            f"Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) {APPLE} Version/26.0 Mobile/15E148 Safari/604.1",
            "safari",
            "26.0",
        ),
        (
            f"Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) {APPLE} CriOS/156.0 Mobile/15E148 Safari/604.1",
            "safari",
            "26.0",
        ),
        (f"Mozilla/5.0 (X11; Linux x86_64) {APPLE} Version/26.0 Safari/605.1.15", "webkitgtk", "26.0"),
    ],
)
def test_engines_are_told_apart(user_agent: str, name: str, version: str) -> None:
    found = runtime(user_agent)
    assert found is not None
    assert (found.name, found.version) == (name, version)


@pytest.mark.parametrize("user_agent", ["", "curl/8.0", "Googlebot/2.1 (+http://www.google.com/bot.html)", "\0" * 50])
def test_what_is_no_browser_has_no_runtime(user_agent: str) -> None:
    assert runtime(user_agent) is None
