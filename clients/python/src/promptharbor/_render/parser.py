"""Parses templates. Raises `NeedsService` for everything that may render differently here."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Optional, Union

from .expressions import Expression, Filtered, Path, Range, Reader, Special, Value
from .filters import ARGUMENTS, FILTERS
from .includes import PRODUCTION, Include, normalize_name
from .tokens import Token, tokenize
from .values import NeedsService


@dataclass(frozen=True)
class Text:
    """Text that is shown as it is."""

    text: str


@dataclass(frozen=True)
class Output:
    """`{{ name | filter }}`."""

    value: Filtered


@dataclass(frozen=True)
class Branch:
    """A condition with the templates for it. An `else` has no condition."""

    condition: Optional[Expression]
    is_negated: bool
    body: list["Node"]


@dataclass(frozen=True)
class Conditional:
    """`if` or `unless`."""

    branches: list[Branch]


@dataclass(frozen=True)
class Case:
    """`case`. Renders every branch with a matching value, as LiquidJS does."""

    value: Filtered
    branches: list[tuple[list[Value], list["Node"]]]
    otherwise: list["Node"]


@dataclass(frozen=True)
class Loop:
    """`for`."""

    variable: str
    collection: Value
    offset: Optional[Value]
    limit: Optional[Value]
    is_reversed: bool
    body: list["Node"]
    otherwise: list["Node"]


@dataclass(frozen=True)
class Assign:
    """`assign`."""

    name: str
    value: Filtered


@dataclass(frozen=True)
class Capture:
    """`capture`."""

    name: str
    body: list["Node"]


@dataclass(frozen=True)
class Interrupt:
    """`break` or `continue`."""

    ends_loop: bool


@dataclass(frozen=True)
class Render:
    """`render`, which includes another prompt."""

    include: Include
    arguments: dict[str, Value] = field(default_factory=dict)


Node = Union[Text, Output, Conditional, Case, Loop, Assign, Capture, Interrupt, Render]


@lru_cache(maxsize=2000)
def parse(template: str) -> list[Node]:
    """Return the nodes of a template."""
    parser = _Parser(tokenize(template))
    nodes, end = parser.nodes(())
    assert end is None
    return nodes


class _Parser:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = iter(tokens)
        self._loops = 0

    def nodes(self, ends: tuple[str, ...]) -> tuple[list[Node], Optional[Token]]:
        """Parse up to one of these tags, and also return that tag."""
        nodes: list[Node] = []
        for token in self._tokens:
            if token.kind in ends:
                return nodes, token
            node = self._node(token)
            if node is not None:
                nodes.append(node)
        if ends:
            raise NeedsService(f"it has no {ends[-1]}")
        return nodes, None

    def _node(self, token: Token) -> Optional[Node]:
        if token.kind == "text":
            return Text(token.source) if token.source else None
        if token.kind == "output":
            return Output(_filtered(Reader(token.source)))
        if token.kind in ("if", "unless"):
            return self._conditional(token)
        if token.kind == "case":
            return self._case(token)
        if token.kind == "for":
            return self._loop(token)
        if token.kind == "assign":
            return _assign(Reader(token.source))
        if token.kind == "capture":
            return self._capture(Reader(token.source))
        if token.kind == "render":
            return _render(Reader(token.source))
        if token.kind in ("break", "continue") and self._loops > 0 and not token.source.strip():
            return Interrupt(token.kind == "break")
        if token.kind == "comment" and not token.source.strip():
            self._skip_comment()
            return None
        if token.kind == "#" and "\n" not in token.source:
            return None
        raise NeedsService(f"it uses the tag {token.kind!r}")

    def _conditional(self, token: Token) -> Conditional:
        end = f"end{token.kind}"
        branches: list[Branch] = []
        is_negated = token.kind == "unless"
        current: Optional[Token] = token
        while current is not None and current.kind != end:
            is_last = current.kind == "else"
            condition = None if is_last else _condition(Reader(current.source))
            if is_last:
                _expect_nothing(current)
            body, following = self.nodes((end,) if is_last else ("elsif", "else", end))
            branches.append(Branch(condition, is_negated, body))
            is_negated = False
            current = following
        _expect_nothing(current)
        return Conditional(branches)

    def _case(self, token: Token) -> Case:
        value = _filtered(Reader(token.source))
        branches: list[tuple[list[Value], list[Node]]] = []
        otherwise: list[Node] = []
        before, current = self.nodes(("when", "else", "endcase"))
        if not all(isinstance(node, Text) and not node.text.strip() for node in before):
            raise NeedsService("it has content before the first 'when'")
        while current is not None and current.kind == "when":
            values = _when(Reader(current.source))
            body, current = self.nodes(("when", "else", "endcase"))
            branches.append((values, body))
        if current is not None and current.kind == "else":
            _expect_nothing(current)
            otherwise, current = self.nodes(("endcase",))
        _expect_nothing(current)
        return Case(value, branches, otherwise)

    def _loop(self, token: Token) -> Loop:
        reader = Reader(token.source)
        variable = reader.name()
        reader.expect("in")
        collection = reader.value()
        if not isinstance(collection, (Path, Range)):
            raise NeedsService("it loops over a literal")
        limits: dict[str, Value] = {}
        is_reversed = False
        while not reader.is_at_end:
            reader.take(",")
            name = reader.name()
            if name == "reversed":
                is_reversed = True
                if reader.peek() == ":":
                    raise reader.error()
            elif name in ("limit", "offset") and name not in limits:
                reader.expect(":")
                limits[name] = reader.value()
            else:
                raise NeedsService(f"a loop has the parameter {name!r}")
        self._loops += 1
        body, end = self.nodes(("else", "endfor"))
        self._loops -= 1
        otherwise: list[Node] = []
        if end is not None and end.kind == "else":
            _expect_nothing(end)
            otherwise, end = self.nodes(("endfor",))
        _expect_nothing(end)
        offset, limit = limits.get("offset"), limits.get("limit")
        if any(isinstance(each, (Special, Range)) for each in (offset, limit)):
            raise NeedsService("a loop has an unsupported limit or offset")
        return Loop(variable, collection, offset, limit, is_reversed, body, otherwise)

    def _capture(self, reader: Reader) -> Capture:
        name = reader.name()
        reader.expect_end()
        body, end = self.nodes(("endcapture",))
        _expect_nothing(end)
        return Capture(name, body)

    def _skip_comment(self) -> None:
        for token in self._tokens:
            if token.kind == "endcomment":
                return
            if token.kind in ("raw", "comment"):
                break
        raise NeedsService("it has an unsupported comment")


def _expect_nothing(token: Optional[Token]) -> None:
    if token is not None and token.source.strip(" \t\r\n"):
        raise NeedsService(f"it has text after {token.kind!r}")


def _filtered(reader: Reader) -> Filtered:
    value = reader.filtered()
    for call in value.filters:
        if call.name not in FILTERS:
            raise NeedsService(f"it uses the filter {call.name!r}")
        fewest, most = ARGUMENTS.get(call.name, (0, 0))
        if not fewest <= len(call.arguments) <= most:
            raise NeedsService(f"it uses the filter {call.name!r} with unsupported arguments")
    return value


def _condition(reader: Reader) -> Expression:
    """Read a condition without filters. LiquidJS accepts filters here, but few templates use them."""
    expression = reader.expression()
    reader.expect_end()
    return expression


def _when(reader: Reader) -> list[Value]:
    values = [reader.value()]
    while not reader.is_at_end:
        if not reader.take(","):
            reader.expect("or")
        values.append(reader.value())
    if any(isinstance(each, Range) for each in values):
        raise NeedsService("it compares with a range")
    return values


def _assign(reader: Reader) -> Assign:
    name = reader.name()
    reader.expect("=")
    return Assign(name, _filtered(reader))


def _render(reader: Reader) -> Render:
    name = reader.text()
    if name is None:
        raise reader.error()
    label = PRODUCTION
    arguments: dict[str, Value] = {}
    while not reader.is_at_end:
        reader.expect(",")
        key = reader.name()
        reader.expect(":")
        if key == "label":
            text = reader.text()
            if text is None:
                raise reader.error()
            label = text
        else:
            value = reader.value()
            if isinstance(value, (Special, Range)):
                raise NeedsService("an include gets an unsupported value")
            arguments[key] = value
    return Render(Include(normalize_name(name), label), arguments)
