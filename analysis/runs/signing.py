"""The checksum of a manifest, by which a change of its file shows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

CHECKSUM = "manifest_sha256"
"""Key of the manifest's checksum in its file."""


def checksum(table: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a manifest without its checksum, as canonical JSON."""
    return sha256_of({key: value for key, value in table.items() if key != CHECKSUM})


def signed(table: Mapping[str, Any]) -> str:
    """Return the text of a manifest's file: the table with its checksum."""
    return json.dumps({**table, CHECKSUM: checksum(table)}, indent=2, ensure_ascii=False) + "\n"


def sha256_of(table: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a table as canonical JSON."""
    text = json.dumps(table, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()
