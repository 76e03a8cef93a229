"""Calculations of filters, with the numbers that JavaScript has."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from .values import MAX_SAFE_INTEGER, UNDEFINED, NeedsService, is_number

_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,15})?", re.ASCII)


def read_number(value: Any) -> int | float:
    """Convert a value to a number as JavaScript does."""
    if isinstance(value, bool):
        return int(value)
    if is_number(value):
        number: int | float = value
        return number
    if value is None or value is UNDEFINED or value == "":
        return 0
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return _result(float(value))
    raise NeedsService("it calculates with a value that is not a number")


def _result(number: int | float) -> int | float:
    if isinstance(number, float):
        if not math.isfinite(number):
            raise NeedsService("the result of a calculation is not a number")
        if number.is_integer() and abs(number) <= MAX_SAFE_INTEGER:
            return int(number)
        return number
    if abs(number) > MAX_SAFE_INTEGER:
        raise NeedsService("the result of a calculation is too large")
    return number


def arithmetic(calculate: Callable[[float, float], int | float]) -> Callable[..., int | float]:
    """Return a filter that calculates with its input and its argument."""

    def apply(value: Any, argument: Any = UNDEFINED) -> int | float:
        if argument is UNDEFINED:
            raise NeedsService("a filter has no argument")
        return _result(calculate(read_number(value), read_number(argument)))

    return apply


def divide(left: int | float, right: int | float) -> int | float:
    """Divide as JavaScript does. A division by zero is left to the service."""
    if right == 0:
        raise NeedsService("it divides by zero")
    return float(left) / float(right)


def modulo(left: int | float, right: int | float) -> int | float:
    """Return the remainder with the sign of the divisor."""
    if right == 0:
        raise NeedsService("it divides by zero")
    return math.fmod(math.fmod(left, right) + right, right)


def round_number(value: Any, digits: Any = 0) -> int | float:
    """Round halves away from zero."""
    number, places = read_number(value), read_number(digits)
    if not isinstance(places, int) or abs(places) > 15:
        raise NeedsService("it rounds to an unsupported number of digits")
    scaled = _shift(abs(number), places)
    if scaled > MAX_SAFE_INTEGER:
        return number
    whole = math.floor(scaled)
    rounded = _shift(whole + 1 if scaled - whole >= 0.5 else whole, -places)
    return _result(-rounded if number < 0 else rounded)


def _shift(number: int | float, places: int) -> float:
    mantissa, _, power = repr(float(number)).partition("e")
    return float(f"{mantissa}e{int(power or 0) + places}")
