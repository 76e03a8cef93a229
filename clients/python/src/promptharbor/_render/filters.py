"""The filters whose results are certain to be the same as in the service."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from .arithmetic import arithmetic, divide, modulo, read_number, round_number
from .values import (
    BLANKS,
    UNDEFINED,
    NeedsService,
    is_astral,
    is_number,
    is_truthy,
    length_of,
    to_json,
    to_text,
)

_BLANK = re.compile(f"[{BLANKS}]+")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;"}
MAX_CASE_CHARACTER = 0x17F
"""Up to this character, Python and JavaScript agree on the case of letters in all versions."""


def _default(value: Any, default: Any) -> Any:
    if isinstance(value, (str, list)):
        return value if len(value) > 0 else default
    return value if is_truthy(value) else default


def _cased(value: Any) -> str:
    text = to_text(value)
    if text and max(map(ord, text)) > MAX_CASE_CHARACTER:
        raise NeedsService("it changes the case of letters beyond U+017F")
    return text


def _capitalize(value: Any) -> str:
    text = _cased(value)
    return text[:1].upper() + text[1:].lower()


def _replace(value: Any, pattern: Any, replacement: Any = UNDEFINED) -> str:
    text, searched = to_text(value), _pattern(pattern)
    return text.replace(searched, to_text(replacement))


def _replace_first(value: Any, pattern: Any, replacement: Any = UNDEFINED) -> str:
    return to_text(value).replace(_pattern(pattern), to_text(replacement), 1)


def _pattern(value: Any) -> str:
    text = to_text(value)
    if text == "":
        raise NeedsService("it searches for an empty string")
    return text


def _split(value: Any, separator: Any) -> list[Any]:
    text, by = to_text(value), to_text(separator)
    if by == "" and is_astral(text):
        raise NeedsService("it splits a string with characters beyond U+FFFF into characters")
    parts = text.split(by) if by else list(text)
    while parts and parts[-1] == "":
        parts.pop()
    return parts


def _join(value: Any, separator: Any = None) -> str:
    glue = " " if separator is None or separator is UNDEFINED else to_text(separator)
    return glue.join(_item_text(each) for each in _to_list(value))


def _item_text(value: Any) -> str:
    if isinstance(value, (list, dict)):
        raise NeedsService("it joins items that are lists or objects")
    return to_text(value)


def _to_list(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    return [] if value is None or value is UNDEFINED else [value]


def _end(value: Any, index: int) -> Any:
    if isinstance(value, dict) or (isinstance(value, str) and is_astral(value)):
        raise NeedsService("it reads the first or last item of an unsupported value")
    if isinstance(value, list):
        return value[index] if value else UNDEFINED
    return value[index] if isinstance(value, str) and value else ""


def _size(value: Any) -> int:
    if isinstance(value, dict):
        raise NeedsService("it reads the size of an object with a filter")
    if isinstance(value, str):
        return length_of(value)
    return len(value) if isinstance(value, list) else 0


def _truncate(value: Any, length: Any = 50, ellipsis: Any = UNDEFINED) -> Any:
    text, end, limit = to_text(value), _ellipsis_of(ellipsis), _count(length)
    if len(text) <= limit:
        return value
    return text[: max(limit - len(end), 0)] + end


def _ellipsis_of(value: Any) -> str:
    """Return the ellipsis. In JavaScript, an undefined argument counts as missing, but null does not."""
    return "..." if value is UNDEFINED else to_text(value)


def _truncate_words(value: Any, words: Any = 15, ellipsis: Any = UNDEFINED) -> str:
    limit = max(_count(words), 1)
    text = to_text(value).lstrip(BLANKS)
    parts = _BLANK.split(text)
    shown = " ".join(parts[:limit])
    return shown + _ellipsis_of(ellipsis) if len(parts) >= limit else shown


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise NeedsService("a length is not a whole number")
    return value


def _slice(value: Any, begin: Any, length: Any = 1) -> Any:
    if value is None or value is UNDEFINED:
        return []
    source = value if isinstance(value, list) else to_text(value)
    if not isinstance(begin, int) or isinstance(begin, bool):
        raise NeedsService("a position is not a whole number")
    start = len(source) + begin if begin < 0 else begin
    if start < 0:
        return [] if isinstance(source, list) else ""
    return source[start : start + _count(length)]


def _sort(value: Any) -> list[Any]:
    items = _to_list(value)
    is_sortable = all(map(is_number, items)) or all(
        isinstance(each, str) and not is_astral(each) for each in items
    )
    if not is_sortable:
        raise NeedsService("it sorts values of different types")
    return sorted(items)


def _uniq(value: Any) -> list[Any]:
    items = _to_list(value)
    if any(isinstance(each, (list, dict)) for each in items):
        raise NeedsService("it compares lists or objects")
    return list({(type(each) is bool, each): each for each in items}.values())


def _map(value: Any, name: Any) -> list[Any]:
    from .context import read_property

    items = _to_list(value)
    # In LiquidJS, the name may be a path, and some names have a special meaning for lists and texts.
    if not isinstance(name, str) or "." in name or not all(isinstance(each, dict) for each in items):
        raise NeedsService("it uses an unsupported form of the filter map")
    return [read_property(each, name) for each in items]


def _concat(value: Any, other: Any) -> list[Any]:
    return [*_to_list(value), *_to_list(other)]


def _json(value: Any) -> Any:
    return UNDEFINED if value is UNDEFINED else to_json(value)


FILTERS: dict[str, Callable[..., Any]] = {
    "default": _default,
    "upcase": lambda value: _cased(value).upper(),
    "downcase": lambda value: _cased(value).lower(),
    "capitalize": _capitalize,
    "append": lambda value, other: to_text(value) + to_text(other),
    "prepend": lambda value, other: to_text(other) + to_text(value),
    "strip": lambda value: to_text(value).strip(BLANKS),
    "lstrip": lambda value: to_text(value).lstrip(BLANKS),
    "rstrip": lambda value: to_text(value).rstrip(BLANKS),
    "strip_newlines": lambda value: re.sub(r"\r?\n", "", to_text(value)),
    "newline_to_br": lambda value: re.sub(r"\r?\n", "<br />\n", to_text(value)),
    "escape": lambda value: "".join(_ESCAPES.get(each, each) for each in to_text(value)),
    "replace": _replace,
    "replace_first": _replace_first,
    "remove": lambda value, pattern: _replace(value, pattern, ""),
    "remove_first": lambda value, pattern: _replace_first(value, pattern, ""),
    "split": _split,
    "join": _join,
    "first": lambda value: _end(value, 0),
    "last": lambda value: _end(value, -1),
    "size": _size,
    "plus": arithmetic(lambda left, right: left + right),
    "minus": arithmetic(lambda left, right: left - right),
    "times": arithmetic(lambda left, right: left * right),
    "divided_by": arithmetic(divide),
    "modulo": arithmetic(modulo),
    "at_least": arithmetic(max),
    "at_most": arithmetic(min),
    "abs": lambda value: abs(read_number(value)),
    "ceil": lambda value: math.ceil(read_number(value)),
    "floor": lambda value: math.floor(read_number(value)),
    "round": round_number,
    "truncate": _truncate,
    "truncatewords": _truncate_words,
    "slice": _slice,
    "reverse": lambda value: list(reversed(_to_list(value))),
    "sort": _sort,
    "uniq": _uniq,
    "map": _map,
    "compact": lambda value: [each for each in _to_list(value) if each is not None and each is not UNDEFINED],
    "concat": _concat,
    "json": _json,
    "url_encode": lambda value: quote(to_text(value), safe="-_.!~*'()").replace("%20", "+"),
}

ARGUMENTS: dict[str, tuple[int, int]] = {
    "default": (1, 1),
    "append": (1, 1),
    "prepend": (1, 1),
    "replace": (1, 2),
    "replace_first": (1, 2),
    "remove": (1, 1),
    "remove_first": (1, 1),
    "split": (1, 1),
    "join": (0, 1),
    "round": (0, 1),
    "truncate": (0, 2),
    "truncatewords": (0, 2),
    "slice": (1, 2),
    "map": (1, 1),
    "concat": (1, 1),
    **{name: (1, 1) for name in ("plus", "minus", "times", "divided_by", "modulo", "at_least", "at_most")},
}
"""The minimum and maximum number of arguments. Filters that are not listed have no arguments."""
