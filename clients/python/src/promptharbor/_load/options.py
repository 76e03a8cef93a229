"""The options of `load`, and the state of the loaded prompts that an application can read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Optional

from ..errors import ApiError
from .compare import PromptsChange

AuthErrorHandler = Callable[[ApiError], Any]
"""Called when the key is not accepted. May return a new key."""

Status = Literal["live", "polling", "offline", "unauthorized", "closed"]


@dataclass(frozen=True)
class LoadOptions:
    """The options of `load`. Times are in seconds."""

    label: str = "production"
    folder: Optional[str] = None
    fallback_file: Optional[str] = None
    state_file: Optional[str] = None
    start_empty: bool = False
    on_change: Optional[Callable[[PromptsChange], Any]] = None
    on_auth_error: Optional[AuthErrorHandler] = None
    on_error: Optional[Callable[[BaseException], Any]] = None
    poll_interval: float = 15.0
    start_timeout: float = 5.0


@dataclass(frozen=True)
class PromptsState:
    """The state of loaded prompts.

    Attributes:
        status: `live`: the event stream is open and delivers changes. `polling`: the stream is not
            open yet or is blocked, so the client polls for changes. `offline`: the service cannot
            be reached. `unauthorized`: the key is no longer accepted. `closed`: you have called
            `close`.
        source: Where the prompts come from. `none`: the client started with `start_empty` and has
            not reached the service yet.
        checked_at: When the prompts were last known to be current. 1970 if there are none yet.
        age: The seconds since `checked_at`. 0 while the status is `live` and all changes that
            were missed during an outage have been fetched.
        error: Why the status is not `live`.
    """

    status: Status
    source: Literal["service", "file", "none"]
    checked_at: datetime
    age: float
    error: Optional[BaseException]
