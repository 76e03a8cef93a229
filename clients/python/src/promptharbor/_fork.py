"""Restores objects with threads, locks and connections in the child after a fork."""

from __future__ import annotations

import os
import weakref
from typing import Protocol


class Forkable(Protocol):
    """An object that must be repaired in a child process, in which only one thread exists."""

    def after_fork(self) -> None:
        """Replace locks, and start threads again."""


_objects: weakref.WeakSet[Forkable] = weakref.WeakSet()


def register(forkable: Forkable) -> None:
    """Call `after_fork` of the object in each child process."""
    _objects.add(forkable)


def _repair() -> None:
    for each in list(_objects):
        each.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_repair)
