"""Proxies between this program and the service."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from ..errors import PromptHarborError


@dataclass(frozen=True)
class Proxy:
    """A proxy for HTTP. Requests over https pass through a tunnel, which the proxy cannot read."""

    host: str
    port: int
    headers: dict[str, str] = field(default_factory=dict, repr=False)
    """The user and the password, which only the proxy gets."""

    @property
    def address(self) -> str:
        """The host and the port."""
        return f"{self.host}:{self.port}"


def find_proxy(base_url: str) -> Proxy | None:
    """Return the proxy that the environment names for this address, by the rules of urllib."""
    # The import is here, so that clients without proxies in the environment start faster.
    from urllib.request import getproxies, proxy_bypass

    url = urlsplit(base_url)
    text = getproxies().get(url.scheme)
    if not text or proxy_bypass(url.netloc):
        return None
    return _parse_proxy(text, f"{url.scheme.upper()}_PROXY")


def _parse_proxy(text: str, variable: str) -> Proxy:
    try:
        url = urlsplit(text if "://" in text else f"http://{text}")
        host, port = url.hostname, url.port or 80
    except ValueError:
        host, port = None, 0
    if not host or url.scheme != "http":
        # The text is not shown, because it may contain a password.
        raise PromptHarborError(f"{variable} must be an address such as http://proxy.example.com:3128.")
    if url.username is None:
        return Proxy(host, port)
    credentials = f"{unquote(url.username)}:{unquote(url.password or '')}"
    encoded = base64.b64encode(credentials.encode()).decode()
    return Proxy(host, port, {"proxy-authorization": f"Basic {encoded}"})
