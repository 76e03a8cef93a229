"""Values as JavaScript has them, because the service renders with LiquidJS."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from ..errors import PromptHarborError

MAX_SAFE_INTEGER = 2**53 - 1
BLANKS = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""The characters that JavaScript trims."""

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_INDEX = re.compile(r"0|[1-9]\d{0,9}")


class NeedsService(Exception):
    """Raised if only the service can be certain of the result. The text says why."""


class Undefined:
    """The value of a variable that does not exist. In comparisons, it differs from null."""

    def __repr__(self) -> str:
        return "UNDEFINED"


UNDEFINED = Undefined()


def to_json_values(value: Any) -> Any:
    """Return a copy of variables as the service would receive them.

    Raises `PromptHarborError` for values that JSON cannot express, and `NeedsService` for values
    that Python and JavaScript treat differently.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        if _SURROGATE.search(value):
            raise NeedsService("a variable contains an unpaired surrogate")
        return str(value)
    if isinstance(value, (int, float)):
        return to_number(value)
    if isinstance(value, (list, tuple)):
        return [to_json_values(each) for each in value]
    if isinstance(value, Mapping):
        return {_to_key(name): to_json_values(each) for name, each in value.items()}
    raise PromptHarborError(
        f"A variable has a value of the type {type(value).__name__}, which JSON does not have. "
        "Convert it to text, a number, a list or a dictionary."
    )


def _to_key(name: Any) -> str:
    if not isinstance(name, str):
        raise PromptHarborError(f"A key of a variable is {name!r}, but must be text.")
    if _SURROGATE.search(name) or name in ("__proto__", "constructor") or _INDEX.fullmatch(name):
        raise NeedsService(f'a variable has the key "{name!a}", which JavaScript treats specially')
    return name


def to_number(value: int | float) -> int | float:
    """Return a number as a double. Whole numbers are of the type int."""
    if isinstance(value, int):
        if abs(value) > MAX_SAFE_INTEGER:
            raise NeedsService("a number is larger than JavaScript can express exactly")
        return int(value)
    if not math.isfinite(value):
        raise PromptHarborError("A variable is infinite or not a number, which JSON does not have.")
    return int(value) if value.is_integer() and abs(value) <= MAX_SAFE_INTEGER else float(value)


def format_number(value: int | float) -> str:
    """Write a number as JavaScript does."""
    number = float(value)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number.is_integer() and abs(number) <= MAX_SAFE_INTEGER:
        return str(int(number))
    digits, power = _decimal_of(abs(number))
    sign = "-" if number < 0 else ""
    if -7 < power < 21:
        return sign + _without_exponent(digits, power)
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{'+' if power > 0 else '-'}{abs(power)}"


def _decimal_of(number: float) -> tuple[str, int]:
    """Return the digits, and the power of ten of the first digit."""
    mantissa, _, exponent = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    significant = digits.lstrip("0")
    power = len(whole) - 1 - (len(digits) - len(significant)) + int(exponent or 0)
    return significant.rstrip("0"), power


def _without_exponent(digits: str, power: int) -> str:
    if power < 0:
        return f"0.{'0' * (-power - 1)}{digits}"
    whole, fraction = digits[: power + 1].ljust(power + 1, "0"), digits[power + 1 :]
    return f"{whole}.{fraction}" if fraction else whole


def to_json(value: Any) -> str:
    """Write a value as JSON.stringify does."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return format_number(value)
    if isinstance(value, list):
        return f"[{','.join('null' if each is UNDEFINED else to_json(each) for each in value)}]"
    if isinstance(value, dict):
        pairs = [f"{to_json(name)}:{to_json(each)}" for name, each in value.items() if each is not UNDEFINED]
        return f"{{{','.join(pairs)}}}"
    raise NeedsService("a value cannot be converted to JSON")


def to_output(value: Any) -> str:
    """Write a value as an output does. Lists that contain an object are JSON."""
    if isinstance(value, str):
        return value
    if value is None or value is UNDEFINED:
        return ""
    if _contains_object(value):
        return to_json(value)
    if isinstance(value, list):
        return "".join(to_output(each) for each in value)
    return to_text(value)


def _contains_object(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(map(_contains_object, value)))


def to_text(value: Any) -> str:
    """Convert a value to the text that filters use."""
    if isinstance(value, str):
        return value
    if value is None or value is UNDEFINED:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return format_number(value)
    if isinstance(value, list):
        return "".join(to_text(each) for each in value)
    raise NeedsService("a filter is applied to an object")


def length_of(text: str) -> int:
    """Return the number of UTF-16 units."""
    return len(text) + len(_ASTRAL.findall(text))


def is_astral(text: str) -> bool:
    """Return whether the text has characters that are two units in JavaScript."""
    return _ASTRAL.search(text) is not None


def is_number(value: Any) -> bool:
    """Return whether the value is a number. In Python, booleans are numbers too."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_truthy(value: Any) -> bool:
    """Return whether a value is true in Liquid: only false and missing values are not."""
    return value is not None and value is not False and value is not UNDEFINED


def copy_json(value: Any) -> Any:
    """Return an independent copy of a JSON value."""
    if isinstance(value, dict):
        return {name: copy_json(each) for name, each in value.items()}
    if isinstance(value, list):
        return [copy_json(each) for each in value]
    return value
