"""Verifies webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping
from typing import Any, Union

from .errors import PromptHarborError, WebhookVerificationError

TOLERANCE_SECONDS = 5 * 60
MIN_SECRET_BYTES = 24
MAX_SECRET_BYTES = 64


def verify_webhook(body: Union[str, bytes], headers: Mapping[str, str], secret: str) -> dict[str, Any]:
    """Verify that a request is recent and comes from your service, and return its payload.

    Pass the body exactly as it was received. If you parse and serialize the body first, the
    signature does not match. Raises `WebhookVerificationError` if the request cannot be trusted.
    """
    key = _decode_secret(secret)
    webhook_id = _get_header(headers, "webhook-id")
    timestamp = _get_header(headers, "webhook-timestamp")
    signatures = _get_header(headers, "webhook-signature").split(" ")
    age = abs(time.time() - int(timestamp)) if re.fullmatch(r"[0-9]{1,12}", timestamp) else None
    if age is None or age > TOLERANCE_SECONDS:
        raise WebhookVerificationError(
            "The webhook was signed too long ago, or the clocks of its sender and this machine differ"
        )
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{webhook_id}.{timestamp}.".encode() + content
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    given = [each[3:].encode() for each in signatures if each.startswith("v1,")]
    # All signatures are compared, so that the duration does not reveal which one matched.
    if not any([hmac.compare_digest(each, expected) for each in given]):
        raise WebhookVerificationError("The webhook signature is wrong")
    payload: dict[str, Any] = json.loads(content)
    return payload


def _get_header(headers: Mapping[str, str], name: str) -> str:
    for given, value in headers.items():
        if given.lower() == name and value:
            return value
    raise WebhookVerificationError(f"The webhook has no {name} header")


def _decode_secret(secret: str) -> bytes:
    """Say what is wrong with a secret, so that nobody looks for the mistake in the signature."""
    text = secret.strip() if isinstance(secret, str) else ""
    if not text:
        raise _malformed("it is missing or empty")
    try:
        encoded = text.removeprefix("whsec_")
        key = base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True)
    except (binascii.Error, ValueError):
        has_prefix = text.startswith("whsec_")
        raise _malformed(
            "the part after whsec_ is not base64" if has_prefix else "it does not start with whsec_"
        ) from None
    if not MIN_SECRET_BYTES <= len(key) <= MAX_SECRET_BYTES:
        raise _malformed(
            f"it has {len(key)} bytes instead of {MIN_SECRET_BYTES} to {MAX_SECRET_BYTES}, "
            "so it may have been cut off"
        )
    return key


def _malformed(reason: str) -> PromptHarborError:
    return PromptHarborError(
        f"The webhook secret is malformed: {reason}. Use the secret that was shown when the "
        "webhook was created: whsec_…"
    )
