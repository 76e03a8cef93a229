"""Errors of requests: their messages, and whether a retry can help."""

from __future__ import annotations

import email.utils
import http.client
import json
import re
import socket
import ssl
import time
from collections.abc import Mapping
from typing import Any

from ..errors import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    ApiTlsError,
    create_api_error,
    describe_error,
    shorten,
)
from .connection import Cancellation
from .settings import Settings


def raise_for_status(status: int, headers: Mapping[str, str], content: bytes) -> None:
    """Raise an error unless the response is a success."""
    if 200 <= status < 300:
        return
    location = headers.get("location")
    if 300 <= status < 400 and location is not None:
        text = f"The service redirects to {shorten(location)}. Set base_url to that address."
        raise create_api_error(text, status=status)
    body = _parse_error_body(content)
    raise create_api_error(
        describe_error(body, status),
        status=status,
        code=(body.get("code") or ("unauthorized" if status == 401 else None)) if body else None,
        details=body.get("details") if body else None,
        warnings=body.get("warnings") if body else None,
        proposal=body.get("proposal") if body else None,
        request_id=headers.get("x-request-id"),
        retry_after=parse_retry_after(headers.get("retry-after")),
    )


def _parse_error_body(text: bytes) -> dict[str, Any] | None:
    """Return the fields of an error that have the right type. Any server may have responded."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(body, dict) or not isinstance(body.get("error"), str):
        return None
    types = {"error": str, "code": str, "details": list, "warnings": list, "proposal": dict}
    valid = {name: body[name] for name, kind in types.items() if isinstance(body.get(name), kind)}
    for name in ("details", "warnings"):
        if name in valid:
            valid[name] = [each for each in valid[name] if isinstance(each, dict)]
    return valid


def parse_retry_after(text: str | None) -> float | None:
    """Parse `Retry-After`, which is a number of seconds or a date."""
    if text is None:
        return None
    if re.fullmatch(r"\d{1,9}(\.\d+)?", text, re.ASCII):
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None


def explain(err: Exception, settings: Settings, cancellation: Cancellation | None) -> Exception:
    """Convert an error of the standard library to one of this package."""
    address = settings.base_url
    through = "" if settings.proxy is None else f" through the proxy {settings.proxy.address}"
    if cancellation is not None and cancellation.is_cancelled:
        return ApiConnectionError("The request was canceled")
    if isinstance(err, TimeoutError):
        return ApiTimeoutError(f"{address} did not respond within {settings.timeout:g} seconds{through}")
    if isinstance(err, ssl.SSLCertVerificationError):
        return ApiTlsError(
            f"The certificate of {address} is not valid or not trusted ({err.verify_message}). If it "
            "is yours, set SSL_CERT_FILE to a PEM file with the certificate of its authority, or "
            "pass ssl_context."
        )
    if isinstance(err, ssl.SSLError) and not isinstance(err, ssl.SSLEOFError):
        reason = (err.reason or "error").lower().replace("_", " ")
        return ApiTlsError(
            f"The TLS connection to {address} failed ({reason}). Does the service use http instead of https?"
        )
    if isinstance(err, (OSError, http.client.HTTPException, ValueError, AttributeError)):
        return ApiConnectionError(f"{address} cannot be reached{through}: {shorten(str(err)) or type(err).__name__}")
    return err


def may_retry(err: Exception, *, is_repeatable: bool) -> bool:
    """Return whether a failed request may be retried.

    A write that may have taken effect is retried only if it is idempotent.
    """
    if isinstance(err, ApiTlsError):
        return False
    if isinstance(err, ApiConnectionError):
        cause = err.__cause__
        was_never_sent = isinstance(cause, (ConnectionRefusedError, socket.gaierror))
        return is_repeatable or was_never_sent
    if not isinstance(err, ApiError):
        return False
    if err.status in (408, 429) or err.code == "overloaded":
        return err.code != "too_many_attempts"
    return err.status >= 500 and is_repeatable
