"""The settings of a client."""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Union
from urllib.parse import urlsplit

from ..errors import PromptHarborError
from .proxies import Proxy, find_proxy

ApiKey = Union[str, Callable[[], str]]
"""A key, or a function that is called before each request and returns the current key."""

DEFAULT_BASE_URL = "http://127.0.0.1:3000"


@dataclass(frozen=True)
class ResponseInfo:
    """The status and headers of a response. The names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]

    @property
    def request_id(self) -> str | None:
        """The id of the request, which is also in the log of the service."""
        return self.headers.get("x-request-id")


@dataclass(frozen=True)
class Settings:
    """The settings that every request of a client needs."""

    base_url: str
    workspace: str | None = None
    timeout: float = 30.0
    retries: int = 2
    headers: Mapping[str, str] = field(default_factory=dict)
    ssl_context: ssl.SSLContext | None = None
    proxy: Proxy | None = None
    on_response: Callable[[ResponseInfo], None] | None = None


def resolve_settings(
    *,
    base_url: str | None,
    workspace: str | None,
    timeout: float,
    retries: int,
    headers: Mapping[str, str] | None,
    ssl_context: ssl.SSLContext | None,
    use_proxy: bool,
) -> Settings:
    """Complete the options with the environment. Raise an error if one is not valid."""
    address = parse_base_url(base_url or read_environment("PROMPTHARBOR_URL") or DEFAULT_BASE_URL)
    return Settings(
        base_url=address,
        workspace=workspace or read_environment("PROMPTHARBOR_WORKSPACE"),
        timeout=check_number("timeout", timeout, minimum=0.001),
        retries=int(check_number("retries", retries, minimum=0)),
        headers=dict(headers or {}),
        ssl_context=ssl_context,
        proxy=find_proxy(address) if use_proxy else None,
    )


def read_environment(name: str) -> str | None:
    """Read an environment variable. An empty value counts as not set."""
    return os.environ.get(name) or None


def parse_key(key: str) -> str:
    """Trim a key. Keys from files often end with a line break, which no header may contain."""
    trimmed = key.strip() if isinstance(key, str) else ""
    if not re.fullmatch(r"[\x21-\x7e]+", trimmed):
        raise PromptHarborError("The API key is empty or contains invalid characters.")
    return trimmed


def parse_base_url(text: str) -> str:
    """Return the address without a slash at its end."""
    try:
        url = urlsplit(text)
        is_valid = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
        has_more = bool(url.username or url.password or url.query or url.fragment)
    except ValueError:
        is_valid, has_more = False, False
    if not is_valid or has_more:
        raise PromptHarborError(
            f'base_url must be an address such as https://prompts.example.com, but is "{text}".'
        )
    host = url.netloc.lower()
    default_port = ":80" if url.scheme == "http" else ":443"
    return f"{url.scheme}://{host.removesuffix(default_port)}{url.path.rstrip('/')}"


def check_number(name: str, value: float, *, minimum: float) -> float:
    """Raise an error if the value is not a number of at least the minimum."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= minimum:
        raise PromptHarborError(f"{name} must be a number of at least {minimum}.")
    return value
