"""The page's types are made from the contract, and the committed file is the one the contract makes now."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(
    shutil.which("node") is None or not (ROOT / "node_modules/json-schema-to-typescript").is_dir(),
    reason="needs node and the npm packages",
)
def test_contract_types_are_up_to_date() -> None:
    made = subprocess.run(
        ["node", "tests/contract/write_types.mjs", "--print"],
        cwd=ROOT,
        env={**os.environ, "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    committed = (ROOT / "web/core/contract.d.ts").read_text()
    assert made.stdout == committed, "run `npm run contract` and commit web/core/contract.d.ts"


def test_lock_names_no_registry() -> None:
    assert '"resolved"' not in (ROOT / "package-lock.json").read_text()
