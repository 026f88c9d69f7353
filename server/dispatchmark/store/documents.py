"""Raw documents as they are stored: canonical JSON, and a digest that tells two documents apart."""

import hashlib
import json
from typing import Any

from dispatchmark.contract.base import Document


def encode(value: Any) -> str:
    """Canonical JSON of plain values: sorted keys, no spaces, ASCII. Raises ValueError for NaN and infinities."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def received(document: Document) -> dict[str, Any]:
    """A document as it was received, as plain values: what the sender left out stays out.

    Only the version of the contract is written in, because a later default would be another one.
    """
    values = document.model_dump(mode="json", exclude_unset=True)
    version = getattr(document, "schema_version", None)
    if version is not None:
        values["schema_version"] = version
    return values


def canonical(document: Document) -> str:
    """A document as it was received, as canonical JSON."""
    return encode(received(document))


def digest(document: Document) -> str:
    """SHA-256 of a document's normal form.

    Defaults are left out of it, so a field that was omitted and one that was sent as its default are the same, and an
    optional field added to the contract later changes no digest.
    """
    return hashlib.sha256(encode(document.model_dump(mode="json", exclude_defaults=True)).encode()).hexdigest()
