"""Finds the prompts that templates include."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

PRODUCTION = "production"
MAX_NAME_LENGTH = 200

_LABEL = re.compile(r"[a-z0-9]([a-z0-9._-]{0,48}[a-z0-9])?")
_PIN = re.compile(r"@([1-9]\d{0,8})")
_RENDER = re.compile(r"""\brender\s*(?:'([^']*)'|"([^"]*)")""")
_LABEL_ARGUMENT = re.compile(r"""\blabel\s*:\s*(?:'([^']*)'|"([^"]*)")""")
_LANGFUSE_TAG = re.compile(r"@@@langfusePrompt:(.*?)@@@")


class Include(NamedTuple):
    """A prompt that a template includes."""

    name: str
    label: str

    @property
    def key(self) -> str:
        """The key under which the state file and renders keep the included prompt."""
        return f"{self.name}|{self.label}"

    @property
    def pinned_version(self) -> int | None:
        """The version, if the template includes a fixed one."""
        match = _PIN.fullmatch(self.label)
        return int(match[1]) if match else None

    @property
    def is_valid(self) -> bool:
        """Whether the service accepts the name and the label."""
        has_name = 0 < len(self.name) <= MAX_NAME_LENGTH and not re.search(r"[\\|<>\x00-\x1f]", self.name)
        is_target = self.pinned_version is not None or _LABEL.fullmatch(self.label) is not None
        return has_name and is_target


def normalize_name(name: str) -> str:
    """Return the form in which names are stored and compared."""
    return name if len(name) > 2 * MAX_NAME_LENGTH else unicodedata.normalize("NFC", name)


def find_includes(version: Mapping[str, Any]) -> list[Include]:
    """Return every prompt that a version may include.

    Also finds includes in templates that only the service can render, and in comments. Fetching
    a prompt that is not needed does no harm.
    """
    texts = _texts_of(version)
    find = _find_tags if version.get("syntax") == "mustache" else _find_render_tags
    return list(dict.fromkeys(include for text in texts for include in find(text)))


def _texts_of(value: Any) -> Iterator[str]:
    """Yield all texts of a version that may contain templates."""
    fields = ("template", "messages", "tools", "output")
    yield from _strings([value.get(field) for field in fields])


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)


def _find_render_tags(text: str) -> Iterator[Include]:
    for match in _RENDER.finditer(text):
        name = normalize_name(match[1] if match[1] is not None else match[2])
        end = text.find("%}", match.end())
        arguments = text[match.end() : end if end >= 0 else None]
        line, *more = arguments.split("\n", 1)
        label = _LABEL_ARGUMENT.search(line)
        if label is None:
            yield Include(name, PRODUCTION)
            # The tag may continue on the next line. In a liquid tag, the next line is another tag.
            label = _LABEL_ARGUMENT.search(more[0]) if more else None
        if label is not None:
            yield Include(name, label[1] if label[1] is not None else label[2])


def _find_tags(text: str) -> Iterator[Include]:
    """Find Langfuse's tags, such as `@@@langfusePrompt:name=tone|label=production@@@`."""
    for match in _LANGFUSE_TAG.finditer(text):
        parts = match[1].split("|")
        if len(parts) != 2 or not parts[0].startswith("name="):
            continue
        kind, _, target = parts[1].partition("=")
        name = normalize_name(parts[0][5:])
        if kind == "label" and target:
            yield Include(name, target)
        elif kind == "version" and _PIN.fullmatch(f"@{target}"):
            yield Include(name, f"@{target}")
