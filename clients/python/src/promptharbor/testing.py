"""Prompts for tests of your application, without a service."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from typing import Any, Optional, Union

from ._http.connection import ConnectionPool
from ._http.settings import Settings
from ._http.transport import KeyHolder, Transport
from ._load.compare import PromptsChange
from ._load.fallback import create_version, to_content
from ._load.options import PromptsState, Status
from ._load.prompt import PromptContent
from ._load.snapshot import Snapshot
from ._releases import Context, check_key
from .errors import PromptHarborError
from .loaded_prompt import LoadedPrompt
from .loaded_prompts import LoadedPrompts

FakePrompt = Union[str, Mapping[str, Any]]
"""A template, or the fields of a version that the test needs."""

_LABEL = "production"


class FakePrompts(LoadedPrompts):
    """Prompts that work like the result of `ph.prompts.load`, but render only in this process."""

    # This class replaces every method, so it needs neither a store nor a reporter.
    def __init__(self, prompts: Mapping[str, FakePrompt]) -> None:
        settings = Settings(base_url="http://fake.invalid", retries=0)
        self._transport = _Refusing(settings, KeyHolder("fake"), ConnectionPool(settings.base_url))
        self._versions = {name: _create(name, prompt, 1) for name, prompt in prompts.items()}
        self._listeners: list[Callable[[PromptsChange], Any]] = []
        self._is_closed = False

    def get(
        self, name: str, *, key: Optional[str] = None, context: Context = None, fallback: Any = None
    ) -> LoadedPrompt:
        """Return a prompt. Raise `PromptHarborError` if there is none with this name."""
        found = self.find(name, key=key, context=context)
        if found is None:
            raise PromptHarborError(f'There is no prompt "{name}" with the label "{_LABEL}".')
        return found

    def find(
        self, name: str, *, key: Optional[str] = None, context: Context = None
    ) -> Optional[LoadedPrompt]:
        """Return a prompt, or None if there is none with this name."""
        check_key(key)
        version = self._versions.get(name)
        if version is None:
            return None
        content = PromptContent(version, Snapshot(prompts=dict(self._versions)), _LABEL)
        return LoadedPrompt(content, self._transport, None)

    @property
    def names(self) -> list[str]:
        """The names in alphabetical order."""
        return sorted(self._versions)

    @property
    def state(self) -> PromptsState:
        """The state of prompts that are up to date."""
        status: Status = "closed" if self._is_closed else "live"
        return PromptsState(status, "service", datetime.now(timezone.utc), 0.0, None)

    def set(self, name: str, prompt: FakePrompt) -> None:
        """Add or change a prompt, as if someone had moved a label."""
        previous = self._versions.get(name)
        self._versions[name] = _create(name, prompt, previous["version"] + 1 if previous else 1)
        self._announce(PromptsChange([], [name], []) if previous else PromptsChange([name], [], []))

    def delete(self, name: str) -> None:
        """Remove a prompt."""
        if self._versions.pop(name, None) is not None:
            self._announce(PromptsChange([], [], [name]))

    def on_change(self, listener: Callable[[PromptsChange], Any]) -> Callable[[], None]:
        """Call the listener after each change. Return a function that removes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def refresh(self) -> None:
        """Do nothing, because the prompts are always up to date."""

    def close(self) -> None:
        """End the updates."""
        self._is_closed = True

    def _announce(self, change: PromptsChange) -> None:
        for listener in list(self._listeners):
            listener(change)


def fake_prompts(prompts: Mapping[str, FakePrompt]) -> FakePrompts:
    """Return prompts for tests. Each value is a template, or a mapping with fields of a version."""
    return FakePrompts(prompts)


def _create(name: str, prompt: FakePrompt, number: int) -> dict[str, Any]:
    given: Mapping[str, Any] = {"template": prompt} if isinstance(prompt, str) else prompt
    content = to_content(given.get("messages") or given.get("template") or "")
    version = create_version(name, content, number=number, label=_LABEL, config={})
    return {**version, **given}


class _Refusing(Transport):
    def send(self, request: Any, *, cancellation: Any = None) -> Any:
        raise PromptHarborError("fake_prompts makes no requests, so it cannot render this prompt.")
