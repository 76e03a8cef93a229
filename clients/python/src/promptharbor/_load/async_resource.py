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
            on_change=_tell_on_loop(on_change, loop, on_error),
            on_auth_error=_ask_on_loop(on_auth_error, loop),
            on_error=_tell_on_loop(on_error, loop),
            poll_interval=poll_interval,
            start_timeout=start_timeout,
        )
        store = await self._run(lambda cancellation: PromptStore(self._transport, options, cancellation))
        return AsyncLoadedPrompts(store, self._reporter, self._run)


def _ask_on_loop(
    callback: Optional[Callable[[Any], Any]], loop: asyncio.AbstractEventLoop
) -> Optional[Callable[[Any], Any]]:
    """Return a function that runs the callback on the event loop, and blocks its caller until the result is there."""
    if callback is None:
        return None
    given = callback

    def ask(value: Any) -> Any:
        if loop.is_closed():
            return None
        return asyncio.run_coroutine_threadsafe(_call(given, value), loop).result()

    return ask


def _tell_on_loop(
    callback: Optional[Callable[[Any], Any]],
    loop: asyncio.AbstractEventLoop,
    on_error: Optional[Callable[[BaseException], Any]] = None,
) -> Optional[Callable[[Any], Any]]:
    """Return a function that runs the callback on the event loop, and does not wait for the result.

    The callback may await a refresh, so a refresh must not wait for the callback.
    """
    if callback is None:
        return None
    given = callback

    async def call(value: Any) -> None:
        try:
            await _call(given, value)
        except Exception as err:
            if on_error is not None:
                await _call(on_error, err)

    def tell(value: Any) -> None:
        if not loop.is_closed():
            asyncio.run_coroutine_threadsafe(call(value), loop)

    return tell


async def _call(callback: Callable[[Any], Any], value: Any) -> Any:
    result = callback(value)
    return await result if inspect.isawaitable(result) else result
