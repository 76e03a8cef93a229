"""Keeps loaded prompts up to date in the background."""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable
from typing import Any

from .. import _fork
from .._http.connection import Cancellation
from .._http.events import connect
from .._http.timing import backoff
from .._http.transport import Transport
from ..errors import ApiConnectionError, ApiError
from .options import AuthErrorHandler

STABLE_SECONDS = 10.0
"""A connection that lasts this long counts as working."""

UNAUTHORIZED_INTERVAL = 60.0
"""The interval at which the client checks whether a rejected key works again."""

EVENT_JITTER = 0.25
"""The maximum random delay before a refresh. All clients receive an event at the same moment."""

RECONNECT_JITTER = 1.0
NEVER = float("inf")
_ABOUT_PROMPTS = re.compile(r"reset$|(prompt|version|label|release|dependency)\.")


class Follower:
    """Refreshes when the event stream says so, and polls while the stream delivers no events.

    Two daemon threads do this: one reads the stream, the other one sends all refreshes.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        refresh: Callable[[Cancellation], None],
        on_auth_error: AuthErrorHandler,
        on_error: Callable[[BaseException], Any],
        poll_interval: float,
        start_error: BaseException | None,
    ) -> None:
        self._transport = transport
        self._refresh = refresh
        self._on_auth_error = on_auth_error
        self._on_error = on_error
        self._poll_interval = poll_interval
        self._refresh_error = start_error
        self._stream_error: BaseException | None = None
        self._auth_error: ApiError | None = None
        self._is_open = False
        self._is_current = False
        self._last_event_id: str | None = None
        self._failures = 0
        self._rejected_keys = 0
        # Counts changes to the key, so that a failure of the previous key is not attributed to the
        # current one.
        self._key_changes = 0
        # Counts connections, to determine whether the connection of a refresh is still open.
        self._connection = 0
        self._is_closed = False
        self._stop_listening = transport.keys.listen(self._key_changed)
        self._start()
        _fork.register(self)

    def _start(self) -> None:
        self._changed = threading.Condition()
        self._refresh_at = NEVER
        self._poll_at = time.monotonic() + self._poll_delay()
        # Counts refreshes that were requested and completed, so that a caller can wait for its own.
        self._requested = 0
        self._completed = 0
        self._stream = Cancellation()
        self._refreshing = Cancellation()
        self._refresher = threading.Thread(target=self._send_refreshes, name="promptharbor", daemon=True)
        self._refresher.start()
        threading.Thread(target=self._follow_stream, name="promptharbor-stream", daemon=True).start()

    @property
    def status(self) -> Any:
        """The status, as in `PromptsState`."""
        if self._auth_error is not None:
            return "unauthorized"
        if self._refresh_error is not None:
            return "offline"
        return "live" if self._is_open else "polling"

    @property
    def error(self) -> BaseException | None:
        """The reason why the status is not `live`."""
        stream_error = None if self._is_open else self._stream_error
        return self._auth_error or self._refresh_error or stream_error

    @property
    def is_current(self) -> bool:
        """Whether everything has been fetched since the stream was opened, so that no change was missed."""
        return self._is_current

    def refresh(self) -> None:
        """Fetch changes now, and wait until they have been fetched."""
        if threading.current_thread() is self._refresher:
            # A callback of a refresh cannot wait for the next refresh.
            self._schedule(0.0)
            return
        with self._changed:
            if self._is_closed:
                return
            self._requested += 1
            own = self._requested
            self._refresh_at = 0.0
            self._changed.notify_all()
            while self._completed < own and not self._is_closed:
                self._changed.wait()
        if self._refresh_error is not None:
            raise self._refresh_error

    def close(self) -> None:
        """End the threads."""
        self._stop_listening()
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        self._stream.cancel()
        self._refreshing.cancel()

    def after_fork(self) -> None:
        """Start again in a child process, which has no threads and must not use these connections."""
        if self._is_closed:
            return
        self._is_open = False
        self._is_current = False
        self._stream.abandon()
        self._refreshing.abandon()
        self._start()

    def _key_changed(self) -> None:
        with self._changed:
            self._key_changes += 1
            self._auth_error = None
            self._refresh_at = 0.0
            self._changed.notify_all()

    def _poll_delay(self) -> float:
        interval = UNAUTHORIZED_INTERVAL if self._auth_error else self._poll_interval
        return interval * (0.9 + random.random() * 0.2)

    def _schedule(self, delay: float) -> None:
        """Refresh after a delay, or earlier if an earlier refresh is already scheduled."""
        with self._changed:
            self._refresh_at = min(self._refresh_at, time.monotonic() + delay)
            self._changed.notify_all()

    def _send_refreshes(self) -> None:
        changed, cancellation = self._changed, self._refreshing
        while True:
            with changed:
                while not self._is_closed:
                    due = self._refresh_at if self._is_current else min(self._refresh_at, self._poll_at)
                    delay = due - time.monotonic()
                    if delay <= 0:
                        break
                    changed.wait(min(delay, threading.TIMEOUT_MAX))
                if self._is_closed:
                    changed.notify_all()
                    return
                self._refresh_at = NEVER
                self._poll_at = time.monotonic() + self._poll_delay()
                requested = self._requested
                key, connection = self._key_changes, self._connection
                is_open = self._is_open
            self._refresh_once(cancellation, key, connection if is_open else None)
            with changed:
                self._completed = requested
                changed.notify_all()

    def _refresh_once(self, cancellation: Cancellation, key: int, connection: int | None) -> None:
        try:
            self._refresh(cancellation)
        except Exception as err:
            if cancellation.is_cancelled:
                return
            self._failures += 1
            self._refresh_error = err
            self._report(err, key)
            retry = backoff(self._failures - 1, first=1.0, maximum=15.0)
            self._schedule(UNAUTHORIZED_INTERVAL if self._auth_error else retry)
            return
        with self._changed:
            if connection is not None and connection == self._connection:
                self._is_current = True
            self._failures = 0
            self._rejected_keys = 0
            self._auth_error = None
            self._refresh_error = None

    def _report(self, err: Exception, key: int) -> None:
        """Report a rejected key once, and only if it is still the current key."""
        if not is_access_error(err):
            self._on_error(err)
            return
        with self._changed:
            self._is_open = False
            self._is_current = False
            if self._auth_error is not None or key != self._key_changes:
                return
            assert isinstance(err, ApiError)
            self._auth_error = err
        # The callback may take a long time and may ask for a refresh, so it has its own thread.
        threading.Thread(
            target=self._ask_for_key, args=(err,), name="promptharbor-key", daemon=True
        ).start()

    def _ask_for_key(self, err: ApiError) -> None:
        try:
            key = self._on_auth_error(err)
            if not isinstance(key, str):
                return
            # If the new key is rejected too, the delay before asking for the next one grows.
            self._stream.wait(backoff(self._rejected_keys, first=0.2, maximum=60.0))
            self._rejected_keys += 1
            if not self._is_closed:
                self._transport.keys.set(key)
        except Exception as failure:
            self._on_error(failure)

    def _follow_stream(self) -> None:
        transport = self._transport.with_settings(retries=0)
        cancellation, changed = self._stream, self._changed
        attempt = 0
        while not cancellation.is_cancelled:
            started_at = time.monotonic()
            key = self._key_changes
            try:
                for event in connect(transport, {}, self._last_event_id, cancellation):
                    self._handle(event, is_first=attempt == 0)
            except Exception as err:
                if cancellation.is_cancelled:
                    return
                self._stream_error = err
                self._report(err, key)
                # The refresh shows at once whether the service is unreachable or only the stream
                # has ended.
                if isinstance(err, ApiConnectionError):
                    self._schedule(random.random() * EVENT_JITTER)
            with changed:
                self._connection += 1
                self._is_open = False
                self._is_current = False
            # Only a stable connection resets the delay. If the stream is cut again and again, the
            # delay grows, because polling costs less than reconnecting.
            attempt = 1 if time.monotonic() - started_at > STABLE_SECONDS else attempt + 1
            retry = backoff(attempt - 1, first=0.5, maximum=15.0)
            self._pause(UNAUTHORIZED_INTERVAL if self._auth_error else retry, key)

    def _pause(self, seconds: float, key: int) -> None:
        """Wait until the time is over, the key has changed, or the follower is closed."""
        end = time.monotonic() + seconds
        with self._changed:
            while not self._is_closed and self._key_changes == key:
                remaining = end - time.monotonic()
                if remaining <= 0:
                    return
                self._changed.wait(remaining)

    def _handle(self, event: dict[str, Any], *, is_first: bool) -> None:
        if event["type"] == "hello":
            # Everything is fetched when the stream has connected, because it is unknown which
            # changes were missed before.
            with self._changed:
                self._is_open = True
                self._stream_error = None
            is_start = is_first and self._last_event_id is None
            self._schedule(0.0 if is_start else random.random() * RECONNECT_JITTER)
        elif _ABOUT_PROMPTS.match(event["type"]):
            self._schedule(random.random() * EVENT_JITTER)
        self._last_event_id = event["id"]


def is_access_error(err: BaseException) -> bool:
    """Return whether the key was reset, or the account is no longer a member of the workspace."""
    return isinstance(err, ApiError) and (err.status in (401, 403) or err.code == "workspace_not_found")
