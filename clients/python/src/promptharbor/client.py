"""The client that blocks."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ._api.sync_resources import RESOURCES, ClientResources
from ._http.request import Request
from ._http.settings import ApiKey, ResponseInfo
from ._http.transport import Transport
from ._load.resource import LoadingPrompts
from ._results.reporter import Reporter
from ._setup import create_transport

if TYPE_CHECKING:
    from collections.abc import Iterator


class PromptHarbor(ClientResources):
    """A client for a PromptHarbor service. May be used by several threads.

    Args:
        api_key: A key, or a function that is called before each request and returns the current
            key. Default: the environment variable `PROMPTHARBOR_API_KEY`.
        base_url: The address of the service. Default: `PROMPTHARBOR_URL`, then
            `http://127.0.0.1:3000`.
        workspace: The id of the workspace to act in. Default: `PROMPTHARBOR_WORKSPACE`, then
            your own.
        timeout: The timeout of one attempt, in seconds.
        retries: How often a request is retried after a temporary failure.
        headers: Headers that are sent with every request.
        ssl_context: The context for https. Default: `ssl.create_default_context()`.
        use_proxy: Whether to use the proxy in `HTTP_PROXY` or `HTTPS_PROXY`, except for the hosts in
            `NO_PROXY`.
    """

    prompts: LoadingPrompts

    def __init__(
        self,
        api_key: ApiKey | None = None,
        *,
        base_url: str | None = None,
        workspace: str | None = None,
        timeout: float = 30.0,
        retries: int = 2,
        headers: Mapping[str, str] | None = None,
        ssl_context: ssl.SSLContext | None = None,
        use_proxy: bool = True,
    ) -> None:
        transport = create_transport(
            api_key,
            base_url=base_url,
            workspace=workspace,
            timeout=timeout,
            retries=retries,
            headers=headers,
            ssl_context=ssl_context,
            use_proxy=use_proxy,
        )
        self._set_up(transport, Reporter(transport))

    def _set_up(self, transport: Transport, reporter: Reporter) -> None:
        self._transport = transport
        self._reporter = reporter
        for name, resource in RESOURCES.items():
            setattr(self, name, resource(transport))
        self.prompts = LoadingPrompts(transport, reporter)

    def with_options(
        self,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        workspace: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
    ) -> PromptHarbor:
        """Return a client with other options, which shares the key and the connections.

        `on_response` is called with the status and headers of each response.
        """
        copy = PromptHarbor.__new__(PromptHarbor)
        changed = self._transport.with_settings(
            timeout=timeout,
            retries=retries,
            workspace=workspace,
            headers=None if headers is None else {**self._transport.settings.headers, **headers},
            on_response=on_response,
        )
        copy._set_up(changed, self._reporter)
        return copy

    @property
    def base_url(self) -> str:
        """The address of the service."""
        return self._transport.settings.base_url

    @property
    def reports(self) -> Reporter:
        """The reports of observed calls: their `state`, and `flush`."""
        return self._reporter

    def set_api_key(self, key: str) -> None:
        """Set the key for all following requests, for example after a reset."""
        self._transport.keys.set(key)

    def stream_events(
        self, *, after: str | None = None, prompt: str | None = None, label: str | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yield the events of the workspace.

        After a lost connection, the stream continues where it stopped. Raises an error only if
        another attempt cannot succeed, for example because the key is no longer valid.
        """
        from ._http.events import stream_events

        return stream_events(self._transport, {"after": after, "prompt": prompt, "label": label})

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        is_repeatable: bool = False,
    ) -> Any:
        """Send any API request, for endpoints that have no method here."""
        request = Request(method, path, query=query, body=body, is_repeatable=is_repeatable)
        return self._transport.send(request)

    def close(self) -> None:
        """Send the waiting reports, and close the idle connections."""
        self._reporter.flush()
        self._transport.close()

    def __enter__(self) -> PromptHarbor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.base_url}>"
