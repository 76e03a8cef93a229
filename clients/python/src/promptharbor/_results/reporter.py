"""Sends reports of calls in the background."""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from dataclasses import dataclass
from typing import Any, Optional

from .. import _fork
from .._api.caller import create_request, with_identity
from .._http.timing import backoff
from .._http.transport import Transport
from ..errors import ApiError, create_foreign_response_error

MAX_WAITING = 10_000
"""The maximum number of waiting calls. Further calls are dropped."""

ENOUGH = 100
"""When this many calls are waiting, a report is sent immediately. Fewer calls are sent after the interval."""

INTERVAL = 5.0
MAX_BATCH = 500
TIMEOUT = 5.0
EXIT_SECONDS = 5.0
"""When the interpreter ends, no further reports are sent after this time."""

MAX_PAUSE = 60.0
MAX_ATTEMPTS = 9
"""The maximum number of attempts. With the delays, calls are dropped after about five minutes."""


@dataclass(frozen=True)
class ReportsState:
    """The state of the observed calls.

    Attributes:
        waiting: Calls that have not been sent yet.
        reported: Calls that the service has counted.
        dropped: Calls that are not counted, because too many were waiting, the service stayed
            unavailable or refused the report, or the prompt or version does not exist.
        error: Why the last report failed. None if it succeeded.
    """

    waiting: int
    reported: int
    dropped: int
    error: Optional[BaseException]


class Reporter:
    """Sends reports. A program never waits for the reporter, and gets no errors from it."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport.with_settings(retries=0, timeout=TIMEOUT)
        self._waiting: list[dict[str, Any]] = []
        self._reported = 0
        self._dropped = 0
        self._failures = 0
        self._error: Optional[BaseException] = None
        self._due = 0.0
        self._create_locks()
        _reporters.add(self)
        _fork.register(self)

    def _create_locks(self) -> None:
        self._changed = threading.Condition()
        # Requests are sent one at a time.
        self._sending = threading.Lock()
        self._thread: Optional[threading.Thread] = None

    @property
    def state(self) -> ReportsState:
        """The number of observed calls that are waiting, reported and dropped."""
        with self._changed:
            return ReportsState(len(self._waiting), self._reported, self._dropped, self._error)

    def add(self, call: dict[str, Any]) -> None:
        """Report a call soon."""
        with self._changed:
            if len(self._waiting) >= MAX_WAITING:
                self._dropped += 1
                return
            if not self._waiting:
                self._due = time.monotonic() + INTERVAL
            self._waiting.append(with_identity(call))
            if len(self._waiting) >= ENOUGH and self._failures == 0:
                self._due = 0.0
            if self._thread is None:
                self._start_thread()
            self._changed.notify_all()

    def _start_thread(self) -> None:
        thread = threading.Thread(target=self._work, name="promptharbor-reports", daemon=True)
        try:
            thread.start()
            self._thread = thread
        except RuntimeError:
            # The interpreter is ending, so `_flush_all` sends the call.
            pass

    def flush(self) -> None:
        """Send the waiting calls. Returns when they were sent, or when sending has failed."""
        self.flush_until(float("inf"))

    def flush_until(self, end: float) -> None:
        """Send the waiting calls, and start no further report after this time."""
        while time.monotonic() < end and self._has_waiting() and self._send_batch():
            pass

    def _has_waiting(self) -> bool:
        with self._changed:
            return len(self._waiting) > 0

    def _work(self) -> None:
        changed = self._changed
        while True:
            with changed:
                if not self._waiting:
                    # The next call starts a new thread, so a program without calls has none.
                    self._thread = None
                    return
                delay = self._due - time.monotonic()
                if delay > 0:
                    changed.wait(delay)
                    continue
            self._send_batch()

    def _send_batch(self) -> bool:
        """Send a batch once. Return whether the next batch can be sent."""
        with self._sending:
            with self._changed:
                calls = self._waiting[:MAX_BATCH]
            if not calls:
                return True
            try:
                # Each call has an id, so that a repeated report counts nothing twice.
                receipt = self._transport.send(create_request("reportResults", {}, {}, {"calls": calls}))
                accepted = _read_accepted(receipt, len(calls))
            except Exception as err:  # The function that reads the key may raise anything.
                return self._handle_failure(err, len(calls))
            self._take(len(calls), accepted, None)
            return True

    def _handle_failure(self, err: Exception, count: int) -> bool:
        is_temporary = _is_temporary(err)
        with self._changed:
            self._error = err
            if is_temporary:
                self._failures += 1
                if self._failures < MAX_ATTEMPTS:
                    asked = err.retry_after if isinstance(err, ApiError) else None
                    pause = max(asked or 0.0, backoff(self._failures - 1, first=2.0, maximum=MAX_PAUSE))
                    pause = min(pause, MAX_PAUSE)
                    self._due = time.monotonic() + pause
                    return False
        self._take(count, 0, err)
        return True

    def _take(self, count: int, counted: int, error: Optional[BaseException]) -> None:
        """Remove the calls of a report. The service may have counted only some of them."""
        with self._changed:
            del self._waiting[:count]
            self._failures = 0
            self._error = error
            self._reported += counted
            self._dropped += count - counted
            is_enough = len(self._waiting) >= ENOUGH
            self._due = 0.0 if is_enough else time.monotonic() + INTERVAL

    def after_fork(self) -> None:
        """Drop the waiting calls, because the parent reports them."""
        self._create_locks()
        self._waiting = []


def _read_accepted(receipt: Any, sent: int) -> int:
    accepted = receipt["accepted"]
    if isinstance(accepted, int) and 0 <= accepted <= sent:
        return accepted
    raise create_foreign_response_error('The response has no valid "accepted"')


def _is_temporary(err: Exception) -> bool:
    """Return whether a retry can succeed, for example because the program receives a new key."""
    if not isinstance(err, ApiError):
        return True
    return err.status >= 500 or err.status in (401, 403, 408, 429)


_reporters: weakref.WeakSet[Reporter] = weakref.WeakSet()


@atexit.register
def _flush_all() -> None:
    """Send the waiting calls when the interpreter ends. Calls that cannot be sent are lost."""
    end = time.monotonic() + EXIT_SECONDS
    for reporter in list(_reporters):
        reporter.flush_until(end)
