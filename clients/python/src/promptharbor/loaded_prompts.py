"""The prompts that `ph.prompts.load` returns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional, TypeVar

from ._api.caller import Run
from ._load.compare import PromptsChange
from ._load.fallback import Fallback
from ._load.options import PromptsState
from ._load.prompt import PromptContent
from ._load.store import PromptStore
from ._releases import Context
from ._results.reporter import Reporter
from .loaded_prompt import AsyncLoadedPrompt, LoadedPrompt

# typing.Self requires Python 3.11.
Self = TypeVar("Self")


class _Prompts:
    """The base class of the loaded prompts of both clients."""

    def __init__(self, store: PromptStore, reporter: Reporter) -> None:
        self._store = store
        self._reporter = reporter

    @property
    def names(self) -> list[str]:
        """The names in alphabetical order."""
        return self._store.names

    @property
    def state(self) -> PromptsState:
        """The source of the prompts, and their age."""
        return self._store.state

    def on_change(self, listener: Callable[[PromptsChange], Any]) -> Callable[[], None]:
        """Call the listener after each change. Return a function that removes it."""
        return self._store.listen(listener)


class KnownPrompts(_Prompts):
    """All methods of `LoadedPrompts` except `get`, which typed prompts have for each name."""

    def find(self, name: str, *, key: Optional[str] = None, context: Context = None) -> Optional[LoadedPrompt]:
        """Return the current version of a prompt, or None if it is not at the label."""
        found = self._store.find(name, key, context)
        return None if found is None else self._wrap(found)

    def refresh(self) -> None:
        """Fetch changes now. Raises an error if that fails."""
        self._store.refresh()

    def close(self) -> None:
        """End the updates, and send the waiting reports. The prompts keep their versions."""
        self._store.close()
        self._reporter.flush()

    def _wrap(self, content: PromptContent) -> LoadedPrompt:
        return LoadedPrompt(content, self._store.transport, self._reporter)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class LoadedPrompts(KnownPrompts):
    """The prompts of an application, kept up to date. May be used by several threads."""

    def get(
        self,
        name: str,
        *,
        key: Optional[str] = None,
        context: Context = None,
        fallback: Optional[Fallback] = None,
    ) -> LoadedPrompt:
        """Return the current version of a prompt. Never sends a request.

        Args:
            name: The name of the prompt. Raises `PromptHarborError` if it is not at the label.
            key: The key by which a release divides callers, such as the id of a user. The same key
                always gets the same version.
            context: Attributes that the rules of a release use. They are not sent.
            fallback: A template or messages. Until the service is reached, this is returned as
                version 0 if no file has the prompt.
        """
        return self._wrap(self._store.get(name, key, context, fallback))


class AsyncKnownPrompts(_Prompts):
    """All methods of `AsyncLoadedPrompts` except `get`, which typed prompts have for each name."""

    def __init__(self, store: PromptStore, reporter: Reporter, run: Run) -> None:
        super().__init__(store, reporter)
        self._run = run

    def find(
        self, name: str, *, key: Optional[str] = None, context: Context = None
    ) -> Optional[AsyncLoadedPrompt]:
        """Return the current version of a prompt, or None if it is not at the label."""
        found = self._store.find(name, key, context)
        return None if found is None else self._wrap(found)

    async def refresh(self) -> None:
        """Fetch changes now. Raises an error if that fails."""
        await self._run(lambda _: self._store.refresh())

    async def close(self) -> None:
        """End the updates, and send the waiting reports. The prompts keep their versions."""
        await self._run(lambda _: self._store.close())
        await self._run(lambda _: self._reporter.flush())

    def _wrap(self, content: PromptContent) -> AsyncLoadedPrompt:
        return AsyncLoadedPrompt(content, self._store.transport, self._reporter, self._run)

    async def __aenter__(self: Self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class AsyncLoadedPrompts(AsyncKnownPrompts):
    """The prompts of an application, kept up to date. Reading them never blocks."""

    def get(
        self,
        name: str,
        *,
        key: Optional[str] = None,
        context: Context = None,
        fallback: Optional[Fallback] = None,
    ) -> AsyncLoadedPrompt:
        """Return the current version of a prompt, as `LoadedPrompts.get` does."""
        return self._wrap(self._store.get(name, key, context, fallback))
