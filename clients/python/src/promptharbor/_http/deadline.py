"""Connections whose responses arrive in time, however slowly the other side sends."""

from __future__ import annotations

import functools
import http.client
import io
import socket
import time
from typing import Any


class Deadline:
    """The time until which a connection may be read."""

    def __init__(self) -> None:
        self._at = 0.0

    def set(self, at: float) -> None:
        """Set the time, as `time.monotonic` counts it."""
        self._at = at

    def remaining(self) -> float:
        """Return the seconds that are left. Raise an error if there are none."""
        remaining = self._at - time.monotonic()
        if remaining <= 0:
            raise TimeoutError
        return remaining


class Connection(http.client.HTTPConnection):
    """A connection with a deadline for the status, the headers and the body together.

    The timeout of a socket applies to each read. A server that sends a byte now and then, or
    endless headers, would never exceed it.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.deadline = Deadline()
        create = functools.partial(_Response, deadline=self.deadline)
        self.response_class = create  # type: ignore[assignment]


class SecureConnection(Connection, http.client.HTTPSConnection):
    """A connection with TLS."""


class _Response(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, deadline: Deadline, **options: Any) -> None:
        super().__init__(sock, *args, **options)
        self.fp.close()
        self.fp = io.BufferedReader(_Reader(sock, deadline))


class _Reader(io.RawIOBase):
    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._socket = sock
        self._deadline = deadline
        # This file keeps the socket open if the connection is closed before the response was read.
        self._raw = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._socket.settimeout(self._deadline.remaining())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()
