"""Evaluates expressions."""

from __future__ import annotations

import operator as operators
import re
from typing import Any, Callable

from .expressions import Expression, Filtered, Literal, Operation, Path, Range, Special
from .filters import FILTERS
from .values import (
    BLANKS,
    UNDEFINED,
    NeedsService,
    is_astral,
    is_number,
    is_truthy,
    length_of,
    to_text,
)

MAX_UNITS = 1_000_000
"""The limit of a local render. It is far below the service's limit."""

STEP_UNITS = 100
MAX_RANGE = 10_000
_DIGITS = re.compile(r"\d+", re.ASCII)


class Budget:
    """Counts the cost of a render, so that the limits of the service are never reached."""

    def __init__(self) -> None:
        self._left = MAX_UNITS

    def use(self, units: int) -> None:
        """Raise `NeedsService` if the budget is used up."""
        self._left -= units
        if self._left < 0:
            raise NeedsService("it exceeds the rendering budget")


class Context:
    """The variables of a render."""

    def __init__(
        self, variables: dict[str, Any], budget: Budget, bound: dict[str, Any] | None = None
    ) -> None:
        self.variables = variables
        self.budget = budget
        # The values that the enclosing includes have passed.
        self.bound = bound or {}
        self.assigned: dict[str, Any] = dict(self.bound)
        self.loops: list[dict[str, Any]] = []
        self.is_interrupted = False
        self.is_ended = False

    def filtered(self, value: Filtered) -> Any:
        """Evaluate an expression with its filters."""
        result = self.evaluate(value.expression)
        for call in value.filters:
            arguments = [self.evaluate(each) for each in call.arguments]
            for each in (result, *arguments):
                self.budget.use(STEP_UNITS + _size_of(each))
            result = FILTERS[call.name](result, *arguments)
        return result

    def evaluate(self, expression: Expression) -> Any:
        """Evaluate a value or a condition."""
        self.budget.use(STEP_UNITS)
        if isinstance(expression, Literal):
            return expression.value
        if isinstance(expression, Path):
            return self._read_path(expression)
        if isinstance(expression, Operation):
            return self._operate(expression)
        if isinstance(expression, Range):
            return self._range(expression)
        return expression

    def _read_path(self, path: Path) -> Any:
        value = self._find(path.root)
        for step in path.steps:
            self.budget.use(STEP_UNITS)
            value = read_property(value, self._read_path(step) if isinstance(step, Path) else step)
        return value

    def _find(self, name: str) -> Any:
        for loop in reversed(self.loops):
            if name in loop:
                return loop[name]
        if name in self.assigned:
            return self.assigned[name]
        return self.variables.get(name, UNDEFINED)

    def _range(self, expression: Range) -> list[int]:
        low, high = self.evaluate(expression.low), self.evaluate(expression.high)
        if not isinstance(low, int) or not isinstance(high, int) or True in (low is True, high is True):
            raise NeedsService("a range has bounds that are not whole numbers")
        if low is False or high is False or high - low > MAX_RANGE:
            raise NeedsService("a range has a boolean bound or is too long")
        return list(range(low, high + 1))

    def _operate(self, operation: Operation) -> bool:
        left, right = self.evaluate(operation.left), self.evaluate(operation.right)
        operator = operation.operator
        if operator == "and":
            return is_truthy(left) and is_truthy(right)
        if operator == "or":
            return is_truthy(left) or is_truthy(right)
        self.budget.use(_size_of(left) + _size_of(right))
        if operator == "==":
            return equals(left, right)
        if operator == "!=":
            return not equals(left, right)
        if operator == "contains":
            return _contains(left, right)
        return _compare(operator, left, right)


def _size_of(value: Any) -> int:
    """Return the approximate cost of reading a value."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list):
        return 1 + sum(map(_size_of, value))
    if isinstance(value, dict):
        return 1 + sum(len(name) + _size_of(each) for name, each in value.items())
    return 1


def read_property(value: Any, key: Any) -> Any:
    """Read a property as LiquidJS does."""
    if value is None or value is UNDEFINED:
        return value
    if isinstance(key, bool) or not isinstance(key, (str, int)):
        raise NeedsService("a template reads a property whose name is neither a string nor a number")
    if isinstance(value, dict):
        return _read_field(value, key)
    if isinstance(value, list):
        return _read_item(value, key)
    if isinstance(value, str):
        if isinstance(key, int) or _DIGITS.fullmatch(key):
            raise NeedsService("a template reads a character of a string")
        return length_of(value) if key in ("size", "length") else UNDEFINED
    return UNDEFINED


def _read_field(value: dict[str, Any], key: str | int) -> Any:
    name = str(key)
    if name in value:
        return value[name]
    return len(value) if name == "size" else UNDEFINED


def _read_item(value: list[Any], key: str | int) -> Any:
    if isinstance(key, str):
        if _DIGITS.fullmatch(key):
            raise NeedsService("a template reads a list item by a string")
        if key in ("size", "length"):
            return len(value)
        if key in ("first", "last"):
            return value[0 if key == "first" else -1] if value else UNDEFINED
        return UNDEFINED
    index = len(value) + key if key < 0 else key
    return value[index] if 0 <= index < len(value) else UNDEFINED


def equals(left: Any, right: Any) -> bool:
    """Compare as LiquidJS does: without conversions, and lists by their items."""
    for special, value in ((left, right), (right, left)):
        if isinstance(special, Special):
            return _equals_special(special.name, value)
    if isinstance(left, list):
        return isinstance(right, list) and len(left) == len(right) and all(map(equals, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        raise NeedsService("it compares objects")
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if is_number(left) and is_number(right):
        return bool(left == right)
    if isinstance(left, str) and isinstance(right, str):
        return left == right
    return left is right and not isinstance(left, (list, dict))


def _equals_special(name: str, value: Any) -> bool:
    is_missing = value is None or value is UNDEFINED
    if name == "nil":
        return is_missing
    if name == "blank":
        if value is False or is_missing:
            return True
        if isinstance(value, str):
            return value.strip(BLANKS) == ""
    return isinstance(value, (str, list, dict)) and len(value) == 0


def _contains(left: Any, right: Any) -> bool:
    if isinstance(left, list):
        return any(equals(each, right) for each in left)
    if isinstance(left, str):
        if isinstance(right, str) or is_number(right):
            return to_text(right) in left
        raise NeedsService("it searches a string for a value that is neither a string nor a number")
    return False


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ">": operators.gt,
    "<": operators.lt,
    ">=": operators.ge,
    "<=": operators.le,
}


def _compare(operator: str, left: Any, right: Any) -> bool:
    if UNDEFINED in (left, right) and not isinstance(left, (list, dict)) and not isinstance(right, (list, dict)):
        # JavaScript compares undefined as NaN.
        return False
    if isinstance(left, str) and isinstance(right, str):
        if is_astral(left) or is_astral(right):
            raise NeedsService("it compares strings with characters beyond U+FFFF")
        return _COMPARE[operator](left, right)
    numbers = [0 if each is None else each for each in (left, right)]
    if not all(isinstance(each, (int, float)) for each in numbers):
        raise NeedsService("it compares values of different types")
    return _COMPARE[operator](*numbers)
