import json

import pytest

from dispatchmark.contract.submission import Finish, RunStart
from dispatchmark.store import documents
from tests.ingest.documents import run_start


def test_what_was_left_out_stays_out_but_for_the_version() -> None:
    start = RunStart.model_validate(run_start())
    assert set(json.loads(documents.canonical(start))) == set(run_start()) | {"schema_version"}


def test_the_same_document_has_one_digest_however_it_is_spelled() -> None:
    plain = RunStart.model_validate(run_start())
    spelled_out = RunStart.model_validate_json(plain.model_dump_json())
    assert documents.canonical(plain) != documents.canonical(spelled_out)
    assert documents.digest(plain) == documents.digest(spelled_out)


def test_another_document_has_another_digest() -> None:
    assert documents.digest(Finish(status="finished", parts=1)) != documents.digest(Finish(status="finished", parts=2))


def test_what_is_no_number_is_no_document() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        documents.encode(float("nan"))
