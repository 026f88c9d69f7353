"""Writes docs/cases.md from wgsl/suite.json: `make cases`. The cases are described once, as data."""

from pathlib import Path

from dispatchmark.contract.suite import Case, CaseKind, Suite, SuiteFile, load

PAGE = Path(__file__).resolve().parent.parent / "docs" / "cases.md"

KINDS: dict[CaseKind, tuple[str, str]] = {
    CaseKind.CONTROL: (
        "Controls",
        "What the instrument itself does, measured in every run. They decide which spans can be believed.",
    ),
    CaseKind.NAIVE: (
        "Naive timing",
        "One dispatch and a wait, again and again. Kept for comparison with what others report: nearly all of it is "
        "the wait.",
    ),
    CaseKind.LADDER: (
        "Ladders",
        "T(N) over a ladder of N in random order. The slope is the cost of one more operation, the intercept that of "
        "synchronising once.",
    ),
    CaseKind.PHASES: (
        "Phases",
        "The caller's own time in each API call, in batches of hundreds, since no browser clock resolves one call.",
    ),
    CaseKind.TRACE: ("Traces", "A time stamp after every operation of one long batch."),
    CaseKind.CHUNK: ("Chunks", "The same work in submits of different sizes."),
    CaseKind.CARRYOVER: ("Carry-over", "What a device remembers of the work that went before."),
}


def page(suites: SuiteFile) -> str:
    """The whole page."""
    return "\n".join([*_head(suites), *_suites(suites), *_cases(suites)]) + "\n"


def _head(suites: SuiteFile) -> list[str]:
    work = suites.workload
    return [
        "# Cases and suites",
        "",
        "Written by `make cases` from [wgsl/suite.json](../wgsl/suite.json), which the page, the JavaScript hosts and "
        "the native runners read; change it there.",
        "",
        f"Every case works on {work.elements} elements with {work.workgroups} workgroups of {work.workgroup_size} "
        "invocations, each of which adds 1 to one element: so little that the cost is the dispatch, and a buffer read "
        "back tells how many dispatches there were. The kernels are described in [wgsl/README.md](../wgsl/README.md). "
        "What is computed from the samples is in [methodology.md](methodology.md).",
        "",
    ]


def _suites(suites: SuiteFile) -> list[str]:
    lines = ["## Suites", "", "| suite | what it is | cases | time per case | longest span | rounds | stops at |"]
    lines.append("|---|---|---|---|---|---|---|")
    for name, suite in suites.suites.items():
        lines.append(
            f"| `{name}` | {suite.summary} | {len(suite.cases)} | {suite.case_budget_ms / 1000:g} s | "
            f"{suite.batch_cap_ms} ms | {suite.min_rounds} to {suite.max_rounds} | ±{suite.narrow:.1%} |"
        )
    lines += [
        "",
        "A ladder is measured in rounds: each visits up to "
        f"{max(suite.rungs for suite in suites.suites.values())} rungs of N in random order. It ends when the slope is "
        "known to the width under *stops at*, when the time for the case is used up, or after the last round.",
        "",
    ]
    return lines


def _cases(suites: SuiteFile) -> list[str]:
    lines: list[str] = []
    for kind, (title, what) in KINDS.items():
        chosen = [case for case in suites.cases if case.kind is kind]
        if not chosen:
            continue
        lines += [f"## {title}", "", what, "", "| case | what it measures | up to N | needs | suites |"]
        lines.append("|---|---|---|---|---|")
        for case in chosen:
            needs = ", ".join(f"`{feature}`" for feature in case.features)
            largest = "" if kind is CaseKind.CONTROL else f"{case.max_n}"
            where = ", ".join(name for name, suite in suites.suites.items() if _holds(suite, case))
            lines.append(f"| `{case.id}` | {case.summary} | {largest} | {needs} | {where} |")
        lines.append("")
    return lines[:-1]


def _holds(suite: Suite, case: Case) -> bool:
    return case.id in suite.cases


if __name__ == "__main__":
    PAGE.write_text(page(load()))
    print(f"wrote {PAGE}")
