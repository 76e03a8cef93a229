"""Lists that the service returns in pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import Any, Generic, TypeVar

from ..errors import create_foreign_response_error

Item = TypeVar("Item")

MAX_PAGES = 100_000
"""The maximum number of pages. A workspace cannot have more, even if each page holds only a few large items."""

MAX_EMPTY_PAGES = 100
"""The maximum number of empty pages in a row. A page may be empty because its items were deleted."""


class PageGuard:
    """Detects a server that repeats a cursor or sends an endless number of pages."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._empty = 0

    def next_cursor(self, page: dict[str, Any]) -> str | None:
        """Return the cursor of the next page, or None on the last page."""
        cursor = page.get("nextCursor")
        if cursor is None:
            return None
        self._empty = 0 if page["data"] else self._empty + 1
        if not isinstance(cursor, str):
            raise create_foreign_response_error('The response has no valid "nextCursor"')
        if cursor in self._seen or self._empty > MAX_EMPTY_PAGES or len(self._seen) >= MAX_PAGES:
            raise create_foreign_response_error("The service sends an endless number of pages")
        self._seen.add(cursor)
        return cursor


def follow_pages(fetch: Callable[[str | None], dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield all pages of a list."""
    guard = PageGuard()
    cursor: str | None = None
    while True:
        page = fetch(cursor)
        yield page
        cursor = guard.next_cursor(page)
        if cursor is None:
            return


class Page(Generic[Item]):
    """A list. Iterate over all items, or read the first page with `data` and `next_cursor`."""

    def __init__(self, fetch: Callable[[str | None], dict[str, Any]]) -> None:
        self._fetch = fetch
        self._first: dict[str, Any] | None = None

    def _page(self, cursor: str | None) -> dict[str, Any]:
        if cursor is not None:
            return self._fetch(cursor)
        if self._first is None:
            self._first = self._fetch(None)
        return self._first

    @property
    def data(self) -> list[Item]:
        """The items of the first page."""
        items: list[Item] = self._page(None)["data"]
        return items

    @property
    def next_cursor(self) -> str | None:
        """The cursor of the second page, or None if there is only one page."""
        cursor: str | None = self._page(None).get("nextCursor")
        return cursor

    def __iter__(self) -> Iterator[Item]:
        for page in follow_pages(self._page):
            yield from page["data"]


class AsyncPage(Generic[Item]):
    """A list. Iterate over all items with `async for`, or await the items of the first page."""

    def __init__(self, fetch: Callable[[str | None], Awaitable[dict[str, Any]]]) -> None:
        self._fetch = fetch

    async def _read_first(self) -> list[Item]:
        items: list[Item] = (await self._fetch(None))["data"]
        return items

    def __await__(self) -> Generator[Any, None, list[Item]]:
        return self._read_first().__await__()

    async def __aiter__(self) -> AsyncIterator[Item]:
        guard = PageGuard()
        cursor: str | None = None
        while True:
            page = await self._fetch(cursor)
            for item in page["data"]:
                yield item
            cursor = guard.next_cursor(page)
            if cursor is None:
                return
