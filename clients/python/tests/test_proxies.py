"""Proxies that are set in the environment, as for urllib."""

from __future__ import annotations

import asyncio
import base64
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from promptharbor import ApiConnectionError, ApiError, AsyncPromptHarbor, PromptHarbor, PromptHarborError

from . import support
from .http_proxy import HttpProxy, TlsServer, openssl
from .support import wait_until


class ProxyTest(unittest.TestCase):
    def setUp(self) -> None:
        self.admin = support.create_account()
        self.token = self.admin.auth.verify()["token"]
        self.host = self.admin.base_url.removeprefix("http://")
        self.set_environment()

    def set_environment(self, **variables: str) -> None:
        """Set the variables, and unset all other variables about proxies."""
        patch = mock.patch.dict("os.environ")
        patch.start()
        self.addCleanup(patch.stop)
        for name in [each for each in os.environ if each.lower().endswith("_proxy") or each == "REQUEST_METHOD"]:
            del os.environ[name]
        os.environ.update(variables)

    def start_proxy(self, credentials: str | None = None) -> HttpProxy:
        proxy = HttpProxy(credentials)
        self.addCleanup(proxy.close)
        return proxy

    def client(self, base_url: str | None = None) -> PromptHarbor:
        return PromptHarbor(self.token, base_url=base_url or self.admin.base_url, retries=0)

    def check_load(self, ph: PromptHarbor) -> None:
        """Load, follow a change over the event stream, and write."""
        self.admin.prompts.create(name="a", template="1")
        with ph.prompts.load() as prompts:
            wait_until(lambda: prompts.state.status == "live")
            self.admin.versions.create("a", template="2", labels=["production"])
            wait_until(lambda: prompts.get("a").version == 2)
        self.assertEqual(ph.versions.create("a", template="3" * 100_000)["version"], 3)

    def test_http(self) -> None:
        proxy = self.start_proxy()
        self.set_environment(HTTP_PROXY=f"http://{proxy.address}")
        self.check_load(self.client())
        self.assertIn(f"GET http://{self.host}/api/events", proxy.lines)
        self.assertIn(f"POST http://{self.host}/api/prompts/a/versions", proxy.lines)

    @unittest.skipIf(openssl is None, "OpenSSL is not installed.")
    def test_https(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        server = TlsServer(self.admin.base_url, Path(folder.name))
        self.addCleanup(server.close)
        proxy = self.start_proxy("user:pass word")
        self.set_environment(HTTPS_PROXY=f"http://user:pass%20word@{proxy.address}", SSL_CERT_FILE=str(server.certificate))
        self.check_load(self.client(server.url))
        self.assertEqual(set(proxy.lines), {f"CONNECT {server.url.removeprefix('https://')}"})
        # The proxy sees neither the key nor the requests, and the service does not see the password.
        self.assertNotIn(self.token.encode(), b"".join(proxy.heads))

    def test_credentials(self) -> None:
        proxy = self.start_proxy("ada:s3cret")
        self.set_environment(HTTP_PROXY=f"http://ada:s3cret@{proxy.address}")
        self.assertEqual(self.client().auth.verify()["token"], self.token)
        expected = base64.b64encode(b"ada:s3cret")
        self.assertIn(b"proxy-authorization: basic " + expected.lower(), proxy.heads[0].lower())
        self.set_environment(HTTP_PROXY=f"http://ada:wrong@{proxy.address}", HTTPS_PROXY=f"http://{proxy.address}")
        with self.assertRaisesRegex(ApiError, "407"):
            self.client().auth.verify()
        with self.assertRaisesRegex(ApiConnectionError, f"through the proxy {proxy.address}: .*407"):
            self.client("https://localhost:1").auth.verify()

    def test_exceptions_and_the_option(self) -> None:
        proxy = self.start_proxy()
        address = f"http://{proxy.address}"
        host = self.host.split(":")[0]
        for exception in (host, self.host, "*", f"example.com, {host}"):
            self.set_environment(HTTP_PROXY=address, NO_PROXY=exception)
            self.client().auth.verify()
        # CGI programs get the header "Proxy" of their clients in HTTP_PROXY.
        self.set_environment(HTTP_PROXY=address, REQUEST_METHOD="GET")
        self.client().auth.verify()
        self.set_environment(HTTPS_PROXY=address, ALL_PROXY=address)
        self.client().auth.verify()
        self.set_environment(http_proxy=address, HTTP_PROXY="http://127.0.0.1:9")
        PromptHarbor(self.token, base_url=self.admin.base_url, use_proxy=False).auth.verify()
        self.assertEqual(proxy.lines, [])
        self.client().with_options(timeout=60).auth.verify()
        self.assertEqual(proxy.lines, [f"GET http://{self.host}/api/auth/token"])

    def test_asyncio(self) -> None:
        proxy = self.start_proxy()
        self.set_environment(HTTP_PROXY=proxy.address)

        async def run() -> None:
            async with AsyncPromptHarbor(self.token, base_url=self.admin.base_url) as ph:
                await ph.auth.verify()
            async with AsyncPromptHarbor(self.token, base_url=self.admin.base_url, use_proxy=False) as ph:
                await ph.auth.verify()

        asyncio.run(run())
        self.assertEqual(len(proxy.lines), 1)

    def test_proxies_that_cannot_be_used(self) -> None:
        self.set_environment(HTTP_PROXY="http://user:s3cret@127.0.0.1:9")
        with self.assertRaisesRegex(ApiConnectionError, f"{self.admin.base_url} cannot be reached through the proxy 127.0.0.1:9: "):
            self.client().auth.verify()
        for address in ("https://user:s3cret@proxy.example.com:3128", "socks5://proxy.example.com", "http://", "http://proxy:x"):
            self.set_environment(HTTP_PROXY=address)
            with self.assertRaisesRegex(PromptHarborError, "HTTP_PROXY must be an address such as http://proxy.example.com:3128") as caught:
                self.client()
            self.assertNotIn("s3cret", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
