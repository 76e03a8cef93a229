"""Server-sent events."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import (
    ApiConnectionError,
    ApiError,
    PromptHarborError,
    create_foreign_response_error,
    shorten,
)
from .connection import Cancellation
from .request import OpenResponse, Request
from .timing import backoff
from .transport import Transport

SILENCE_SECONDS = 40.0
"""The time without data after which a stream counts as lost. The service sends a comment every 15 seconds."""

MAX_EVENT_BYTES = 4 * 1024 * 1024
_END = re.compile(rb"\r?\n\r?\n")
_ID = re.compile(r"[\x21-\x7e]{1,100}")


@dataclass(frozen=True)
class ServerSentEvent:
    """An event, or a comment, which has no data."""

    id: str | None
    data: str | None


def read_events(response: OpenResponse) -> Iterator[ServerSentEvent]:
    """Read a response as server-sent events. Ends with the response."""
    buffer = bytearray()
    while part := response.read(SILENCE_SECONDS):
        # The end of an event may have started in the last bytes that were searched before.
        searched = max(0, len(buffer) - 3)
        taken = 0
        buffer += part
        while end := _END.search(buffer, searched):
            yield _parse_event(buffer[taken : end.start()].decode("utf-8", "replace"))
            searched = taken = end.end()
        buffer = buffer[taken:] if taken else buffer
        if len(buffer) > MAX_EVENT_BYTES:
            raise create_foreign_response_error("An event is too long")


def _parse_event(text: str) -> ServerSentEvent:
    event_id: str | None = None
    data: list[str] = []
    for line in re.split(r"\r?\n", text):
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        # The id is sent in a header later, so it may contain only characters that a header allows.
        if name == "id" and _ID.fullmatch(value):
            event_id = value
        if name == "data":
            data.append(value)
    return ServerSentEvent(event_id, "\n".join(data) if data else None)


def _parse_data(event_id: str, text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict) and isinstance(data.get("type"), str):
        return {**data, "id": event_id}
    raise create_foreign_response_error("An event is not valid")


def connect(
    transport: Transport, query: Mapping[str, Any], after: str | None, cancellation: Cancellation
) -> Iterator[dict[str, Any]]:
    """Yield the events of one connection. Raise an error if the connection is lost or silent."""
    headers = {"accept": "text/event-stream", **({"last-event-id": after} if after else {})}
    request = Request("GET", "/api/events", query=query)
    response = transport.open(request, headers=headers, cancellation=cancellation)
    try:
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            raise create_foreign_response_error("The response is not an event stream")
        for event in read_events(response):
            if event.id is not None and event.data is not None:
                yield _parse_data(event.id, event.data)
    except PromptHarborError:
        raise
    except Exception as err:
        raise ApiConnectionError("The event stream was cut off") from err
    finally:
        cancellation.attach(None)
        response.close()


def stream_events(
    transport: Transport,
    query: Mapping[str, Any],
    cancellation: Cancellation | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield the events of the workspace, over as many connections as needed."""
    cancellation = cancellation or Cancellation()
    transport = transport.with_settings(retries=0)
    last_id = query.get("after")
    if last_id and not _ID.fullmatch(last_id):
        raise PromptHarborError(f'"{shorten(last_id)}" is not the id of an event.')
    others = {name: value for name, value in query.items() if name != "after"}
    attempt = 0
    while not cancellation.is_cancelled:
        try:
            for event in connect(transport, others, last_id, cancellation):
                attempt = 0
                last_id = event["id"]
                yield event
        except PromptHarborError as err:
            if is_final(err):
                raise
        cancellation.wait(backoff(attempt, first=0.5, maximum=15.0))
        attempt += 1


def is_final(err: BaseException) -> bool:
    """Return whether a retry would fail in the same way."""
    return isinstance(err, ApiError) and err.status < 500 and err.status not in (408, 429)
