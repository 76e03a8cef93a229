"""Connections to the service, which are used again if they are still open."""

from __future__ import annotations

import http.client
import os
import select
import socket
import ssl
import threading
import time
from urllib.parse import urlsplit

from .. import _fork

MAX_IDLE_CONNECTIONS = 8
MAX_IDLE_SECONDS = 4.0
"""Node's servers close connections that are idle for 5 seconds."""


class Cancellation:
    """Ends a request from another thread."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._connection: http.client.HTTPConnection | None = None

    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._event.is_set()

    def attach(self, connection: http.client.HTTPConnection | None) -> None:
        """Set the connection that `cancel` shuts down."""
        self._connection = connection
        if connection is not None and self.is_cancelled:
            shut_down(connection)

    def cancel(self) -> None:
        """End the request, or the pause before its next attempt."""
        self._event.set()
        connection = self._connection
        if connection is not None:
            shut_down(connection)

    def abandon(self) -> None:
        """In a child process: give up the connection, which belongs to the parent."""
        if self._connection is not None:
            abandon(self._connection)

    def wait(self, seconds: float) -> None:
        """Pause until the time is over or the request is cancelled."""
        self._event.wait(seconds)


def shut_down(connection: http.client.HTTPConnection) -> None:
    """Wake the thread that reads from the connection."""
    try:
        if connection.sock is not None:
            connection.sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # It was closed already.


class ConnectionPool:
    """Idle connections to one address. Only one request uses a connection at a time."""

    def __init__(self, base_url: str, ssl_context: ssl.SSLContext | None) -> None:
        url = urlsplit(base_url)
        self._host = url.hostname or ""
        self._port = url.port
        self._is_secure = url.scheme == "https"
        self._ssl_context = ssl_context
        self._lock = threading.Lock()
        self._idle: list[tuple[http.client.HTTPConnection, float]] = []
        _fork.register(self)

    def take(self, timeout: float) -> http.client.HTTPConnection:
        """Return an idle connection that is still open, or a new one."""
        while True:
            with self._lock:
                if not self._idle:
                    break
                connection, since = self._idle.pop()
            if time.monotonic() - since < MAX_IDLE_SECONDS and _is_open(connection):
                return connection
            connection.close()
        return self.create(timeout)

    def create(self, timeout: float) -> http.client.HTTPConnection:
        """Return a connection that is not yet open."""
        if not self._is_secure:
            return http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        if self._ssl_context is None:
            self._ssl_context = ssl.create_default_context()
        return http.client.HTTPSConnection(
            self._host, self._port, timeout=timeout, context=self._ssl_context
        )

    def give_back(self, connection: http.client.HTTPConnection) -> None:
        """Keep a connection whose response was read completely."""
        with self._lock:
            if connection.sock is not None and len(self._idle) < MAX_IDLE_CONNECTIONS:
                self._idle.append((connection, time.monotonic()))
                return
        connection.close()

    def close(self) -> None:
        """Close all idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection, _ in idle:
            connection.close()

    def after_fork(self) -> None:
        """The connections belong to the parent, so the child only closes its own descriptors."""
        self._lock = threading.Lock()
        idle, self._idle = self._idle, []
        for connection, _ in idle:
            abandon(connection)


def abandon(connection: http.client.HTTPConnection) -> None:
    """Close the descriptor of a connection without ending the connection of the parent."""
    try:
        if connection.sock is not None:
            os.close(connection.sock.detach())
    except OSError:
        pass


def _is_open(connection: http.client.HTTPConnection) -> bool:
    """An idle connection that can be read was closed by the other side."""
    if connection.sock is None:
        return False
    try:
        poll = select.poll()
        poll.register(connection.sock, select.POLLIN)
        return not poll.poll(0)
    except AttributeError:  # Windows has only select.
        return not select.select([connection.sock], [], [], 0)[0]
    except OSError:
        return False
