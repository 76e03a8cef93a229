"""Checks what was loaded, so that invalid data fails here and not in the application."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def is_list_of(value: Any, is_item: Callable[[Any], bool]) -> bool:
    """Return whether the value is a list of such items."""
    return isinstance(value, list) and all(is_item(each) for each in value)


def is_listed_prompt(value: Any) -> bool:
    """Return whether the value is a prompt in a list, with or without a version and a release."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return False
    version, release = value.get("version"), value.get("release")
    return (version is None or is_version(version)) and (release is None or is_release(release))


def is_version(value: Any) -> bool:
    """Return whether the value is a version. Its content is checked when it is rendered."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("name"), str)
        and isinstance(value.get("type"), str)
        and _is_whole(value.get("version"))
        and is_list_of(value.get("variables"), _is_variable)
    )


def is_release(value: Any) -> bool:
    """Return whether the value has everything that is needed to choose a version for a caller."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("id"), str)
        and isinstance(value.get("salt"), str)
        and _is_whole(value.get("control"))
        and is_list_of(value.get("arms"), _is_arm)
        and is_list_of(value.get("rules"), _is_rule)
        and is_list_of(value.get("versions"), is_version)
    )


def is_rendered(value: Any) -> bool:
    """Return whether the value is a rendered prompt."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str) or not _is_whole(value.get("version")):
        return False
    has_messages = is_list_of(value.get("messages"), lambda each: isinstance(each, dict))
    return isinstance(value.get("text"), str) or has_messages


def _is_variable(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("name"), str)


def _is_arm(value: Any) -> bool:
    return isinstance(value, dict) and _is_whole(value.get("version")) and _is_whole(value.get("weight"))


def _is_rule(value: Any) -> bool:
    if not isinstance(value, dict) or not _is_whole(value.get("version")) or not isinstance(value.get("if"), dict):
        return False
    return all(isinstance(each, list) for each in value["if"].values())


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
