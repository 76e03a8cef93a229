"""Measures model calls."""

from __future__ import annotations

import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from datetime import datetime, timezone
from typing import Any, Optional, TypeVar, Union, cast

from .read_response import error_type, read_response
from .reporter import Reporter

T = TypeVar("T")


class Watch:
    """Measures one call, and reports it once. Errors of the measurement never reach the program."""

    def __init__(self, reporter: Reporter, called: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        self._reporter = reporter
        self._called = dict(called)
        self._given = {name: value for name, value in given.items() if isinstance(value, str) and value}
        self._started_at = time.perf_counter()
        self._facts: dict[str, Any] = {}
        self._first_chunk: Optional[float] = None
        self._is_reported = False

    def part(self, value: Any) -> None:
        """A part of a streamed response has arrived."""
        if self._first_chunk is None:
            self._first_chunk = self._elapsed()
        self._read(value)

    def end(self, response: Any = None) -> None:
        """The response is complete, or the program does not need the rest."""
        self._read(response)
        self._report()

    def fail(self, err: BaseException) -> None:
        """The call has failed."""
        self._facts["error"] = error_type(err)
        self._report()

    def _elapsed(self) -> float:
        return round((time.perf_counter() - self._started_at) * 1000, 1)

    def _read(self, value: Any) -> None:
        try:
            self._facts.update(read_response(value))
        except Exception:
            pass  # The properties of a foreign object may raise anything.

    def _report(self) -> None:
        if self._is_reported:
            return
        self._is_reported = True
        now = datetime.now(timezone.utc)
        first = {} if self._first_chunk is None else {"firstChunkMs": self._first_chunk}
        self._reporter.add(
            {
                **self._called,
                "durationMs": self._elapsed(),
                "endedAt": f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03d}Z",
                **first,
                **self._facts,
                **self._given,
            }
        )


def observe(
    work: Callable[[], T],
    reporter: Optional[Reporter],
    called: Mapping[str, Any],
    given: Mapping[str, Any],
) -> T:
    """Run a model call and report it. Without a reporter, nothing is reported."""
    if reporter is None:
        return work()
    watch = Watch(reporter, called, given)
    try:
        result = work()
    except BaseException as err:
        watch.fail(err)
        raise
    if inspect.isawaitable(result):
        return cast(T, _finish(result, watch))
    return cast(T, _watch_result(result, watch))


async def observe_async(
    work: Callable[[], Union[Awaitable[T], T]],
    reporter: Optional[Reporter],
    called: Mapping[str, Any],
    given: Mapping[str, Any],
) -> T:
    """Run a model call and report it. Without a reporter, nothing is reported."""
    result = observe(work, reporter, called, given)
    return cast(T, await result if inspect.isawaitable(result) else result)


async def _finish(result: Awaitable[Any], watch: Watch) -> Any:
    try:
        return _watch_result(await result, watch)
    except BaseException as err:
        watch.fail(err)
        raise


def _watch_result(result: Any, watch: Watch) -> Any:
    is_stream = hasattr(result, "__next__") or hasattr(result, "__anext__")
    if not is_stream:
        watch.end(result)
        return result
    return ObservedStream(result, watch)


class ObservedStream:
    """A streamed response. This object has all attributes of the original stream."""

    def __init__(self, stream: Any, watch: Watch) -> None:
        self._stream = stream
        self._watch = watch

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        try:
            part = next(self._stream)
        except StopIteration:
            self._watch.end()
            raise
        except BaseException as err:
            self._watch.fail(err)
            raise
        self._watch.part(part)
        return part

    def __aiter__(self) -> AsyncIterator[Any]:
        return self

    async def __anext__(self) -> Any:
        try:
            part = await self._stream.__anext__()
        except StopAsyncIteration:
            self._watch.end()
            raise
        except BaseException as err:
            self._watch.fail(err)
            raise
        self._watch.part(part)
        return part

    def close(self) -> Any:
        """End the stream early."""
        self._watch.end()
        return self._stream.close()

    def __enter__(self) -> ObservedStream:
        if hasattr(self._stream, "__enter__"):
            self._stream.__enter__()
        return self

    def __exit__(self, *details: Any) -> Any:
        self._watch.end()
        return self._stream.__exit__(*details) if hasattr(self._stream, "__exit__") else None

    async def __aenter__(self) -> ObservedStream:
        if hasattr(self._stream, "__aenter__"):
            await self._stream.__aenter__()
        return self

    async def __aexit__(self, *details: Any) -> Any:
        self._watch.end()
        return await self._stream.__aexit__(*details) if hasattr(self._stream, "__aexit__") else None

    def __del__(self) -> None:
        # A program may stop reading a stream without closing it.
        try:
            self._watch.end()
        except AttributeError:
            pass
