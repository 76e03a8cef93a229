"""The start of loading: from the service, or from a file if the service does not respond."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Literal, Optional

from .._http.connection import Cancellation
from .._http.events import is_final
from .._http.transport import Transport
from ..errors import ApiConnectionError, ApiError, PromptHarborError
from .follow import is_access_error
from .options import LoadOptions
from .snapshot import Selection, Snapshot, fetch_snapshot
from .state_file import FileSource, StoredState, read_fallback_file, read_state_file

MAX_NEW_KEYS = 3
EMPTY = StoredState(Snapshot(), datetime.fromtimestamp(0, timezone.utc))
"""The state before anything has been loaded."""

logger = logging.getLogger("promptharbor")


@dataclass(frozen=True)
class Start:
    """The first snapshot, and where it comes from."""

    snapshot: Snapshot
    origin: Literal["service", "file", "none"]
    checked_at: datetime
    error: Optional[BaseException] = None


def find_start(
    transport: Transport,
    selection: Selection,
    options: LoadOptions,
    source: FileSource,
    on_auth_error: Callable[[ApiError], Any],
    cancellation: Cancellation | None = None,
) -> Start:
    """Load the first snapshot. A key that is not accepted is always an error."""
    file = _find_stored(options, source) or (EMPTY if options.start_empty else None)
    limited = transport if file is None else transport.with_settings(retries=0, timeout=options.start_timeout)
    new_keys = 0
    while True:
        try:
            snapshot = fetch_snapshot(limited, selection, None, cancellation)
            assert snapshot is not None  # Without an ETag, the service never responds with 304.
            return Start(snapshot, "service", datetime.now(timezone.utc))
        except PromptHarborError as err:
            if is_access_error(err):
                assert isinstance(err, ApiError)
                key = on_auth_error(err) if new_keys < MAX_NEW_KEYS else None
                if not isinstance(key, str):
                    raise
                transport.keys.set(key)
                new_keys += 1
            elif file is None or _is_refused(err):
                raise
            else:
                origin: Literal["file", "none"] = "none" if file is EMPTY else "file"
                return Start(file.snapshot, origin, file.saved_at, err)


def _find_stored(options: LoadOptions, source: FileSource) -> StoredState | None:
    """Return the newer of the states in the two files."""
    given = read_state_file(options.state_file, source) if options.state_file else None
    written = read_fallback_file(options.fallback_file, source) if options.fallback_file else None
    if given is not None and written is not None:
        return given if given.saved_at > written.saved_at else written
    return given or written


def _is_refused(err: PromptHarborError) -> bool:
    """Return whether the service refused the request, or the program has no key."""
    if isinstance(err, ApiError):
        return err.code is not None and is_final(err)
    return not isinstance(err, ApiConnectionError)


def log_auth_error(err: ApiError) -> None:
    """Log the error, if the application passed no `on_auth_error`."""
    logger.error("PromptHarbor: prompts are no longer updated. %s", err)
