"""docs/cases.md is written from wgsl/suite.json; a page that lags behind would describe another benchmark."""

from dispatchmark.contract.suite import CaseKind, load
from scripts.cases import KINDS, PAGE, page


def test_the_page_is_the_suite_file_as_it_is() -> None:
    assert PAGE.read_text() == page(load()), "run `make cases`"


def test_every_case_suite_and_kind_is_described() -> None:
    written = page(load())
    for case in load().cases:
        assert f"| `{case.id}` | {case.summary} |" in written
    for suite in load().suites:
        assert f"| `{suite}` |" in written
    assert KINDS.keys() == set(CaseKind)
