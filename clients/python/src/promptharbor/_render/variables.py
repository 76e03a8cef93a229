"""Checks variables as the service does, with the same errors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..errors import create_api_error
from .values import is_number

SHOWN_NAMES = 20
SHOWN_CHARACTERS = 100
_IMAGE = re.compile(r"https?://|data:image/", re.IGNORECASE)


def with_defaults(declared: list[dict[str, Any]], given: dict[str, Any]) -> dict[str, Any]:
    """Add the defaults of variables without a value."""
    defaults = {each["name"]: each["default"] for each in declared if "default" in each}
    return {**defaults, **given} if defaults else given


def check_complete(declared: list[dict[str, Any]], variables: Mapping[str, Any]) -> None:
    """Raise an error that names all missing variables, or all variables that have another type."""
    missing = [each["name"] for each in declared if each.get("required") and each["name"] not in variables]
    if missing:
        details = [{"path": f"/variables/{name}", "message": "Required"} for name in missing]
        raise create_api_error(
            f"Variables are missing: {_list_names(missing)}",
            status=422,
            code="missing_variables",
            details=details,
        )
    problems = [
        (each["name"], problem)
        for each in declared
        if each["name"] in variables and (problem := find_problem(each, variables[each["name"]]))
    ]
    if problems:
        texts = [f"{name} ({problem[:1].lower()}{problem[1:]})" for name, problem in problems]
        details = [{"path": f"/variables/{name}", "message": problem} for name, problem in problems]
        raise create_api_error(
            f"Variables do not match their declared types: {_list_names(texts)}",
            status=422,
            code="invalid_variables",
            details=details,
        )


def find_problem(declared: Mapping[str, Any], value: Any) -> str | None:
    """Return what a value must be, or None if it has the declared type."""
    kind = declared.get("type")
    if kind == "text":
        return None if isinstance(value, (str, int, float)) else "Must be text"
    if kind == "number":
        return None if is_number(value) else "Must be a number"
    if kind == "boolean":
        return None if isinstance(value, bool) else "Must be true or false"
    if kind == "enum":
        values = declared.get("values") or []
        is_valid = isinstance(value, str) and value in values
        return None if is_valid else f"Must be one of: {', '.join(values)}"
    if kind == "list":
        return None if isinstance(value, list) else "Must be a list"
    if kind == "object":
        return None if isinstance(value, dict) else "Must be an object"
    if kind == "image" and not (isinstance(value, str) and _IMAGE.match(value)):
        return (
            "Must be an image: a URL that starts with https:// or http://, or a data URL that "
            "starts with data:image/"
        )
    return None


def _list_names(names: list[str]) -> str:
    shown = ", ".join(name[:SHOWN_CHARACTERS] for name in names[:SHOWN_NAMES])
    more = len(names) - SHOWN_NAMES
    return f"{shown} and {more} more" if more > 0 else shown
