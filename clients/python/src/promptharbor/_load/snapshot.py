"""Everything that was loaded, at one point in time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Optional
from urllib.parse import quote

from .._api.caller import create_request
from .._api.pages import follow_pages
from .._http.connection import Cancellation
from .._http.request import Request
from .._http.transport import Transport
from .._render.includes import Include, find_includes
from ..errors import NotFoundError, create_foreign_response_error
from .shapes import is_list_of, is_listed_prompt, is_version

Version = dict[str, Any]

MAX_DEPTH = 8
NAMES_PER_REQUEST = 100
CHARACTERS_PER_REQUEST = 6000


@dataclass(frozen=True)
class Selection:
    """Which prompts are loaded."""

    label: str
    folder: str | None


@dataclass(frozen=True)
class Snapshot:
    """Loaded prompts. A snapshot is never changed, so threads need no lock to read it.

    Attributes:
        prompts: The versions at the label, by name.
        releases: The releases of the label, by prompt name.
        partials: The included prompts that were not selected themselves, by name and label.
    """

    prompts: dict[str, Version] = field(default_factory=dict)
    releases: dict[str, dict[str, Any]] = field(default_factory=dict)
    partials: dict[str, dict[str, Any]] = field(default_factory=dict)
    etag: Optional[str] = None

    def find_included(self, include: Include, selected: str) -> dict[str, Any] | None:
        """Return an included prompt. A release of its label has no effect on an include."""
        prompt = self.prompts.get(include.name) if include.label == selected else None
        return to_included_prompt(prompt) if prompt else self.partials.get(include.key)

    def versions(self) -> Iterator[Version]:
        """Yield the versions at the label and the versions of all arms."""
        yield from self.prompts.values()
        for release in self.releases.values():
            yield from release["versions"]


def to_included_prompt(version: Version) -> dict[str, Any]:
    """Convert a version to the data that a prompt needs when it includes this version."""
    included = {"type": version["type"], "template": version.get("template", "")}
    return {**included, "syntax": "mustache"} if version.get("syntax") == "mustache" else included


def fetch_snapshot(
    transport: Transport,
    selection: Selection,
    previous: Snapshot | None,
    cancellation: Cancellation | None = None,
) -> Snapshot | None:
    """Fetch all selected prompts with their included prompts.

    Returns None if nothing has changed since `previous`.
    """
    query = {"include": "content", "limit": 100, "label": selection.label, "folder": selection.folder}
    etag = previous.etag if previous else None
    first = transport.send_conditional(_list(query), etag, cancellation=cancellation)
    if first.is_unchanged:
        return None

    def fetch(cursor: str | None) -> dict[str, Any]:
        if cursor is None:
            body: dict[str, Any] = first.body
            return body
        page: dict[str, Any] = transport.send(
            _list({**query, "cursor": cursor}), cancellation=cancellation
        )
        return page

    prompts: dict[str, Version] = {}
    releases: dict[str, dict[str, Any]] = {}
    for page in follow_pages(fetch):
        for item in _items_of(page):
            if not item.get("version"):
                continue
            prompts[item["name"]] = without_release(item["version"])
            if item.get("release"):
                releases[item["name"]] = item["release"]
    selected = Snapshot(prompts, releases)
    try:
        partials = _fetch_included(transport, selected, selection.label, cancellation)
    except RecursionError as err:
        raise create_foreign_response_error("A prompt is nested too deeply") from err
    return Snapshot(prompts, releases, partials, first.etag)


def without_release(version: Version) -> Version:
    """Return a version without the fields about a release, because the client chooses by itself."""
    return {name: value for name, value in version.items() if name != "release"}


def _items_of(page: dict[str, Any]) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = page["data"]
    if not is_list_of(items, is_listed_prompt):
        raise create_foreign_response_error("The response has a prompt that is not valid")
    return items


def _list(query: dict[str, Any]) -> Request:
    return Request("GET", "/api/prompts", query=query, expects="data")


def _fetch_included(
    transport: Transport, selected: Snapshot, label: str, cancellation: Cancellation | None
) -> dict[str, dict[str, Any]]:
    """Fetch the prompts that are included at another label or from another folder."""
    partials: dict[str, dict[str, Any]] = {}
    requested: set[str] = set()
    pending = _includes_of(selected.versions())
    for _ in range(MAX_DEPTH):
        wanted = [
            include
            for include in pending
            if include.is_valid
            and include.key not in requested
            and not (include.label == label and include.name in selected.prompts)
        ]
        if not wanted:
            break
        requested.update(include.key for include in wanted)
        found: list[Version] = []
        for batch in _batches(wanted):
            for version in _fetch_by_name(transport, batch, cancellation):
                key = Include(version["name"], batch[0].label).key
                partials[key] = to_included_prompt(version)
                found.append(version)
        pending = _includes_of(found)
    return partials


def _includes_of(versions: Iterable[Version]) -> list[Include]:
    return list(dict.fromkeys(include for each in versions for include in find_includes(each)))


def _batches(includes: list[Include]) -> list[list[Include]]:
    """Group includes by label. Each batch is one request, whose address must not be too long."""
    batches: list[list[Include]] = []
    sizes: list[int] = []
    for include in includes:
        size = len(quote(include.name)) + 6
        for index, batch in enumerate(batches):
            fits = len(batch) < NAMES_PER_REQUEST and sizes[index] + size <= CHARACTERS_PER_REQUEST
            if batch[0].label == include.label and fits:
                batch.append(include)
                sizes[index] += size
                break
        else:
            batches.append([include])
            sizes.append(size)
    return batches


def _fetch_by_name(
    transport: Transport, batch: list[Include], cancellation: Cancellation | None
) -> Iterator[Version]:
    pinned = batch[0].pinned_version
    if pinned is not None:
        for include in batch:
            version = _fetch_pinned(transport, include.name, pinned, cancellation)
            if version:
                yield version
        return
    query = {
        "include": "content",
        "limit": 100,
        "label": batch[0].label,
        "name": [include.name for include in batch],
    }

    def fetch(cursor: str | None) -> dict[str, Any]:
        page: dict[str, Any] = transport.send(
            _list({**query, "cursor": cursor}), cancellation=cancellation
        )
        return page

    for page in follow_pages(fetch):
        for item in _items_of(page):
            if item.get("version"):
                yield item["version"]


def _fetch_pinned(
    transport: Transport, name: str, version: int, cancellation: Cancellation | None
) -> Version | None:
    """Fetch a fixed version by itself, because a list has only versions at labels."""
    try:
        request = create_request("getPrompt", {"name": name}, {"version": version})
        found: Version = transport.send(request, cancellation=cancellation)
    except NotFoundError as err:
        if err.code in ("prompt_not_found", "version_not_found"):
            return None
        raise
    if not is_version(found):
        raise create_foreign_response_error("The response has a prompt that is not valid")
    return found
