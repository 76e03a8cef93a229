"""Sends a request once."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from ..errors import PromptHarborError, create_foreign_response_error
from .connection import Cancellation, ConnectionPool
from .deadline import Connection
from .failures import explain, raise_for_status
from .settings import ResponseInfo, Settings

MAX_RESPONSE_BYTES = 64 * 1024 * 1024
"""The maximum size of a response. The service's pages have a few megabytes at most."""

CHUNK_BYTES = 64 * 1024


@dataclass(frozen=True)
class Request:
    """A request, without the settings of the client.

    Attributes:
        path: The encoded path, without the base address.
        query: Parameters. A list is sent as one parameter for each item. None is omitted.
        body: A JSON value, or text that is sent as JSON lines.
        expects: A field that every successful response has.
        is_text: Whether the response is text, and not JSON.
        is_repeatable: Whether sending the request twice has the same effect as sending it once.
        is_public: Whether the request needs no key.
    """

    method: str
    path: str
    query: Mapping[str, Any] | None = None
    body: Any = None
    expects: str | None = None
    is_text: bool = False
    is_repeatable: bool = False
    is_public: bool = False


@dataclass(frozen=True)
class Response:
    """A response that was read completely."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class OpenResponse:
    """A response whose body is read later."""

    def __init__(self, connection: Connection, raw: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._raw = raw
        self.status = raw.status
        self.headers = _headers_of(raw)

    def read(self, timeout: float) -> bytes:
        """Return the next bytes of a stream, or no bytes at the end."""
        self._connection.deadline.set(time.monotonic() + timeout)
        return self._raw.read1(CHUNK_BYTES)

    def read_all(self) -> bytes:
        """Return the rest of the body, if it arrives before the deadline of the connection."""
        parts: list[bytes] = []
        size = 0
        while part := self._raw.read1(CHUNK_BYTES):
            parts.append(part)
            size += len(part)
            if size > MAX_RESPONSE_BYTES:
                raise create_foreign_response_error("The response is too large")
        if self._raw.length:
            raise http.client.IncompleteRead(b"", self._raw.length)
        # After this, the connection can be used again.
        self._raw.close()
        return b"".join(parts)

    @property
    def will_close(self) -> bool:
        """Whether the connection cannot be used again."""
        return self._raw.will_close

    def close(self) -> None:
        """Close the connection."""
        self._raw.close()
        self._connection.close()


def attempt(
    request: Request,
    settings: Settings,
    pool: ConnectionPool,
    headers: Mapping[str, str],
    cancellation: Cancellation | None,
) -> Response:
    """Send a request once, and read its response."""
    connection = pool.take()
    is_kept = False
    try:
        response = _open(request, settings, pool, connection, headers, cancellation)
        body = response.read_all()
        is_kept = not response.will_close
        return Response(response.status, response.headers, body)
    except PromptHarborError:
        raise
    except Exception as err:
        raise explain(err, settings, cancellation) from err
    finally:
        if cancellation is not None:
            cancellation.attach(None)
        if is_kept:
            pool.give_back(connection)
        else:
            connection.close()


def open_stream(
    request: Request,
    settings: Settings,
    pool: ConnectionPool,
    headers: Mapping[str, str],
    cancellation: Cancellation | None,
) -> OpenResponse:
    """Send a request once, and return its response unread.

    The timeout applies only until the headers have arrived.
    """
    connection = pool.create()
    try:
        response = _open(request, settings, pool, connection, headers, cancellation)
        if response.status >= 300:
            body = response.read_all()
            raise_for_status(response.status, response.headers, body)
        return response
    except PromptHarborError:
        connection.close()
        raise
    except Exception as err:
        connection.close()
        raise explain(err, settings, cancellation) from err


def _open(
    request: Request,
    settings: Settings,
    pool: ConnectionPool,
    connection: Connection,
    headers: Mapping[str, str],
    cancellation: Cancellation | None,
) -> OpenResponse:
    deadline = connection.deadline
    deadline.set(time.monotonic() + settings.timeout)
    if cancellation is not None:
        cancellation.attach(connection)
    if connection.sock is None:
        connection.timeout = settings.timeout
        connection.connect()
    if cancellation is not None:
        cancellation.attach(connection)
    if connection.sock is not None:
        connection.sock.settimeout(deadline.remaining())
    data, content_type = _encode(request.body)
    sent = {"accept": "application/json", **content_type, **headers, **pool.headers}
    path = pool.prefix + request.path + format_query(request.query)
    connection.request(request.method, path, body=data, headers=sent)
    response = OpenResponse(connection, connection.getresponse())
    if settings.on_response is not None:
        settings.on_response(ResponseInfo(response.status, response.headers))
    return response


def _encode(body: Any) -> tuple[bytes | None, dict[str, str]]:
    if body is None:
        return None, {}
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass"), {"content-type": "application/x-ndjson"}
    try:
        text = json.dumps(body, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as err:
        raise PromptHarborError(f"The request cannot be sent as JSON: {err}") from err
    return text.encode("ascii"), {"content-type": "application/json"}


def format_query(query: Mapping[str, Any] | None) -> str:
    """Return the parameters with a question mark, or an empty string if there are none."""
    pairs: list[tuple[str, str]] = []
    for name, value in (query or {}).items():
        values: Iterable[Any] = value if isinstance(value, (list, tuple)) else [value]
        pairs.extend((name, format_parameter(each)) for each in values if each is not None)
    return f"?{urlencode(pairs, errors='replace')}" if pairs else ""


def format_parameter(value: Any) -> str:
    """Format a value as JavaScript does, so that all clients send the same text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def fill_path(path: str, values: Mapping[str, Any]) -> str:
    """Fill `{name}` in a path."""
    for name, value in values.items():
        text = str(value)
        if text in ("", ".", ".."):
            raise PromptHarborError(f'"{text}" is not a valid {name}')
        path = path.replace(f"{{{name}}}", quote(text, safe="!'()*~", errors="replace"))
    return path


def read_body(response: Response, request: Request) -> Any:
    """Return the body of a success, which is parsed unless it is text."""
    raise_for_status(response.status, response.headers, response.body)
    if response.status == 204:
        return None
    if request.is_text:
        return response.body.decode("utf-8", "replace")
    try:
        body = json.loads(response.body)
    except (ValueError, RecursionError) as err:
        raise create_foreign_response_error("The response is not JSON") from err
    field = request.expects
    if field is None or _has_field(body, field):
        return body
    raise create_foreign_response_error(f'The response has no valid "{field}"')


def _has_field(body: Any, name: str) -> bool:
    return isinstance(body, dict) and name in body and (name != "data" or isinstance(body[name], list))


def _headers_of(raw: http.client.HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in raw.getheaders()}
