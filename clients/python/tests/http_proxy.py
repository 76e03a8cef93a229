"""A proxy like those in company networks, and a TLS server in front of a service."""

from __future__ import annotations

import base64
import shutil
import socket
import ssl
import subprocess
import threading
from pathlib import Path
from urllib.parse import urlsplit

from .proxy import copy

openssl = shutil.which("openssl")


class HttpProxy:
    """Passes requests on to other servers: http by the address in the request, https with CONNECT."""

    def __init__(self, credentials: str | None = None) -> None:
        self._expected = None if credentials is None else base64.b64encode(credentials.encode()).decode()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.lines: list[str] = []
        self.heads: list[bytes] = []
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=_accept, args=(self._listener, self._serve), daemon=True).start()

    def close(self) -> None:
        """Stop listening."""
        self._listener.close()

    def _serve(self, client: socket.socket) -> None:
        head, rest = _read_head(client)
        line, *headers = head.split(b"\r\n")
        method, target, version = line.decode().split(" ")
        self.lines.append(f"{method} {target}")
        self.heads.append(head)
        fields = dict(each.decode("latin-1").lower().split(": ", 1) for each in headers)
        given = next((each.split(b" ")[-1].decode() for each in headers if each.lower().startswith(b"proxy-auth")), None)
        if given != self._expected:
            client.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            return
        if method == "CONNECT":
            host, _, port = target.rpartition(":")
            with socket.create_connection((host, int(port))) as server:
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                join(client, server)
            return
        url = urlsplit(target)
        assert fields["host"] == url.netloc, fields
        with socket.create_connection((url.hostname or "", url.port or 80)) as server:
            path = target[len(f"{url.scheme}://{url.netloc}") :]
            # Serves one request for each connection, so that this proxy sees every request.
            kept = [each for each in headers if not each.lower().startswith((b"proxy-", b"connection"))]
            server.sendall(b"\r\n".join([f"{method} {path} {version}".encode(), *kept, b"connection: close", b"", b""]) + rest)
            join(client, server)


class TlsServer:
    """Adds TLS to a server, with a certificate of its own for `localhost`."""

    def __init__(self, target: str, folder: Path) -> None:
        assert openssl is not None
        key, self.certificate = folder / "key.pem", folder / "certificate.pem"
        request = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
        files = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(self.certificate)]
        subprocess.run([*request, *files], check=True, capture_output=True)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(self.certificate, key)
        url = urlsplit(target)
        self._target = (url.hostname or "", url.port or 80)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.url = f"https://localhost:{self._listener.getsockname()[1]}"
        threading.Thread(target=_accept, args=(self._listener, self._serve), daemon=True).start()

    def close(self) -> None:
        """Stop listening."""
        self._listener.close()

    def _serve(self, client: socket.socket) -> None:
        with self._context.wrap_socket(client, server_side=True) as secure, socket.create_connection(self._target) as server:
            join(secure, server)


def _accept(listener: socket.socket, serve: object) -> None:
    def run(client: socket.socket) -> None:
        with client:
            try:
                serve(client)  # type: ignore[operator]
            except OSError:
                pass  # One side has ended the connection.

    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=run, args=(client,), daemon=True).start()


def _read_head(client: socket.socket) -> tuple[bytes, bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        part = client.recv(65536)
        if not part:
            raise OSError("The client has gone.")
        data += part
    head, _, rest = data.partition(b"\r\n\r\n")
    return head, rest


def join(client: socket.socket, server: socket.socket) -> None:
    """Copy in both directions until both sides have ended."""
    back = threading.Thread(target=copy, args=(server, client), daemon=True)
    back.start()
    copy(client, server)
    back.join()
