"""Chooses the version of a release for a key, as the service does but without a request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional, Union

from ._render.values import format_number
from .errors import PromptHarborError

Context = Optional[Mapping[str, Union[str, int, float, bool]]]
"""Attributes that the rules of a release use."""

FULL_WEIGHT = 10_000
MAX_KEY_LENGTH = 1000
_MASK = 0xFFFFFFFF


def murmur_hash3(data: bytes) -> int:
    """Return the hash MurmurHash3 (x86, 32 bits) with the seed 0."""
    length = len(data)
    value = 0
    for start in range(0, length - length % 4, 4):
        value ^= _scramble(int.from_bytes(data[start : start + 4], "little"))
        value = (_rotate(value, 13) * 5 + 0xE6546B64) & _MASK
    if length % 4:
        value ^= _scramble(int.from_bytes(data[length - length % 4 :], "little"))
    value ^= length
    value = ((value ^ (value >> 16)) * 0x85EBCA6B) & _MASK
    value = ((value ^ (value >> 13)) * 0xC2B2AE35) & _MASK
    return value ^ (value >> 16)


def _scramble(word: int) -> int:
    return (_rotate((word * 0xCC9E2D51) & _MASK, 15) * 0x1B873593) & _MASK


def _rotate(word: int, bits: int) -> int:
    return ((word << bits) | (word >> (32 - bits))) & _MASK


def encode_key(text: str) -> bytes:
    """Encode a text as JavaScript does: half of a surrogate pair becomes U+FFFD."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        # Two halves that stand next to each other are a pair in JavaScript.
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode("utf-8")


def bucket_of(salt: str, key: str) -> int:
    """Return the bucket of a key, from 0 to 9,999."""
    return murmur_hash3(encode_key(f"{salt}:{key}")) * FULL_WEIGHT >> 32


def assign(release: Mapping[str, Any], key: str | None, context: Context) -> tuple[int, str]:
    """Return the version that a caller gets, and why: `RULE`, `NO_KEY` or `SPLIT`."""
    for rule in release["rules"]:
        if _matches(rule["if"], key, context):
            return rule["version"], "RULE"
    if key is None:
        return release["control"], "NO_KEY"
    bucket = bucket_of(release["salt"], key)
    end = 0
    for arm in release["arms"]:
        end += arm["weight"]
        if bucket < end:
            return arm["version"], "SPLIT"
    return release["control"], "SPLIT"


def _matches(conditions: Mapping[str, Any], key: str | None, context: Context) -> bool:
    for name, values in conditions.items():
        value = key if name == "key" else (context or {}).get(name)
        if not isinstance(value, (str, int, float)) or _to_text(value) not in values:
            return False
    return True


def _to_text(value: str | int | float) -> str:
    """Write a value as JavaScript does: 5.0 is `5`, and True is `true`."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return format_number(value)


def choose_version(
    labeled: dict[str, Any], release: Mapping[str, Any] | None, key: str | None, context: Context
) -> dict[str, Any]:
    """Return the version that a caller gets, with the reason. `labeled` is the control."""
    if release is None:
        return labeled
    number, reason = assign(release, key, context)
    arm = "control" if number == release["control"] else f"v{number}"
    for version in (labeled, *release["versions"]):
        if version["version"] == number:
            return {**version, "release": {"id": release["id"], "arm": arm, "reason": reason}}
    return labeled


def check_key(key: object) -> None:
    """Raise an error for keys that the service refuses, whether or not there is a release.

    Otherwise, the start of a release could cause errors.
    """
    if key is None:
        return
    if not isinstance(key, str) or not 1 <= len(key) <= MAX_KEY_LENGTH:
        raise PromptHarborError(
            f"A key must be a string of 1 to {MAX_KEY_LENGTH} characters. Leave it out if there is none."
        )
