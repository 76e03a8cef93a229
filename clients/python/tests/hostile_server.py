"""A server that responds in the way that a test chooses, even if the service never would."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from typing import Any

Respond = Callable[[socket.socket, bytes], None]


class HostileServer:
    """Calls a function with each connection and the request that arrived on it."""

    def __init__(self, respond: Respond) -> None:
        self._respond = respond
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self._open: list[socket.socket] = []
        self.ended = threading.Event()
        self.requests: list[bytes] = []
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """End all connections."""
        self.ended.set()
        self._listener.close()
        for each in self._open:
            each.close()

    def drip(self, connection: socket.socket, data: bytes = b"x") -> None:
        """Send single bytes with pauses in between, endlessly."""
        while not self.ended.wait(0.02):
            for byte in data:
                connection.sendall(bytes([byte]))

    def flood(self, connection: socket.socket, data: bytes) -> None:
        """Send the data repeatedly, endlessly."""
        while not self.ended.is_set():
            connection.sendall(data)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            try:
                request = connection.recv(65536)
                if request:
                    self.requests.append(request)
                    self._respond(connection, request)
            except OSError:
                pass  # The client has ended the connection.


def response(status: str, body: bytes = b"", *headers: str) -> bytes:
    """Return a complete response, after which the connection ends."""
    lines = [f"HTTP/1.1 {status}", f"content-length: {len(body)}", *headers, "connection: close", "", ""]
    return "\r\n".join(lines).encode() + body


def json_response(body: Any, status: str = "200 OK") -> bytes:
    """Return a response with a JSON value."""
    return response(status, json.dumps(body).encode(), "content-type: application/json")


STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
"""The head of an event stream, which ends with the connection."""


def sending(data: bytes) -> Respond:
    """Return a function that sends this data on every connection."""
    return lambda connection, _: connection.sendall(data)
