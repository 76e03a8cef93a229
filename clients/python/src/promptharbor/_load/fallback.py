"""Prompts in code, for use while neither the service nor a file has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Union

from .._render.content import map_templates
from .._render.expressions import Filtered, Operation, Path, Range
from .._render.parser import Assign, Capture, Case, Conditional, Loop, Node, Output, parse
from .._render.values import NeedsService
from .snapshot import Version

Fallback = Union[str, Sequence[Mapping[str, Any]], Mapping[str, Any]]
"""A template, messages, or a mapping with `template` or `messages`, and a `config`."""

FALLBACK_VERSION = 0
"""The version number of a fallback. Saved versions start with 1."""


def to_content(given: Fallback) -> dict[str, Any]:
    """Convert a template or messages in code."""
    if isinstance(given, str):
        return {"type": "text", "syntax": "liquid", "template": given}
    if isinstance(given, Mapping):
        if "messages" in given:
            return to_content(list(given["messages"]))
        return to_content(given.get("template", ""))
    return {"type": "chat", "syntax": "liquid", "messages": [dict(message) for message in given]}


def create_fallback(name: str, fallback: Fallback, label: str) -> Version:
    """Convert a fallback to a version."""
    config = fallback.get("config", {}) if isinstance(fallback, Mapping) else {}
    return create_version(name, to_content(fallback), number=FALLBACK_VERSION, label=label, config=config)


def create_version(
    name: str, content: dict[str, Any], *, number: int, label: str, config: Any
) -> Version:
    """Return a version with everything that the service would add to it."""
    return {
        **content,
        "name": name,
        "version": number,
        "labels": [label],
        "variables": find_variables(content),
        "config": config,
        "message": "",
        "createdAt": "1970-01-01T00:00:00.000Z",
        "by": {"userId": "u_local", "name": "Local"},
    }


def find_variables(content: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the variables of the templates.

    A variable is required if its value is shown outside conditions and loops, without a default.
    For most templates, the service decides in the same way.
    """
    sources: list[list[Node]] = []

    def add(text: str) -> str:
        sources.append(parse(text))
        return text

    try:
        map_templates(content, add)
    except NeedsService:
        return []
    found: dict[str, bool] = {}
    for nodes in sources:
        _collect(nodes, found, local=frozenset(), is_certain=True)
    return [{"name": name, "required": required} for name, required in found.items()]


def _collect(nodes: list[Node], found: dict[str, bool], local: frozenset[str], is_certain: bool) -> None:
    for node in nodes:
        if isinstance(node, Output):
            _add(node.value, found, local, is_certain)
        elif isinstance(node, Assign):
            _add(node.value, found, local, False)
            local |= {node.name}
        elif isinstance(node, Capture):
            _collect(node.body, found, local, is_certain)
            local |= {node.name}
        elif isinstance(node, Conditional):
            for branch in node.branches:
                _add(branch.condition, found, local, False)
                _collect(branch.body, found, local, False)
        elif isinstance(node, Case):
            _add(node.value, found, local, False)
            for _, body in (*node.branches, ([], node.otherwise)):
                _collect(body, found, local, False)
        elif isinstance(node, Loop):
            _add(node.collection, found, local, is_certain)
            _collect(node.body, found, local | {node.variable, "forloop"}, False)
            _collect(node.otherwise, found, local, False)


def _add(value: Any, found: dict[str, bool], local: frozenset[str], is_required: bool) -> None:
    if isinstance(value, Filtered):
        has_default = any(call.name == "default" for call in value.filters)
        _add(value.expression, found, local, is_required and not has_default)
        for call in value.filters:
            for argument in call.arguments:
                _add(argument, found, local, False)
    elif isinstance(value, Operation):
        _add(value.left, found, local, False)
        _add(value.right, found, local, False)
    elif isinstance(value, Range):
        _add(value.low, found, local, is_required)
        _add(value.high, found, local, is_required)
    elif isinstance(value, Path) and value.root not in local:
        found[value.root] = found.get(value.root, False) or is_required
