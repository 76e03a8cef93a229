"""Renders versions without the service, with the same results and errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .content import check_content, map_templates, parse_placeholders, to_rendered
from .context import Budget
from .includes import Include
from .parser import Capture, Case, Conditional, Loop, Node, Render, parse
from .templates import Renderer
from .values import NeedsService, copy_json, to_json_values
from .variables import check_complete, with_defaults

MAX_DEPTH = 8
MAX_INCLUDES = 100
MAX_INCLUDED_CHARACTERS = 1024 * 1024
MAX_VARIABLES = 500

FindIncluded = Callable[[Include], "dict[str, Any] | None"]


class LocalTemplate:
    """The parsed templates of a version and of everything that it includes.

    Raises `NeedsService` if only the service can render the version.
    """

    def __init__(self, version: Mapping[str, Any], find_included: FindIncluded) -> None:
        self._version = version
        self._sources: list[list[Node]] = []
        self._partials: dict[str, list[Node]] = {}
        try:
            check_content(version)
            if len(version["variables"]) >= MAX_VARIABLES:
                raise NeedsService("it has too many variables")
            map_templates(version, self._parse)
            _Collector(version["name"], self._partials, find_included).collect(self._sources)
        except (RecursionError, KeyError, TypeError, AttributeError) as err:
            raise NeedsService("its content has an unknown format") from err

    def _parse(self, text: str) -> str:
        self._sources.append(parse(text))
        return text

    def render(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Render the version with these variables."""
        try:
            return self._render(given)
        except RecursionError as err:
            raise NeedsService("its templates or variables are nested too deeply") from err

    def _render(self, given: Mapping[str, Any]) -> dict[str, Any]:
        version = self._version
        variables = to_json_values(with_defaults(version["variables"], dict(given)))
        check_complete(version["variables"], variables)
        inserted = parse_placeholders(version, variables)
        renderer = Renderer(self._partials, Budget())
        texts = [renderer.render(nodes, variables) for nodes in self._sources]
        return {
            "name": version["name"],
            "version": version["version"],
            **to_rendered(version, texts, inserted),
            "config": copy_json(version.get("config")),
        }


class _Collector:
    """Collects all prompts that the templates include, directly or indirectly."""

    def __init__(self, name: str, partials: dict[str, list[Node]], find: FindIncluded) -> None:
        self._name = name
        self._partials = partials
        self._find = find
        self._heights: dict[str, int] = {}
        self._path: list[str] = []
        self._characters = 0

    def collect(self, sources: list[list[Node]]) -> None:
        """Raise `NeedsService` if an include is missing, circular or too large."""
        if any(self._height_below(nodes) > MAX_DEPTH for nodes in sources):
            raise NeedsService("its includes are nested too deeply")

    def _height_below(self, nodes: list[Node]) -> int:
        return max((self._height_of(include) for include in list_includes(nodes)), default=0)

    def _height_of(self, include: Include) -> int:
        key = include.key
        if key in self._heights:
            return self._heights[key]
        partial = self._find(include)
        is_usable = partial is not None and partial["type"] == "text" and partial.get("syntax") != "mustache"
        if partial is None or not is_usable or include.name == self._name or key in self._path:
            raise NeedsService(f'it includes "{include.name}", which is missing or cannot be included')
        self._characters += len(partial["template"])
        is_large = self._characters > MAX_INCLUDED_CHARACTERS or len(self._heights) >= MAX_INCLUDES
        if is_large or len(self._path) >= MAX_DEPTH:
            raise NeedsService("its includes are too large or too many")
        nodes = self._partials[key] = parse(partial["template"])
        self._path.append(key)
        height = 1 + self._height_below(nodes)
        self._path.pop()
        self._heights[key] = height
        return height


def list_includes(nodes: list[Node]) -> list[Include]:
    """Return the includes of parsed templates."""
    found: list[Include] = []
    for node in nodes:
        if isinstance(node, Render):
            found.append(node.include)
        elif isinstance(node, Conditional):
            for branch in node.branches:
                found += list_includes(branch.body)
        elif isinstance(node, Case):
            for _, body in node.branches:
                found += list_includes(body)
            found += list_includes(node.otherwise)
        elif isinstance(node, Loop):
            found += list_includes(node.body) + list_includes(node.otherwise)
        elif isinstance(node, Capture):
            found += list_includes(node.body)
    return found
