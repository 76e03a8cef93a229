"""The last good state on disk. The clients for Python and TypeScript read each other's files."""

from __future__ import annotations

import json
import os
import uuid
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from ..errors import PromptHarborError
from .shapes import is_list_of, is_release, is_version
from .snapshot import Selection, Snapshot, without_release


@dataclass(frozen=True)
class FileSource:
    """Where the prompts of a file come from."""

    selection: Selection
    base_url: str
    workspace: str | None


@dataclass(frozen=True)
class StoredState:
    """The prompts that a file contains."""

    snapshot: Snapshot
    saved_at: datetime


def read_fallback_file(path: str, source: FileSource) -> StoredState | None:
    """Return the state that this program wrote, or None if there is none for this source."""
    try:
        state = _parse(_read(path))
    except PromptHarborError:
        return None
    if state is None or _source_of(state) != source:
        return None
    return _to_stored(state)


def read_state_file(path: str, source: FileSource) -> StoredState:
    """Return the state that was written for this program.

    Raises an error that says why the file cannot be used. The state may have been fetched from
    another address of the service, such as its public address.
    """
    state = _parse(_read(path))
    if state is None:
        raise PromptHarborError(
            f'{path} is not a state file. Write it with "promptharbor pull --state".'
        )
    found = _source_of(state)
    if found.selection != source.selection:
        raise PromptHarborError(
            f"{path} has {_describe(found.selection)}, but this program loads {_describe(source.selection)}."
        )
    if None not in (found.workspace, source.workspace) and found.workspace != source.workspace:
        raise PromptHarborError(
            f"{path} has the prompts of the workspace {found.workspace}, but this program uses {source.workspace}."
        )
    return _to_stored(state)


def write_fallback_file(path: str, source: FileSource, snapshot: Snapshot) -> None:
    """Replace the file atomically, so that a reader never sees a part of it."""
    folder = os.path.dirname(path)
    if folder:
        os.makedirs(folder, exist_ok=True)
    temporary = f"{path}.{uuid.uuid4()}.tmp"
    text = format_state(source, snapshot, datetime.now(timezone.utc))
    try:
        # O_EXCL never follows a link that someone has created there. Only the owner may read it.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogatepass") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        try:
            os.unlink(temporary)
        except OSError:
            pass
        raise


def format_state(source: FileSource, snapshot: Snapshot, saved_at: datetime) -> str:
    """Return the text of a file. The file contains prompts and their source, but no key."""
    label, folder = source.selection.label, source.selection.folder
    # Earlier clients read all partials as Liquid, so partials in mustache have a separate field.
    own = [[key, each] for key, each in snapshot.partials.items() if each.get("syntax") != "mustache"]
    foreign = [[key, each] for key, each in snapshot.partials.items() if each.get("syntax") == "mustache"]
    state = {
        "format": 1,
        "source": _without_none(
            {"label": label, "folder": folder, "baseUrl": source.base_url, "workspace": source.workspace}
        ),
        "savedAt": saved_at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{saved_at.microsecond // 1000:03d}Z",
        "prompts": list(snapshot.prompts.values()),
        "partials": own,
        **({"foreignPartials": foreign} if foreign else {}),
        **({"releases": [list(each) for each in snapshot.releases.items()]} if snapshot.releases else {}),
    }
    # Escapes preserve halves of surrogate pairs, which a template may contain.
    return json.dumps(state, separators=(",", ":")) + "\n"


def _without_none(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _to_stored(state: dict[str, Any]) -> StoredState:
    partials = [*state["partials"], *state.get("foreignPartials", [])]
    snapshot = Snapshot(
        prompts={version["name"]: without_release(version) for version in state["prompts"]},
        releases={name: release for name, release in state.get("releases", [])},
        partials={key: partial for key, partial in partials},
        # Without an ETag, the next request fetches everything.
        etag=None,
    )
    saved_at = _parse_time(state["savedAt"])
    assert saved_at is not None  # `_parse` has checked it.
    return StoredState(snapshot, saved_at)


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, ValueError) as err:
        raise PromptHarborError(f"Cannot read the state file {path}: {err}") from err


def _parse(text: str) -> dict[str, Any] | None:
    try:
        state = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return state if _is_state(state) else None


def _is_state(state: Any) -> bool:
    """Check a file that someone may have edited, so that an error appears now and not in a render."""
    if not isinstance(state, dict) or state.get("format") != 1 or not isinstance(state.get("source"), dict):
        return False
    return (
        _parse_time(state.get("savedAt")) is not None
        and isinstance(state["source"].get("label"), str)
        and is_list_of(state.get("prompts"), is_version)
        and is_list_of(state.get("releases", []), _is_named_release)
        and is_list_of(state.get("partials"), _is_partial)
        and is_list_of(state.get("foreignPartials", []), _is_partial)
    )


def _is_named_release(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and is_release(value[1])


def _is_partial(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict)


def _parse_time(text: Any) -> datetime | None:
    try:
        time = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=timezone.utc)


def _source_of(state: dict[str, Any]) -> FileSource:
    source = state["source"]
    selection = Selection(source["label"], source.get("folder"))
    return FileSource(selection, source.get("baseUrl", ""), source.get("workspace"))


def _describe(selection: Selection) -> str:
    folder = "" if selection.folder is None else f' in the folder "{selection.folder}"'
    return f'the prompts at the label "{selection.label}"{folder}'
