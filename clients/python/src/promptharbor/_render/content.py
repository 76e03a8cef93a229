"""The templates in a version, and the content that a render makes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .values import NeedsService, copy_json

TEMPLATE_FIELDS = ("text", "url", "data", "filename")
PARTS = ("text", "image", "audio", "file")
_DATA_KEYWORDS = ("const", "default", "enum", "example", "examples")
_NAMED_SCHEMAS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
ROLES = ("system", "developer", "user", "assistant", "tool")

MapText = Callable[[str], str]


def check_content(version: Mapping[str, Any]) -> None:
    """Raise `NeedsService` for content in a form that this version of the client does not know."""
    if version.get("syntax", "liquid") != "liquid":
        raise NeedsService(f"its syntax is {version.get('syntax')}")
    if version.get("type") == "text" and isinstance(version.get("template"), str):
        return
    messages = version.get("messages")
    if not isinstance(messages, list) or not all(map(_is_known, messages)):
        raise NeedsService("its content has an unknown format")


def _is_known(message: Any) -> bool:
    if "placeholder" in message or isinstance(message.get("content"), str):
        return True
    content = message.get("content")
    return isinstance(content, list) and all(part.get("type") in PARTS for part in content)


def map_templates(version: Mapping[str, Any], change: MapText) -> dict[str, Any]:
    """Replace every template of a version, always in the same order."""
    mapped: dict[str, Any] = {}
    if version["type"] == "text":
        mapped["template"] = change(version["template"])
    else:
        mapped["messages"] = [_map_message(message, change) for message in version["messages"]]
    for name in ("tools", "output"):
        if version.get(name):
            mapped[name] = _map_descriptions(version[name], change)
    return mapped


def _map_message(message: dict[str, Any], change: MapText) -> dict[str, Any]:
    if "content" not in message:
        return message
    content = message["content"]
    if isinstance(content, str):
        return {**message, "content": change(content)}
    return {**message, "content": [_map_part(part, change) for part in content]}


def _map_part(part: dict[str, Any], change: MapText) -> dict[str, Any]:
    return {
        name: change(value) if name in TEMPLATE_FIELDS and isinstance(value, str) else value
        for name, value in part.items()
    }


def _map_descriptions(value: Any, change: MapText) -> Any:
    """Replace the descriptions of a tool or a schema that contain tags."""
    if isinstance(value, list):
        return [_map_descriptions(each, change) for each in value]
    if not isinstance(value, dict):
        return value
    mapped: dict[str, Any] = {}
    for name, inner in value.items():
        if name == "description" and isinstance(inner, str):
            mapped[name] = change(inner) if "{{" in inner or "{%" in inner else inner
        elif name in _DATA_KEYWORDS:
            mapped[name] = copy_json(inner)
        elif name in _NAMED_SCHEMAS and isinstance(inner, dict):
            # A property may itself be named `description` or `default`.
            mapped[name] = {key: _map_descriptions(each, change) for key, each in inner.items()}
        else:
            mapped[name] = _map_descriptions(inner, change)
    return mapped


def to_rendered(
    version: Mapping[str, Any], texts: list[str], inserted: Mapping[str, list[dict[str, Any]]]
) -> dict[str, Any]:
    """Return the content with rendered texts, and the caller's messages instead of placeholders."""
    remaining = iter(texts)
    mapped = map_templates(version, lambda _: next(remaining))
    declared = {name: mapped[name] for name in ("tools", "output") if name in mapped}
    if version["type"] == "text":
        return {"text": mapped["template"], **declared}
    messages: list[dict[str, Any]] = []
    for message in mapped["messages"]:
        if "placeholder" in message:
            messages += copy_json(inserted[message["placeholder"]])
        else:
            messages.append({"role": message["role"], "content": _to_model(message["content"])})
    return {"messages": messages, **declared}


def _to_model(content: Any) -> Any:
    """Convert parts to the form of OpenAI's chat completions."""
    return content if isinstance(content, str) else [_to_model_part(part) for part in content]


def _to_model_part(part: dict[str, Any]) -> dict[str, Any]:
    if part["type"] == "text":
        return {"type": "text", "text": part["text"]}
    if part["type"] == "image":
        detail = {"detail": part["detail"]} if part.get("detail") else {}
        return {"type": "image_url", "image_url": {"url": _to_url(part), **detail}}
    if part["type"] == "audio":
        audio = "wav" if part["mediaType"] == "audio/wav" else "mp3"
        return {"type": "input_audio", "input_audio": {"data": part["data"], "format": audio}}
    name = {"filename": part["filename"]} if "filename" in part else {}
    return {"type": "file", "file": {"file_data": _to_url(part), **name}}


def _to_url(part: dict[str, Any]) -> str:
    if "url" in part:
        url: str = part["url"]
        return url
    return f"data:{part['mediaType']};base64,{part['data']}"


def parse_placeholders(
    version: Mapping[str, Any], variables: Mapping[str, Any]
) -> dict[str, list[dict[str, Any]]]:
    """Return the caller's messages for each placeholder. If they are not valid, the service says why."""
    names = [each["placeholder"] for each in version.get("messages") or [] if "placeholder" in each]
    inserted: dict[str, list[dict[str, Any]]] = {}
    for name in names:
        value = variables.get(name)
        messages = [] if value is None else value
        if not isinstance(messages, list) or not all(map(_is_message, messages)):
            raise NeedsService(f'the messages for "{name}" are not valid')
        inserted[name] = messages
    return inserted


def _is_message(message: Any) -> bool:
    if not isinstance(message, dict) or message.get("role") not in ROLES:
        return False
    content = message.get("content")
    if isinstance(content, str) or (content is None and message["role"] == "assistant"):
        return True
    is_part = [isinstance(part, dict) and isinstance(part.get("type"), str) for part in content or []]
    return isinstance(content, list) and len(content) > 0 and all(is_part)
