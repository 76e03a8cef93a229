"""Reads the numbers and names in a response of a model. Does not read its content."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

MAX_TOKENS = 1_000_000_000
MAX_MODEL_LENGTH = 200
MAX_ID_LENGTH = 200
MAX_ERRORS = 4
_ERROR_TYPE = re.compile(r"[\w.:/-]{1,100}", re.ASCII)
_WHOLE_TYPES = (None, "message", "ai", "AIMessage")
"""The types of whole responses. Other values with a `type` are parts of a stream."""


def read_response(value: Any) -> dict[str, Any]:
    """Return the model, the id and the tokens of a response, or of one part of a stream.

    Supports OpenAI's chat completions and responses, Anthropic's messages and LangChain.
    """
    inner = [_field(value, "response"), _field(value, "message")]
    kind = _field(value, "type")
    named = [value, *inner] if kind in _WHOLE_TYPES else inner
    usage = _field(value, "usage") or _field(value, "usage_metadata")
    if usage is None:
        usage = next((found for each in inner if (found := _field(each, "usage"))), None)
    facts = {
        "model": _text([name for each in named for name in _models(each)], MAX_MODEL_LENGTH),
        "responseId": _text([_field(each, "id") for each in named], MAX_ID_LENGTH),
        "inputTokens": _count(_field(usage, "prompt_tokens"), _input_tokens(usage)),
        "outputTokens": _count(_field(usage, "completion_tokens"), _field(usage, "output_tokens")),
        "error": _error(value, kind),
    }
    return {name: each for name, each in facts.items() if each is not None}


def _field(value: Any, name: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(name)
    if value is None or isinstance(value, (str, bytes, int, float, list)):
        return None
    return getattr(value, name, None)


def _models(value: Any) -> list[Any]:
    metadata = _field(value, "response_metadata")
    return [_field(value, "model"), _field(metadata, "model_name"), _field(metadata, "model")]


def _input_tokens(usage: Any) -> int | None:
    """Return the input tokens. Anthropic reports tokens of the cache separately."""
    tokens = _count(_field(usage, "input_tokens"))
    if tokens is None:
        return None
    written = _count(_field(usage, "cache_creation_input_tokens")) or 0
    return tokens + written + (_count(_field(usage, "cache_read_input_tokens")) or 0)


def _error(value: Any, kind: Any) -> str | None:
    if kind == "error":
        return error_type(_field(value, "error") or value)
    if kind == "response.failed":
        return error_type(_field(_field(value, "response"), "error"))
    if _field(value, "status") == "failed":
        return error_type(_field(value, "error"))
    return None


def error_type(err: Any) -> str:
    """Return the type of an error: its status, its code or its name, but never its message."""
    current = err
    for _ in range(MAX_ERRORS):
        if current is None:
            break
        status = _field(current, "status_code") or _field(current, "status")
        if isinstance(status, int) and 100 <= status < 600:
            return str(status)
        code = _field(current, "code")
        if isinstance(code, str) and _ERROR_TYPE.fullmatch(code):
            return code
        current = getattr(current, "__cause__", None)
    name = type(err).__name__ if isinstance(err, BaseException) else "other"
    return name if _ERROR_TYPE.fullmatch(name) else "other"


def _text(values: list[Any], max_length: int) -> str | None:
    for value in values:
        if isinstance(value, str) and 0 < len(value) <= max_length:
            return value
    return None


def _count(*values: Any) -> int | None:
    for value in values:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_TOKENS:
            return value
    return None
