"""The prompts of an application, kept up to date. Both clients use this class."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

from .. import _fork
from .._http.connection import Cancellation
from .._http.transport import Transport
from .._render.includes import normalize_name
from .._releases import Context, check_key, choose_version
from ..errors import PromptHarborError
from .compare import PromptsChange, compare_prompts
from .fallback import Fallback, create_fallback
from .follow import Follower
from .options import LoadOptions, PromptsState
from .prompt import PromptContent
from .snapshot import Selection, Snapshot, Version, fetch_snapshot
from .start import find_start, log_auth_error
from .state_file import FileSource, write_fallback_file


class PromptStore:
    """The current prompts. Reads need no lock: each uses one snapshot, which a refresh replaces."""

    def __init__(
        self, transport: Transport, options: LoadOptions, cancellation: Cancellation | None = None
    ) -> None:
        settings = transport.settings
        self.transport = transport
        self.options = options
        self.selection = Selection(options.label, options.folder)
        self._source = FileSource(self.selection, settings.base_url, settings.workspace)
        self._listeners = [options.on_change] if options.on_change else []
        self._is_closed = False
        self._saving = threading.Lock()
        on_auth_error = options.on_auth_error or log_auth_error
        start = find_start(
            transport, self.selection, options, self._source, on_auth_error, cancellation
        )
        self._origin = start.origin
        self._checked_at = start.checked_at
        self._view = View(start.snapshot, options.label)
        if start.origin == "service":
            self._save(start.snapshot)
        # The follower retries failed requests itself.
        self._background = transport.with_settings(retries=0)
        self._follower = Follower(
            self._background,
            refresh=self._fetch,
            on_auth_error=on_auth_error,
            on_error=self._report,
            poll_interval=options.poll_interval,
            start_error=start.error,
        )
        _fork.register(self)

    @property
    def names(self) -> list[str]:
        """The names in alphabetical order."""
        return sorted(self._view.snapshot.prompts)

    @property
    def state(self) -> PromptsState:
        """The source of the prompts, and their age."""
        follower = self._follower
        status = "closed" if self._is_closed else follower.status
        now = datetime.now(timezone.utc)
        checked_at = now if status == "live" and follower.is_current else self._checked_at
        age = max(0.0, (now - checked_at).total_seconds())
        return PromptsState(status, self._origin, checked_at, age, follower.error)

    def find(self, name: str, key: str | None, context: Context) -> PromptContent | None:
        """Return the version for a caller, or None if there is no such prompt."""
        check_key(key)
        return self._view.find(normalize_name(name), key, context)

    def get(
        self, name: str, key: str | None, context: Context, fallback: Fallback | None
    ) -> PromptContent:
        """Return the version for a caller. Raise an error if there is none.

        A response of the service always counts: a prompt that it does not contain was deleted or
        has lost the label. The fallback is only for the time before the first response.
        """
        found = self.find(name, key, context)
        if found is not None:
            return found
        label = self.selection.label
        if fallback is not None and self._origin != "service":
            version = create_fallback(normalize_name(name), fallback, label)
            return PromptContent(version, self._view.snapshot, label)
        raise PromptHarborError(f'There is no prompt "{name}" with the label "{label}".')

    def listen(self, listener: Callable[[PromptsChange], Any]) -> Callable[[], None]:
        """Call the listener after each change. Return a function that removes it."""
        self._listeners = [*self._listeners, listener]

        def remove() -> None:
            self._listeners = [each for each in self._listeners if each is not listener]

        return remove

    def refresh(self) -> None:
        """Fetch changes now."""
        self._follower.refresh()

    def close(self) -> None:
        """End the updates. The prompts keep their current versions."""
        self._is_closed = True
        self._follower.close()
        with self._saving:
            pass  # A write that has started is completed.

    def after_fork(self) -> None:
        """Replace the lock, because another thread of the parent may hold it."""
        self._saving = threading.Lock()

    def _fetch(self, cancellation: Cancellation) -> None:
        """Fetch changes. This method runs on the follower's thread."""
        before = self._view.snapshot
        previous = before if self._origin == "service" else None
        after = fetch_snapshot(self._background, self.selection, previous, cancellation)
        if self._is_closed:
            return
        self._origin = "service"
        self._checked_at = datetime.now(timezone.utc)
        if after is None:
            return
        change = compare_prompts(before, after, self.selection.label)
        self._view = View(after, self.selection.label)
        self._save(after)
        if change is not None:
            for listener in self._listeners:
                self._call_safely(listener, change)

    def _save(self, snapshot: Snapshot) -> None:
        path = self.options.fallback_file
        if path is None:
            return
        try:
            with self._saving:
                write_fallback_file(path, self._source, snapshot)
        except (OSError, RecursionError) as err:
            self._report(err)

    def _report(self, err: BaseException) -> None:
        if self.options.on_error is not None:
            self._call_safely(self.options.on_error, err)

    def _call_safely(self, callback: Callable[[Any], Any], value: Any) -> None:
        """Call a callback of the application. An error that it raises must not end the updates."""
        try:
            callback(value)
        except Exception as err:
            if callback is not self.options.on_error:
                self._report(err)


class View:
    """A snapshot with the prompts that were read from it. Both are replaced together."""

    def __init__(self, snapshot: Snapshot, label: str) -> None:
        self.snapshot = snapshot
        self._label = label
        # The contents by version and name. Callers of the same version share its parsed templates.
        self._contents: dict[tuple[int, str], PromptContent] = {}

    def find(self, name: str, key: str | None, context: Context) -> PromptContent | None:
        """Return the version for a caller."""
        labeled = self.snapshot.prompts.get(name)
        if labeled is None:
            return None
        release = self.snapshot.releases.get(name)
        version = choose_version(labeled, release, key, context)
        shared = self._share(version)
        return shared if release is None else shared.for_caller(version, key)

    def _share(self, version: Version) -> PromptContent:
        identity = (version["version"], version["name"])
        content = self._contents.get(identity)
        if content is None:
            # Two threads may create the same content, but only one of them is kept.
            created = PromptContent(version, self.snapshot, self._label)
            content = self._contents.setdefault(identity, created)
        return content
