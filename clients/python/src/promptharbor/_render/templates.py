"""Renders parsed templates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .context import STEP_UNITS, Budget, Context, equals
from .parser import (
    Assign,
    Capture,
    Case,
    Conditional,
    Interrupt,
    Loop,
    Node,
    Output,
    Render,
    Text,
)
from .values import NeedsService, is_truthy, to_output

Partials = Mapping[str, list[Node]]
"""The parsed content of the included prompts, by name and label."""


class Renderer:
    """Renders the templates of one prompt."""

    def __init__(self, partials: Partials, budget: Budget) -> None:
        self._partials = partials
        self._budget = budget

    def render(self, nodes: list[Node], variables: dict[str, Any]) -> str:
        """Return the text of a template."""
        return self._nodes(nodes, Context(variables, self._budget))

    def _nodes(self, nodes: list[Node], context: Context) -> str:
        parts: list[str] = []
        for node in nodes:
            text = self._node(node, context)
            self._budget.use(STEP_UNITS + len(text))
            parts.append(text)
            if context.is_interrupted:
                break
        return "".join(parts)

    def _node(self, node: Node, context: Context) -> str:
        if isinstance(node, Text):
            return node.text
        if isinstance(node, Output):
            return to_output(context.filtered(node.value))
        if isinstance(node, Conditional):
            return self._conditional(node, context)
        if isinstance(node, Loop):
            return self._loop(node, context)
        if isinstance(node, Render):
            return self._include(node, context)
        if isinstance(node, Case):
            return self._case(node, context)
        if isinstance(node, Assign):
            context.assigned[node.name] = context.filtered(node.value)
        elif isinstance(node, Capture):
            context.assigned[node.name] = self._nodes(node.body, context)
        elif isinstance(node, Interrupt):
            context.is_interrupted = True
            context.is_ended = node.ends_loop
        return ""

    def _conditional(self, node: Conditional, context: Context) -> str:
        for branch in node.branches:
            if branch.condition is None:
                return self._nodes(branch.body, context)
            if is_truthy(context.evaluate(branch.condition)) != branch.is_negated:
                return self._nodes(branch.body, context)
        return ""

    def _case(self, node: Case, context: Context) -> str:
        target = context.filtered(node.value)
        found = [
            self._nodes(body, context)
            for values, body in node.branches
            if any(equals(target, context.evaluate(value)) for value in values)
        ]
        return "".join(found) if found else self._nodes(node.otherwise, context)

    def _loop(self, node: Loop, context: Context) -> str:
        collection = context.evaluate(node.collection)
        items = _to_items(collection)
        if not items:
            return self._nodes(node.otherwise, context)
        if node.offset is not None:
            items = items[_to_count(context.evaluate(node.offset)) :]
        if node.limit is not None:
            items = items[: _to_count(context.evaluate(node.limit))]
        if node.is_reversed:
            items = items[::-1]
        return self._items(node, items, context)

    def _items(self, node: Loop, items: list[Any], context: Context) -> str:
        scope: dict[str, Any] = {}
        parts: list[str] = []
        length = len(items)
        context.loops.append(scope)
        for index, item in enumerate(items):
            scope["forloop"] = {
                "length": length,
                "index": index + 1,
                "index0": index,
                "rindex": length - index,
                "rindex0": length - index - 1,
                "first": index == 0,
                "last": index == length - 1,
            }
            scope[node.variable] = item
            context.is_interrupted = context.is_ended = False
            parts.append(self._nodes(node.body, context))
            if context.is_ended:
                break
        context.is_interrupted = context.is_ended = False
        context.loops.pop()
        return "".join(parts)

    def _include(self, node: Render, context: Context) -> str:
        own = {name: context.evaluate(value) for name, value in node.arguments.items()}
        bound = {**context.bound, **own}
        inner = Context(context.variables, self._budget, bound)
        return self._nodes(self._partials[node.include.key], inner)


def _to_items(value: Any) -> list[Any]:
    """Return what a loop iterates over: items, the entries of an object, or a text as a whole."""
    if isinstance(value, list):
        return value
    if isinstance(value, str):
        return [value] if value else []
    return [[name, each] for name, each in value.items()] if isinstance(value, dict) else []


def _to_count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise NeedsService("a loop has a limit that is not a whole number")
    return value
