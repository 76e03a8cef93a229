"""Connections to the service, which are used again if they are still open."""

from __future__ import annotations

import os
import select
import socket
import ssl
import threading
import time
from urllib.parse import urlsplit

from .. import _fork
from .deadline import Connection, SecureConnection
from .proxies import Proxy

MAX_IDLE_CONNECTIONS = 8
MAX_IDLE_SECONDS = 4.0
"""The time after which an idle connection is not used again. Node's servers close it after 5 seconds."""


class Cancellation:
    """Ends a request from another thread."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._connection: Connection | None = None
        self._socket: socket.socket | None = None

    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._event.is_set()

    def attach(self, connection: Connection | None) -> None:
        """Set the connection that `cancel` shuts down."""
        self._connection = connection
        self._socket = None if connection is None else connection.sock
        if self.is_cancelled:
            self._shut_down()

    def cancel(self) -> None:
        """End the request, or the pause before its next attempt."""
        self._event.set()
        self._shut_down()

    def abandon(self) -> None:
        """Give up the connection in a child process, because it belongs to the parent."""
        sock = self._find_socket()
        if sock is not None:
            abandon(sock)

    def wait(self, seconds: float) -> None:
        """Pause until the time is over or the request is cancelled."""
        self._event.wait(seconds)

    def _shut_down(self) -> None:
        """Wake the thread that reads from the connection."""
        sock = self._find_socket()
        try:
            if sock is not None:
                sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # It was closed already.

    def _find_socket(self) -> socket.socket | None:
        """Return the socket.

        If the server will close the connection after the response, `http.client` has already
        removed the socket from the connection.
        """
        connection = self._connection
        return self._socket if connection is None or connection.sock is None else connection.sock


class ConnectionPool:
    """Idle connections to one address. Only one request uses a connection at a time."""

    def __init__(
        self, base_url: str, ssl_context: ssl.SSLContext | None = None, proxy: Proxy | None = None
    ) -> None:
        url = urlsplit(base_url)
        self._host = url.hostname or ""
        self._port = url.port
        self._is_secure = url.scheme == "https"
        self._ssl_context = ssl_context
        self._proxy = proxy
        self._lock = threading.Lock()
        self._idle: list[tuple[Connection, float]] = []
        _fork.register(self)
        # A proxy that tunnels sees no requests. Any other proxy needs the whole address in each
        # request.
        visible = None if self._is_secure else proxy
        self.prefix = base_url if visible else url.path
        self.headers = visible.headers if visible else {}

    def take(self) -> Connection:
        """Return an idle connection that is still open, or a new one."""
        while True:
            with self._lock:
                if not self._idle:
                    break
                connection, since = self._idle.pop()
            if time.monotonic() - since < MAX_IDLE_SECONDS and _is_open(connection):
                return connection
            connection.close()
        return self.create()

    def create(self) -> Connection:
        """Return a connection that is not yet open."""
        proxy = self._proxy
        host, port = (proxy.host, proxy.port) if proxy else (self._host, self._port)
        if not self._is_secure:
            return Connection(host, port)
        if self._ssl_context is None:
            self._ssl_context = ssl.create_default_context()
        connection = SecureConnection(host, port, context=self._ssl_context)
        if proxy:
            connection.set_tunnel(self._host, self._port, proxy.headers)
        return connection

    def give_back(self, connection: Connection) -> None:
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
        """Drop the connections, which belong to the parent. Only the child's own descriptors are closed."""
        self._lock = threading.Lock()
        idle, self._idle = self._idle, []
        for connection, _ in idle:
            if connection.sock is not None:
                abandon(connection.sock)


def abandon(sock: socket.socket) -> None:
    """Close the descriptor of a connection without ending the parent's connection."""
    try:
        os.close(sock.detach())
    except OSError:
        pass


def _is_open(connection: Connection) -> bool:
    """Return whether a connection is open. If an idle connection can be read, the server has closed it."""
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
