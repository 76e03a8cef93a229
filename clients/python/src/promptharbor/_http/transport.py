"""Sends requests with the key, and retries them if that is safe."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from .. import _fork
from .._version import VERSION
from ..errors import ApiError, PromptHarborError
from .connection import Cancellation, ConnectionPool
from .failures import may_retry
from .request import OpenResponse, Request, attempt, open_stream, read_body
from .settings import ApiKey, Settings, parse_key
from .timing import retry_delay

T = TypeVar("T")

MAX_RETRY_AFTER = 60.0
"""If the service asks for a longer pause than this, the caller gets the error instead of waiting."""


@dataclass(frozen=True)
class ConditionalResponse:
    """A response to a request with an ETag. The body is None if nothing has changed."""

    is_unchanged: bool
    body: Any = None
    etag: str | None = None


class KeyHolder:
    """The current key, which all copies of a client share."""

    def __init__(self, key: ApiKey | None) -> None:
        self._key = parse_key(key) if isinstance(key, str) else key
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], None]] = []
        _fork.register(self)

    def get(self) -> str | None:
        """Return the current key. Call the function that returns it, if there is one."""
        key = self._key
        return parse_key(key()) if callable(key) else key

    def set(self, key: str) -> None:
        """Replace the key."""
        self._key = parse_key(key)
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            listener()

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call the listener after each change. Return a function that removes it."""
        with self._lock:
            self._listeners.append(listener)

        def remove() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return remove

    def after_fork(self) -> None:
        """Replace the lock, because another thread of the parent may hold it."""
        self._lock = threading.Lock()


class Transport:
    """Sends requests. May be used by several threads."""

    def __init__(self, settings: Settings, keys: KeyHolder, pool: ConnectionPool) -> None:
        self.settings = settings
        self.keys = keys
        self._pool = pool

    def with_settings(self, **changes: Any) -> Transport:
        """Return a transport with other settings, which shares the key and the connections."""
        given = {name: value for name, value in changes.items() if value is not None}
        return Transport(replace(self.settings, **given), self.keys, self._pool)

    def send(self, request: Request, *, cancellation: Cancellation | None = None) -> Any:
        """Return the parsed body of the response, or None for 204."""

        def once(headers: Mapping[str, str]) -> Any:
            response = attempt(request, self.settings, self._pool, headers, cancellation)
            return read_body(response, request)

        return self._send_with_retries(request, once, cancellation)

    def send_conditional(
        self, request: Request, etag: str | None, *, cancellation: Cancellation | None = None
    ) -> ConditionalResponse:
        """Return the response. The status 304 is not an error."""
        condition = {} if etag is None else {"if-none-match": etag}

        def once(headers: Mapping[str, str]) -> ConditionalResponse:
            response = attempt(
                request, self.settings, self._pool, {**headers, **condition}, cancellation
            )
            if response.status == 304:
                return ConditionalResponse(is_unchanged=True)
            body = read_body(response, request)
            return ConditionalResponse(False, body, response.headers.get("etag"))

        return self._send_with_retries(request, once, cancellation)

    def open(
        self,
        request: Request,
        *,
        headers: Mapping[str, str],
        cancellation: Cancellation | None = None,
    ) -> OpenResponse:
        """Return the response with its body unread, for streams."""

        def once(own: Mapping[str, str]) -> OpenResponse:
            return open_stream(request, self.settings, self._pool, {**own, **headers}, cancellation)

        return self._send_with_retries(request, once, cancellation)

    def close(self) -> None:
        """Close the idle connections."""
        self._pool.close()

    def _send_with_retries(
        self,
        request: Request,
        once: Callable[[Mapping[str, str]], T],
        cancellation: Cancellation | None,
    ) -> T:
        is_repeatable = request.is_repeatable or request.method == "GET"
        count = 0
        while True:
            try:
                return once(self._headers(request))
            except PromptHarborError as err:
                is_cancelled = cancellation is not None and cancellation.is_cancelled
                is_last = count >= self.settings.retries or is_cancelled
                if is_last or not may_retry(err, is_repeatable=is_repeatable):
                    raise
                if isinstance(err, ApiError) and (err.retry_after or 0) > MAX_RETRY_AFTER:
                    raise
                delay = retry_delay(err, count)
            (cancellation or Cancellation()).wait(delay)
            count += 1

    def _headers(self, request: Request) -> dict[str, str]:
        key = self.keys.get()
        if key is None and not request.is_public:
            raise PromptHarborError(
                "There is no API key. Pass api_key, or set PROMPTHARBOR_API_KEY."
            )
        workspace = self.settings.workspace
        return {
            "user-agent": f"promptharbor-python/{VERSION}",
            **({} if key is None else {"authorization": f"Bearer {key}"}),
            **({} if workspace is None else {"promptharbor-workspace": workspace}),
            **self.settings.headers,
        }
