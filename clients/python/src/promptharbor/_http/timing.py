"""Delays between attempts."""

from __future__ import annotations

import random

from ..errors import ApiError


def backoff(attempt: int, *, first: float, maximum: float) -> float:
    """Return a random delay below a limit that doubles with each attempt.

    Without the random part, many clients would retry at the same moment.
    """
    limit = min(maximum, first * 2.0 ** min(attempt, 30))
    return limit / 2 + random.random() * limit / 2


def retry_delay(err: Exception, attempt: int) -> float:
    """Return how long to wait: the time that the service asked for, plus a random part."""
    delay = backoff(attempt, first=0.5, maximum=8.0)
    asked = err.retry_after if isinstance(err, ApiError) else None
    return delay if asked is None else asked + delay / 2
