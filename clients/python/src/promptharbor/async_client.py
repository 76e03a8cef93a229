"""The client for asyncio."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Optional, TypeVar

from . import _fork
from ._api.async_resources import RESOURCES, AsyncClientResources
from ._http.connection import Cancellation
from ._http.events import stream_events
from ._http.request import Request
from ._http.settings import ApiKey, ResponseInfo
from ._http.transport import Transport
from ._load.async_resource import AsyncLoadingPrompts
from ._results.reporter import Reporter
from ._setup import create_transport

T = TypeVar("T")

MAX_WAITING_EVENTS = 1000
MAX_THREADS = 32
"""The maximum number of requests at the same time. Further requests wait."""


class Threads:
    """Runs requests on threads, because the standard library has no HTTP for asyncio."""

    def __init__(self) -> None:
        self._pool: Optional[ThreadPoolExecutor] = None
        self._lock = threading.Lock()
        _fork.register(self)

    async def run(self, work: Callable[[Cancellation], T]) -> T:
        """Run a function that blocks. If the task is cancelled, the request is cancelled too."""
        cancellation = Cancellation()
        future = asyncio.get_running_loop().run_in_executor(self._get_pool(), work, cancellation)
        try:
            return await future
        except asyncio.CancelledError:
            cancellation.cancel()
            raise

    def _get_pool(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(MAX_THREADS, "promptharbor-request")
            return self._pool

    def close(self) -> None:
        """Let the threads end when they have nothing left to do."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False)

    def after_fork(self) -> None:
        """Forget the threads, which do not exist in the child."""
        self._lock = threading.Lock()
        self._pool = None


class AsyncPromptHarbor(AsyncClientResources):
    """A client for a PromptHarbor service, for asyncio.

    Takes the same arguments as `PromptHarbor`. Requests run on a small pool of threads, so they
    never block the event loop. Prompts that were loaded are read without a request.
    """

    prompts: AsyncLoadingPrompts

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
        self._set_up(transport, Reporter(transport), Threads())

    def _set_up(self, transport: Transport, reporter: Reporter, threads: Threads) -> None:
        self._transport = transport
        self._reporter = reporter
        self._threads = threads
        for name, resource in RESOURCES.items():
            setattr(self, name, resource(transport, threads.run))
        self.prompts = AsyncLoadingPrompts(transport, threads.run, reporter)

    def with_options(
        self,
        *,
        timeout: float | None = None,
        retries: int | None = None,
        workspace: str | None = None,
        headers: Mapping[str, str] | None = None,
        on_response: Callable[[ResponseInfo], None] | None = None,
    ) -> AsyncPromptHarbor:
        """Return a client with other options, which shares the key and the connections.

        `on_response` is called with the status and headers of each response, on a thread.
        """
        copy = AsyncPromptHarbor.__new__(AsyncPromptHarbor)
        changed = self._transport.with_settings(
            timeout=timeout,
            retries=retries,
            workspace=workspace,
            headers=None if headers is None else {**self._transport.settings.headers, **headers},
            on_response=on_response,
        )
        copy._set_up(changed, self._reporter, self._threads)
        return copy

    @property
    def base_url(self) -> str:
        """The address of the service."""
        return self._transport.settings.base_url

    @property
    def reports(self) -> Reporter:
        """The reports of observed calls: their `state`, and `flush`, which blocks."""
        return self._reporter

    def set_api_key(self, key: str) -> None:
        """Set the key for all following requests, for example after a reset."""
        self._transport.keys.set(key)

    async def stream_events(
        self, *, after: str | None = None, prompt: str | None = None, label: str | None = None
    ) -> AsyncIterator[dict[str, Any]]:
        """Yield the events of the workspace, as `PromptHarbor.stream_events` does.

        A separate thread reads the stream, and ends with the iteration.
        """
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        # If the program reads slowly, the thread waits, and so does the service.
        slots = threading.Semaphore(MAX_WAITING_EVENTS)
        cancellation = Cancellation()
        query = {"after": after, "prompt": prompt, "label": label}

        def put(kind: str, value: Any) -> None:
            if not cancellation.is_cancelled and not loop.is_closed():
                loop.call_soon_threadsafe(queue.put_nowait, (kind, value))

        def read() -> None:
            try:
                for event in stream_events(self._transport, query, cancellation):
                    slots.acquire()
                    if cancellation.is_cancelled:
                        return
                    put("event", event)
            except Exception as err:
                put("error", err)

        threading.Thread(target=read, name="promptharbor-events", daemon=True).start()
        try:
            while True:
                kind, value = await queue.get()
                slots.release()
                if kind == "error":
                    raise value
                yield value
        finally:
            cancellation.cancel()
            slots.release()

    async def request(
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
        return await self._threads.run(
            lambda cancellation: self._transport.send(request, cancellation=cancellation)
        )

    async def close(self) -> None:
        """Send the waiting reports, and close the idle connections."""
        await self._threads.run(lambda _: self._reporter.flush())
        self._transport.close()
        self._threads.close()

    async def __aenter__(self) -> AsyncPromptHarbor:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.base_url}>"
