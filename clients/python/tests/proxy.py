"""A TCP proxy whose connections a test can cut or refuse."""

from __future__ import annotations

import socket
import threading
from urllib.parse import urlsplit


class Proxy:
    """Passes connections on to a service."""

    def __init__(self, target: str) -> None:
        url = urlsplit(target)
        self._target = (url.hostname or "", url.port or 80)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=2000)
        self._open: list[socket.socket] = []
        self.refused_path: bytes | None = None
        self.is_down = False
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def go_down(self) -> None:
        """End all connections, and refuse new ones until `is_down` is false."""
        self.is_down = True
        self.cut()

    def cut(self) -> None:
        """End all connections."""
        sockets, self._open = self._open, []
        for each in sockets:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self) -> None:
        """Stop listening."""
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client:
            first = client.recv(65536)
            is_refused = self.refused_path is not None and self.refused_path in first.split(b"\r\n")[0]
            if self.is_down or is_refused or not first:
                return
            with socket.create_connection(self._target) as server:
                self._open += [client, server]
                server.sendall(first)
                back = threading.Thread(target=copy, args=(server, client), daemon=True)
                back.start()
                copy(client, server)
                back.join()


def copy(source: socket.socket, target: socket.socket) -> None:
    """Forward all data, and then the end of the connection."""
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass
