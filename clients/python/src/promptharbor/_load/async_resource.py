"""`ph.prompts` for asyncio, with `load`."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from typing import Any, Optional

from .._api.async_resources import AsyncPrompts
from .._api.caller import Run
from .._http.transport import Transport
from .._results.reporter import Reporter
from ..loaded_prompts import AsyncLoadedPrompts
from .compare import PromptsChange
from .options import AuthErrorHandler
from .resource import Path, create_options
from .store import PromptStore


class AsyncLoadingPrompts(AsyncPrompts):
    """`ph.prompts`."""

    def __init__(self, transport: Transport, run: Run, reporter: Reporter) -> None:
        super().__init__(transport, run)
        self._reporter = reporter

    async def load(
        self,
        *,
        label: str = "production",
        folder: Optional[str] = None,
        fallback_file: Optional[Path] = None,
        state_file: Optional[Path] = None,
        start_empty: bool = False,
        on_change: Optional[Callable[[PromptsChange], Any]] = None,
        on_auth_error: Optional[AuthErrorHandler] = None,
        on_error: Optional[Callable[[BaseException], Any]] = None,
        poll_interval: float = 15.0,
        start_timeout: float = 5.0,
    ) -> AsyncLoadedPrompts:
        """Fetch all prompts at a label and keep them up to date, as `PromptHarbor` does.

        The callbacks run on the event loop. They may be coroutine functions.
        """
        loop = asyncio.get_running_loop()
        options = create_options(
            label=label,
            folder=folder,
            fallback_file=fallback_file,
            state_file=state_file,
            start_empty=start_empty,
            on_change=_on_loop(on_change, loop),
            on_auth_error=_on_loop(on_auth_error, loop),
            on_error=_on_loop(on_error, loop, waits=False),
            poll_interval=poll_interval,
            start_timeout=start_timeout,
        )
        store = await self._run(lambda cancellation: PromptStore(self._transport, options, cancellation))
        return AsyncLoadedPrompts(store, self._reporter, self._run)


def _on_loop(
    callback: Optional[Callable[[Any], Any]], loop: asyncio.AbstractEventLoop, *, waits: bool = True
) -> Optional[Callable[[Any], Any]]:
    """Return a function that a thread of the client may call, and that calls back on the loop."""
    if callback is None:
        return None
    given = callback

    async def call(value: Any) -> Any:
        result = given(value)
        return await result if inspect.isawaitable(result) else result

    def call_on_loop(value: Any) -> Any:
        if loop.is_closed():
            return None
        future = asyncio.run_coroutine_threadsafe(call(value), loop)
        return future.result() if waits else None

    return call_on_loop
