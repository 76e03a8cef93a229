"""The client for PromptHarbor: prompts for applications, always up to date."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._version import VERSION as __version__
from .client import PromptHarbor
from .errors import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    ApiTlsError,
    AuthenticationError,
    ConflictError,
    ForbiddenError,
    InvalidRequestError,
    NotFoundError,
    PromptHarborError,
    RateLimitError,
    RenderError,
    ServerError,
    WebhookVerificationError,
)

if TYPE_CHECKING:
    from ._http.settings import ResponseInfo
    from ._load.compare import PromptsChange
    from ._load.options import PromptsState
    from ._results.reporter import ReportsState
    from .async_client import AsyncPromptHarbor
    from .loaded_prompt import AsyncLoadedPrompt, LoadedPrompt
    from .loaded_prompts import AsyncLoadedPrompts, LoadedPrompts
    from .openai import to_openai
    from .rendered import Rendered
    from .webhooks import verify_webhook

# These names are imported when they are first used, so that programs start faster.
_LAZY = {
    "AsyncLoadedPrompt": "loaded_prompt",
    "AsyncLoadedPrompts": "loaded_prompts",
    "AsyncPromptHarbor": "async_client",
    "LoadedPrompt": "loaded_prompt",
    "LoadedPrompts": "loaded_prompts",
    "PromptsChange": "_load.compare",
    "PromptsState": "_load.options",
    "Rendered": "rendered",
    "ReportsState": "_results.reporter",
    "ResponseInfo": "_http.settings",
    "to_openai": "openai",
    "verify_webhook": "webhooks",
}

__all__ = [
    "ApiConnectionError",
    "ApiError",
    "ApiTimeoutError",
    "ApiTlsError",
    "AsyncLoadedPrompt",
    "AsyncLoadedPrompts",
    "AsyncPromptHarbor",
    "AuthenticationError",
    "ConflictError",
    "ForbiddenError",
    "InvalidRequestError",
    "LoadedPrompt",
    "LoadedPrompts",
    "NotFoundError",
    "PromptHarbor",
    "PromptHarborError",
    "PromptsChange",
    "PromptsState",
    "RateLimitError",
    "RenderError",
    "Rendered",
    "ReportsState",
    "ResponseInfo",
    "ServerError",
    "WebhookVerificationError",
    "__version__",
    "to_openai",
    "verify_webhook",
]


def __getattr__(name: str) -> Any:
    module = _LAZY.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{module}", __name__), name)
    globals()[name] = value
    return value
