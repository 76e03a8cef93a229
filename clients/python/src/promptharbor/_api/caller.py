"""Calls operations of the API by their id."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from .._http.connection import Cancellation
from .._http.request import Request, fill_path, format_parameter
from .._http.transport import Transport
from .operations import OPERATIONS
from .pages import AsyncPage, Page

T = TypeVar("T")


class Omit:
    """Marks a field that is not sent. None cannot mark it, because None is sent as a value."""

    def __repr__(self) -> str:
        return "OMIT"


OMIT: Any = Omit()

Run = Callable[[Callable[[Cancellation], Any]], Awaitable[Any]]
"""Runs a blocking function without blocking the event loop."""


class Resource:
    """Methods that block until the service has responded."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _call(
        self, operation: str, path: Mapping[str, Any], query: Mapping[str, Any], body: Any = None
    ) -> Any:
        return self._transport.send(create_request(operation, path, query, body))

    def _list(
        self, operation: str, path: Mapping[str, Any], query: Mapping[str, Any]
    ) -> Page[Any]:
        def fetch(cursor: str | None) -> Any:
            return self._call(operation, path, {**query, "cursor": cursor})

        return Page(fetch)


class AsyncResource:
    """Methods for asyncio."""

    def __init__(self, transport: Transport, run: Run) -> None:
        self._transport = transport
        self._run = run

    async def _call(
        self, operation: str, path: Mapping[str, Any], query: Mapping[str, Any], body: Any = None
    ) -> Any:
        request = create_request(operation, path, query, body)
        return await self._run(
            lambda cancellation: self._transport.send(request, cancellation=cancellation)
        )

    def _list(
        self, operation: str, path: Mapping[str, Any], query: Mapping[str, Any]
    ) -> AsyncPage[Any]:
        async def fetch(cursor: str | None) -> Any:
            return await self._call(operation, path, {**query, "cursor": cursor})

        return AsyncPage(fetch)


def create_request(
    operation: str, path: Mapping[str, Any], query: Mapping[str, Any], body: Any = None
) -> Request:
    """Return the request of an operation."""
    method, template, expects, repeatable, public, text = OPERATIONS[operation]
    return Request(
        method=method,
        path=fill_path(template, path),
        query=_spread_context(query),
        body=_complete(operation, body),
        expects=expects,
        is_repeatable=repeatable,
        is_public=public,
        is_text=text,
    )


def _spread_context(query: Mapping[str, Any]) -> dict[str, Any]:
    """Each attribute of a context is a parameter of its own, such as `ctx.plan`."""
    context = query.get("context")
    spread = {name: value for name, value in query.items() if name != "context" and value is not OMIT}
    for name, value in (context or {}).items():
        spread[f"ctx.{name}"] = format_parameter(value)
    return spread


def _complete(operation: str, body: Any) -> Any:
    """Omit absent fields, and give reports an id, so that a retry is not counted again."""
    if not isinstance(body, Mapping):
        return body
    given = {name: value for name, value in body.items() if value is not OMIT}
    if operation in ("sendFeedback", "sendBrowserFeedback"):
        return {"id": str(uuid.uuid4()), **given}
    if operation == "reportResults":
        return {**given, "calls": [with_identity(call) for call in given["calls"]]}
    return given


def with_identity(call: Mapping[str, Any]) -> dict[str, Any]:
    """Give a call an id if it has none, so that it is counted once however often it is sent."""
    if call.get("traceId") is not None:
        return {"spanId": str(uuid.uuid4()), **call}
    return dict(call) if call.get("spanId") is not None else {"id": str(uuid.uuid4()), **call}
