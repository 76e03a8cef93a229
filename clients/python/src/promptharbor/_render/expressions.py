"""Expressions of templates: values, conditions and filters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Optional, Union

from .values import MAX_SAFE_INTEGER, NeedsService

OPERATORS = ("==", "!=", ">=", "<=", ">", "<", "contains", "and", "or")
RESERVED = frozenset({"true", "false", "nil", "null", "empty", "blank", "and", "or", "not", "contains"})
SPECIAL_ROOTS = frozenset({"size", "first", "last", "length", "forloop", "tablerowloop", "continue"})
FORLOOP_FIELDS = frozenset({"length", "index", "index0", "rindex", "rindex0", "first", "last"})

_TOKEN = re.compile(
    r"""[ \t\r\n]*(?:
      (?P<text>'[^'\\]*'|"[^"\\]*")
    | (?P<range>\.\.)
    | (?P<number>-?\d+(?:\.\d+)?)
    | (?P<name>[A-Za-z_]\w*)
    | (?P<mark>==|!=|>=|<=|[><|:,.\[\]()=])
    )""",
    re.VERBOSE | re.ASCII,
)


@dataclass(frozen=True)
class Literal:
    """Text, a number, true or false."""

    value: Any


@dataclass(frozen=True)
class Special:
    """`nil`, `empty` or `blank`, which only comparisons can use."""

    name: str


@dataclass(frozen=True)
class Path:
    """A variable, or a field of one."""

    root: str
    steps: tuple[Union[str, int, "Path"], ...]


@dataclass(frozen=True)
class Range:
    """`(1..5)`."""

    low: "Value"
    high: "Value"


@dataclass(frozen=True)
class Operation:
    """Two operands and the operator between them."""

    operator: str
    left: "Expression"
    right: "Expression"


@dataclass(frozen=True)
class FilterCall:
    """A filter with its arguments."""

    name: str
    arguments: tuple["Value", ...]


@dataclass(frozen=True)
class Filtered:
    """An expression with filters."""

    expression: "Expression"
    filters: tuple[FilterCall, ...]


Value = Union[Literal, Special, Path, Range]
Expression = Union[Literal, Special, Path, Range, Operation]


class Reader:
    """Reads the text inside a tag. Raises `NeedsService` for everything unusual."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._tokens: list[tuple[str, str, int]] = []
        position = 0
        while source[position:].strip(" \t\r\n"):
            match = _TOKEN.match(source, position)
            if match is None:
                raise self._unknown(position)
            kind = match.lastgroup or ""
            end = match.end()
            # A name may contain a hyphen or letters of any language in LiquidJS.
            follows = source[end : end + 1]
            if kind in ("name", "number") and (follows in ("-", "?") or (follows and ord(follows) > 127)):
                raise self._unknown(position)
            if kind == "number" and re.match(r"[A-Za-z_]|\.(?!\.)", source[end : end + 2]):
                raise self._unknown(position)
            self._tokens.append((kind, match[kind], match.start(kind)))
            position = end
        self._next = 0

    def _unknown(self, position: int) -> NeedsService:
        return NeedsService(f"it uses {self._source[position:].strip()[:40]!r}")

    @property
    def is_at_end(self) -> bool:
        """Whether everything was read."""
        return self._next >= len(self._tokens)

    def peek(self, ahead: int = 0) -> str:
        """Return the next mark or name, or an empty string."""
        index = self._next + ahead
        if index >= len(self._tokens):
            return ""
        kind, text, _ = self._tokens[index]
        return text if kind in ("mark", "name", "range") else ""

    def take(self, expected: str) -> bool:
        """Read this mark or name if it is next. Return whether it was."""
        if self.peek() != expected:
            return False
        self._next += 1
        return True

    def expect(self, expected: str) -> None:
        """Read this mark or name. Raise an error if something else is next."""
        if not self.take(expected):
            raise self.error()

    def expect_end(self) -> None:
        """Raise an error unless everything was read."""
        if not self.is_at_end:
            raise self.error()

    def error(self) -> NeedsService:
        """Return an error about the rest of the text."""
        position = self._tokens[self._next][2] if not self.is_at_end else 0
        return self._unknown(position)

    def name(self) -> str:
        """Read a name that is not reserved."""
        if self.is_at_end or self._tokens[self._next][0] != "name" or self.peek() in RESERVED:
            raise self.error()
        self._next += 1
        return self._tokens[self._next - 1][1]

    def text(self) -> Optional[str]:
        """Read a quoted text, or return None if there is none."""
        if self.is_at_end or self._tokens[self._next][0] != "text":
            return None
        self._next += 1
        return self._tokens[self._next - 1][1][1:-1]

    def value(self) -> Value:
        """Read a literal, a path or a range."""
        text = self.text()
        if text is not None:
            return self._without_steps(Literal(text))
        if self.is_at_end:
            raise self.error()
        kind, found, _ = self._tokens[self._next]
        if kind == "number":
            self._next += 1
            return self._without_steps(Literal(_to_number(found)))
        if self.take("("):
            low = self.value()
            self.expect("..")
            high = self.value()
            self.expect(")")
            return self._without_steps(Range(low, high))
        if found in ("true", "false"):
            self._next += 1
            return self._without_steps(Literal(found == "true"))
        if found in ("nil", "null", "empty", "blank"):
            self._next += 1
            return self._without_steps(Special("nil" if found == "null" else found))
        return self._path()

    def _without_steps(self, value: Value) -> Value:
        if self.peek() in (".", "["):
            raise self.error()
        return value

    def _path(self) -> Path:
        root = self.name()
        steps: list[Union[str, int, Path]] = []
        while True:
            position = self._tokens[self._next][2] if not self.is_at_end else 0
            if self.peek() not in (".", "["):
                break
            # LiquidJS ends a path at a space.
            if self._source[position - 1 : position] in (" ", "\t", "\r", "\n"):
                raise self.error()
            if self.take("."):
                steps.append(self._field())
            else:
                self.expect("[")
                steps.append(self._index())
                self.expect("]")
        if root == "forloop" and len(steps) == 1 and steps[0] in FORLOOP_FIELDS:
            return Path(root, tuple(steps))
        if root in SPECIAL_ROOTS:
            raise NeedsService(f"it uses the name {root!r}")
        return Path(root, tuple(steps))

    def _field(self) -> str:
        """Read the name of a field. After a dot, every word is a field."""
        if self.is_at_end or self._tokens[self._next][0] != "name":
            raise self.error()
        _, text, start = self._tokens[self._next]
        if self._source[start - 1] != ".":
            raise self.error()
        self._next += 1
        return text

    def _index(self) -> Union[str, int, Path]:
        value = self.value()
        if isinstance(value, Path):
            return value
        if isinstance(value, Literal) and isinstance(value.value, (str, int)):
            if not isinstance(value.value, bool):
                return value.value
        raise self.error()

    def filtered(self) -> Filtered:
        """Read an expression with filters, up to the end."""
        expression = self.expression()
        filters: list[FilterCall] = []
        while self.take("|"):
            name = self.name()
            arguments: list[Value] = []
            if self.take(":"):
                arguments.append(self._argument())
                while self.take(","):
                    arguments.append(self._argument())
            filters.append(FilterCall(name, tuple(arguments)))
        self.expect_end()
        return Filtered(expression, tuple(filters))

    def _argument(self) -> Value:
        value = self.value()
        if self.peek() == ":" or isinstance(value, (Special, Range)):
            raise self.error()
        return value

    def expression(self) -> Expression:
        """Read a condition, or a value. `and` and `or` bind to the right and equally strongly."""
        left = self._comparison()
        for operator in ("and", "or"):
            if self.take(operator):
                return Operation(operator, left, self.expression())
        if isinstance(left, Special):
            raise NeedsService(f"it uses {left.name!r} outside a comparison")
        return left

    def _comparison(self) -> Expression:
        left = self.value()
        operator = self.peek()
        if operator not in OPERATORS or operator in ("and", "or"):
            if isinstance(left, Special):
                raise NeedsService(f"it uses {left.name!r} outside a comparison")
            return left
        self._next += 1
        right = self.value()
        specials = [each for each in (left, right) if isinstance(each, Special)]
        if len(specials) == 2 or (specials and operator not in ("==", "!=")):
            raise NeedsService(f"it compares with {specials[0].name!r}")
        if self.peek() in OPERATORS and self.peek() not in ("and", "or"):
            raise self.error()
        return Operation(operator, left, right)


def _to_number(text: str) -> Union[int, float]:
    number = float(text)
    if abs(number) > MAX_SAFE_INTEGER:
        raise NeedsService(f"it uses the number {text}")
    return int(number) if number.is_integer() else number
