"""The service that the tests use."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
import time
import urllib.request
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Optional

from promptharbor import PromptHarbor

FOLDER = Path(__file__).resolve().parent

_url: Optional[str] = None


def service_url() -> str:
    """Return the address of a running service, and start it if there is none."""
    global _url
    if _url is None:
        _url = os.environ.get("PROMPTHARBOR_TEST_URL") or start_service()
    return _url


def start_service(folder: Optional[str] = None, port: int = 0) -> str:
    """Start the service of this repository. It ends with the tests."""
    return Service(folder, port).url


class Service:
    """A separate service, which a test may stop and start again."""

    def __init__(self, folder: Optional[str] = None, port: int = 0) -> None:
        self._folder = folder or tempfile.mkdtemp(prefix="promptharbor-python-")
        self._port = port or _free_port()
        self._process: Optional[subprocess.Popen[bytes]] = None
        self.url = f"http://127.0.0.1:{self._port}"
        if folder is None:
            atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        atexit.register(self.stop)
        self.start()

    def start(self) -> None:
        """Start the service, and wait until it responds."""
        root = FOLDER.parents[2]
        node = root / "node_modules" / ".bin" / "node"
        built = os.environ.get("PROMPTHARBOR_TEST_PROGRAM")
        program = [built, "serve"] if built else [str(FOLDER / "serve.ts")]
        environment = {
            **os.environ,
            "DATA_DIR": self._folder,
            "HOST": "127.0.0.1",
            "PORT": str(self._port),
            "LOG_LEVEL": "silent",
            "WRITE_LIMIT_PER_MINUTE": "off",
        }
        self._process = subprocess.Popen(
            [str(node) if node.exists() else "node", *program],
            cwd=root,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(self._responds, seconds=120)

    def _responds(self) -> bool:
        if self._process is None or self._process.poll() is not None:
            raise RuntimeError("The service did not start. Does npm start work?")
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=5) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def stop(self) -> None:
        """Kill the service, as an outage would."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()


def _free_port() -> int:
    import socket

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def create_account(url: Optional[str] = None) -> PromptHarbor:
    """Return a client of a new account."""
    base_url = url or service_url()
    email = f"{uuid.uuid4().hex}@example.com"
    token = PromptHarbor(base_url=base_url).auth.register(email=email, password="a long test password")["token"]
    # On a busy machine, the service may shed load for longer than two retries take.
    return PromptHarbor(token, base_url=base_url, retries=20)


def wait_until(condition: Callable[[], Any], seconds: float = 60) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("The condition did not become true")
        time.sleep(0.02)
