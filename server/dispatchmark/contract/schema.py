"""Writes the JSON Schema of the contract: `python -m dispatchmark.contract.schema > FILE`; `npm run contract` makes
the page's types from it, so that the contract is described once."""

import json
import sys

from pydantic import TypeAdapter

from .comparison import Attribution, Comparison
from .receipt import (
    ErrorAnswer,
    Health,
    Progress,
    Receipt,
    RunList,
    RunReport,
    SweepList,
    SweepReceipt,
    SweepReport,
)
from .submission import Finish, Part, RunStart, Submission, SweepStart
from .suite import SuiteFile

DOCUMENTS = (
    SweepStart
    | RunStart
    | Part
    | Finish
    | Submission
    | Receipt
    | Progress
    | RunReport
    | RunList
    | SweepReceipt
    | SweepReport
    | SweepList
    | Health
    | ErrorAnswer
    | Comparison
    | Attribution
    | SuiteFile
)


def schema() -> dict[str, object]:
    """One JSON Schema (2020-12) with every document under $defs."""
    return TypeAdapter[object](DOCUMENTS).json_schema(mode="validation") | {"title": "Contract"}


if __name__ == "__main__":
    json.dump(schema(), sys.stdout, indent=2, sort_keys=True)
    sys.stdout.write("\n")
