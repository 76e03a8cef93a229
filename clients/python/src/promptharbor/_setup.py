"""The parts that both clients create."""

from __future__ import annotations

import ssl
from collections.abc import Mapping

from ._http.connection import ConnectionPool
from ._http.settings import ApiKey, read_environment, resolve_settings
from ._http.transport import KeyHolder, Transport


def create_transport(
    api_key: ApiKey | None,
    *,
    base_url: str | None,
    workspace: str | None,
    timeout: float,
    retries: int,
    headers: Mapping[str, str] | None,
    ssl_context: ssl.SSLContext | None,
    use_proxy: bool,
) -> Transport:
    """Return a transport with these options, completed by the environment."""
    settings = resolve_settings(
        base_url=base_url,
        workspace=workspace,
        timeout=timeout,
        retries=retries,
        headers=headers,
        ssl_context=ssl_context,
        use_proxy=use_proxy,
    )
    keys = KeyHolder(api_key if api_key is not None else read_environment("PROMPTHARBOR_API_KEY"))
    return Transport(settings, keys, ConnectionPool(settings.base_url, ssl_context, settings.proxy))
