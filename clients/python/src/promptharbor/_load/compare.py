"""Finds the changes between two snapshots."""

from __future__ import annotations

import json
from dataclasses import dataclass

from .._render.includes import Include, find_includes
from .snapshot import Snapshot


@dataclass(frozen=True)
class PromptsChange:
    """The names of the prompts that changed."""

    added: list[str]
    changed: list[str]
    removed: list[str]


def compare_prompts(before: Snapshot, after: Snapshot, label: str) -> PromptsChange | None:
    """Return the names of the prompts that changed, or None if nothing changed.

    A prompt also counts as changed if a prompt that it includes has changed.
    """
    change = PromptsChange(
        added=[name for name in after.prompts if name not in before.prompts],
        changed=[
            name
            for name in after.prompts
            if name in before.prompts and _describe(name, before, label) != _describe(name, after, label)
        ],
        removed=[name for name in before.prompts if name not in after.prompts],
    )
    return change if change.added or change.changed or change.removed else None


def _describe(name: str, snapshot: Snapshot, label: str) -> str:
    """Return the version, the release, and the content of all prompts that the versions include."""
    release = snapshot.releases.get(name)
    versions = [snapshot.prompts[name], *(release["versions"] if release else [])]
    parts = [json.dumps([versions, release])]
    visited: set[Include] = set()
    pending = [include for version in versions for include in find_includes(version)]
    while pending:
        include = pending.pop()
        partial = None if include in visited else snapshot.find_included(include, label)
        visited.add(include)
        if partial is None:
            continue
        parts += [include.key, json.dumps(partial)]
        pending += find_includes(partial)
    return "\0".join(parts)
