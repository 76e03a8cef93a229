"""The types in the modules that `promptharbor types --python` writes.

Type checkers see the variables of each prompt. At run time, `load` returns the prompts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Optional, TypeVar

from ._load.fallback import Fallback
from ._releases import Context
from .loaded_prompt import AsyncLoadedPrompt, LoadedPrompt
from .loaded_prompts import AsyncKnownPrompts, KnownPrompts

if TYPE_CHECKING:
    from .rendered import Rendered

Variables = TypeVar("Variables")


class TypedPrompt(LoadedPrompt, Generic[Variables]):
    """A prompt with required variables."""

    if TYPE_CHECKING:

        def render(self, variables: Variables) -> Rendered:  # type: ignore[override]
            """Render the prompt with your variables."""

        def render_local(self, variables: Variables) -> Rendered:  # type: ignore[override]
            """Render in this process."""


class OptionalPrompt(LoadedPrompt, Generic[Variables]):
    """A prompt that can be rendered without variables."""

    if TYPE_CHECKING:

        def render(self, variables: Optional[Variables] = None) -> Rendered:  # type: ignore[override]
            """Render the prompt with your variables."""

        def render_local(self, variables: Optional[Variables] = None) -> Rendered:  # type: ignore[override]
            """Render in this process."""


class AsyncTypedPrompt(AsyncLoadedPrompt, Generic[Variables]):
    """A prompt with required variables, for asyncio."""

    if TYPE_CHECKING:

        async def render(self, variables: Variables) -> Rendered:  # type: ignore[override]
            """Render the prompt with your variables."""

        def render_local(self, variables: Variables) -> Rendered:  # type: ignore[override]
            """Render in this process."""


class AsyncOptionalPrompt(AsyncLoadedPrompt, Generic[Variables]):
    """A prompt that can be rendered without variables, for asyncio."""

    if TYPE_CHECKING:

        async def render(self, variables: Optional[Variables] = None) -> Rendered:  # type: ignore[override]
            """Render the prompt with your variables."""

        def render_local(self, variables: Optional[Variables] = None) -> Rendered:  # type: ignore[override]
            """Render in this process."""


__all__ = [
    "AsyncKnownPrompts",
    "AsyncOptionalPrompt",
    "AsyncTypedPrompt",
    "Context",
    "Fallback",
    "KnownPrompts",
    "OptionalPrompt",
    "TypedPrompt",
]
