"""What a user may name on the command line: runtimes, suites, cases, and choices made for one runtime."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from dispatchmark.contract.base import RuntimeName
from dispatchmark.contract.suite import SuiteFile
from dispatchmark.runtimes.profiles import PROFILES

from .failure import usage

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
REFERENCE_CASE = "submit/f32/chained"


def runtimes(text: str | None) -> list[RuntimeName]:
    """The runtimes of a comma-separated list, each once, in its order; all where none is given."""
    if text is None:
        return list(RuntimeName)
    names = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    unknown = [name for name in names if name not in set(RuntimeName)]
    if unknown or not names:
        usage(f"no runtime {', '.join(unknown) or 'given'}; there are {', '.join(RuntimeName)}")
    return [RuntimeName(name) for name in names]


def suite_name(text: str, suite: SuiteFile) -> str:
    """A suite that exists."""
    if text not in suite.suites:
        usage(f"no suite {text}; there are {', '.join(suite.suites)}")
    return text


def cases(chosen: Sequence[str], suite: SuiteFile, name: str | None = None) -> list[str]:
    """The cases to show: the chosen ones, else the reference case, else the suite's first ladder."""
    known = suite.cases_of(name) if name is not None else suite.cases
    figures = [case.id for case in known if case.kind == "ladder"]
    unknown = [case for case in chosen if case not in figures]
    if unknown:
        where = f"suite {name} has" if name is not None else "there are"
        usage(f"no case {', '.join(unknown)} with a figure to compare; {where} {', '.join(figures)}")
    if chosen:
        return list(dict.fromkeys(chosen))
    return [REFERENCE_CASE] if REFERENCE_CASE in figures else figures[:1]


def profile(text: str) -> str:
    """A launch profile that exists."""
    if text not in PROFILES:
        usage(f"no profile {text}; there are {', '.join(PROFILES)}")
    return text


def baseline(text: str | None, chosen: Sequence[RuntimeName]) -> str | None:
    """A row that the sweep will have: its key begins with its runtime."""
    if text is not None and text.partition("/")[0].partition(" ")[0] not in set(chosen):
        usage(f"no row {text} to compare with; the sweep will have {', '.join(chosen)}")
    return text


def target(text: str | None) -> str | None:
    """Where JSON is written: a file in a folder that is there, or - ."""
    if text is not None and text != "-" and not Path(text).expanduser().absolute().parent.is_dir():
        usage(f"--json {text}: no such folder")
    return text


def listening(page_url: str) -> tuple[str, int]:
    """Address and port on which a server of the sweep's own listens so that browsers reach it under `page_url`."""
    try:
        parts = urlsplit(page_url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if host is None or port is None:
        usage(f"--page-url {page_url}: give it as http://HOST:PORT, or give the server with --server")
    return ("127.0.0.1" if host in LOOPBACK else "0.0.0.0", port)


def per_runtime(option: str, values: Iterable[str], chosen: Sequence[RuntimeName]) -> dict[RuntimeName, str]:
    """Values given as RUNTIME=VALUE, or as a bare VALUE where only one runtime was chosen."""
    found: dict[RuntimeName, str] = {}
    for text in values:
        name, separator, value = text.partition("=")
        if separator and name in set(RuntimeName):
            found[RuntimeName(name)] = value
        elif len(chosen) == 1:
            found[chosen[0]] = text
        else:
            usage(f"{option} {text}: say for which runtime, as in {option} {chosen[0]}={text}")
    strangers = [name for name in found if name not in chosen]
    if strangers:
        usage(f"{option} is for {', '.join(strangers)}, which --runtimes leaves out")
    return found
