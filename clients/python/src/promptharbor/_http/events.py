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
)
from .connection import Cancellation
from .request import OpenResponse, Request
from .timing import backoff
from .transport import Transport

SILENCE_SECONDS = 40.0
"""The service sends a comment every 15 seconds."""

MAX_EVENT_BYTES = 4 * 1024 * 1024
_END = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True)
class ServerSentEvent:
    """An event, or a comment, which has no data."""

    id: str | None
    data: str | None


def read_events(response: OpenResponse) -> Iterator[ServerSentEvent]:
    """Read a response as server-sent events. Ends with the response."""
    buffer = b""
    while part := response.read(SILENCE_SECONDS):
        buffer += part
        while end := _END.search(buffer):
            yield _parse_event(buffer[: end.start()].decode("utf-8", "replace"))
            buffer = buffer[end.end() :]
        if len(buffer) > MAX_EVENT_BYTES:
            raise create_foreign_response_error("An event is too long")


def _parse_event(text: str) -> ServerSentEvent:
    event_id: str | None = None
    data: list[str] = []
    for line in re.split(r"\r?\n", text):
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "id":
            event_id = value
        if name == "data":
            data.append(value)
    return ServerSentEvent(event_id, "\n".join(data) if data else None)


def connect(
    transport: Transport, query: Mapping[str, Any], after: str | None, cancellation: Cancellation
) -> Iterator[dict[str, Any]]:
    """Yield the events of one connection. Raise an error if it is lost, or silent for too long."""
    headers = {"accept": "text/event-stream", **({"last-event-id": after} if after else {})}
    request = Request("GET", "/api/events", query=query)
    response = transport.open(request, headers=headers, cancellation=cancellation)
    try:
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            raise create_foreign_response_error("The response is not an event stream")
        for event in read_events(response):
            if event.id is not None and event.data is not None:
                yield {"id": event.id, **json.loads(event.data)}
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
