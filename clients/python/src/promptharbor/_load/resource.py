"""`ph.prompts`, with `load`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional, Union

from .._api.sync_resources import Prompts
from .._http.settings import check_number
from .._http.transport import Transport
from .._results.reporter import Reporter

if TYPE_CHECKING:
    from ..loaded_prompts import LoadedPrompts
    from .compare import PromptsChange
    from .options import AuthErrorHandler, LoadOptions

Path = Union[str, "os.PathLike[str]"]


class LoadingPrompts(Prompts):
    """`ph.prompts`."""

    def __init__(self, transport: Transport, reporter: Reporter) -> None:
        super().__init__(transport)
        self._reporter = reporter

    def load(
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
    ) -> LoadedPrompts:
        """Fetch all prompts at a label and keep them up to date, for use in an application.

        Args:
            label: The label to load.
            folder: Load only prompts in this folder and its subfolders.
            fallback_file: A file to which the client writes its last good state. If the service
                cannot be reached, the client starts from this file.
            state_file: A file that `promptharbor pull --state` wrote, for example into the image of
                your application. The client only reads this file. If there are two files, the
                client starts from the newer one.
            start_empty: Start without prompts if the service cannot be reached and there is no
                file. Until the service is reached, `get` returns the `fallback` that you pass.
            on_change: Called after each change, on a thread of the client.
            on_auth_error: Called when the key is no longer accepted. Return a new key to continue
                with it. Otherwise, the prompts are not updated until you call `set_api_key`.
                Default: logs an error.
            on_error: Called with errors in the background that are retried.
            poll_interval: How often to poll for changes if event streams are blocked, in seconds.
            start_timeout: How long to wait for the service at the start if there is a file or
                `start_empty`, in seconds.
        """
        # The import is here, so that programs that only call the API start faster.
        from ..loaded_prompts import LoadedPrompts
        from .store import PromptStore

        options = create_options(
            label=label,
            folder=folder,
            fallback_file=fallback_file,
            state_file=state_file,
            start_empty=start_empty,
            on_change=on_change,
            on_auth_error=on_auth_error,
            on_error=on_error,
            poll_interval=poll_interval,
            start_timeout=start_timeout,
        )
        return LoadedPrompts(PromptStore(self._transport, options), self._reporter)


def create_options(
    *, fallback_file: Optional[Path], state_file: Optional[Path], **options: Any
) -> LoadOptions:
    from .options import LoadOptions

    check_number("poll_interval", options["poll_interval"], minimum=0.05)
    check_number("start_timeout", options["start_timeout"], minimum=0.001)
    return LoadOptions(
        **options,
        fallback_file=None if fallback_file is None else os.fspath(fallback_file),
        state_file=None if state_file is None else os.fspath(state_file),
    )
