"""Operations, errors, retries and settings."""

from __future__ import annotations

import os
import pickle
import socket
import threading
import unittest
from unittest import mock

from promptharbor import (
    ApiConnectionError,
    ApiTimeoutError,
    ApiTlsError,
    AuthenticationError,
    ConflictError,
    InvalidRequestError,
    NotFoundError,
    PromptHarbor,
    PromptHarborError,
    RenderError,
    ResponseInfo,
)

from . import support


class OperationsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.ph = support.create_account()

    def test_saves_reads_and_deletes(self) -> None:
        created = self.ph.prompts.create(name="a/b", template="Hi {{ x }}", tags=["t"], config={"model": "m"})
        self.assertEqual((created["name"], created["version"]["version"] if isinstance(created.get("version"), dict) else created.get("latestVersion", 1)), ("a/b", 1))
        self.ph.versions.create("a/b", template="Bye {{ x }}", message="second")
        self.assertEqual([each["version"] for each in self.ph.versions.list("a/b")], [2, 1])
        self.ph.labels.move("a/b", "staging", version=2)
        self.assertEqual(self.ph.prompts.get("a/b", label="staging")["template"], "Bye {{ x }}")
        self.assertEqual(self.ph.prompts.render("a/b", variables={"x": 1})["text"], "Hi 1")
        renamed = self.ph.prompts.change("a/b", new_name="c", description="d")
        self.assertEqual((renamed["name"], renamed["description"]), ("c", "d"))
        self.assertIsNone(self.ph.prompts.delete("c"))
        self.assertEqual(list(self.ph.prompts.list()), [])

    def test_lists_fetch_page_after_page(self) -> None:
        for index in range(5):
            self.ph.prompts.create(name=f"p{index}", template="x")
        page = self.ph.prompts.list(limit=2)
        self.assertEqual(([each["name"] for each in page.data], page.next_cursor is None), (["p0", "p1"], False))
        self.assertEqual([each["name"] for each in page], ["p0", "p1", "p2", "p3", "p4"])

    def test_names_with_any_characters(self) -> None:
        for name in ("ü/é ?&#%+", "a(b)'!*~", "日本/😀"):
            self.ph.prompts.create(name=name, template="x")
            self.assertEqual(self.ph.prompts.get(name)["name"], name)
        for name in ("", ".", ".."):
            with self.assertRaises(PromptHarborError):
                self.ph.prompts.get(name)

    def test_errors_by_status(self) -> None:
        with self.assertRaises(NotFoundError) as caught:
            self.ph.prompts.get("missing")
        err = caught.exception
        self.assertEqual((err.status, err.code), (404, "prompt_not_found"))
        self.assertTrue(err.request_id)
        self.assertEqual(pickle.loads(pickle.dumps(err)).code, "prompt_not_found")
        self.ph.prompts.create(name="a", template="{{ x }}")
        with self.assertRaises(ConflictError):
            self.ph.prompts.create(name="a", template="x")
        with self.assertRaisesRegex(RenderError, "Variables are missing: x"):
            self.ph.prompts.render("a")
        with self.assertRaises(InvalidRequestError) as invalid:
            self.ph.prompts.create(name="b", template="{{ x", tags=[])
        self.assertTrue(invalid.exception.details)
        with self.assertRaisesRegex(AuthenticationError, "the API key is unknown or was reset"):
            PromptHarbor("ph_" + "0" * 64, base_url=self.ph.base_url).auth.verify()

    def test_a_reset_key_is_refused_and_the_new_one_works(self) -> None:
        other = PromptHarbor(self.ph.auth.verify()["token"], base_url=self.ph.base_url)
        token = self.ph.auth.reset()["token"]
        with self.assertRaises(AuthenticationError):
            other.auth.verify()
        other.set_api_key(f" {token}\n")
        self.assertEqual(other.auth.verify()["token"], token)
        calls: list[int] = []
        function = PromptHarbor(lambda: (calls.append(1), token)[1], base_url=self.ph.base_url)
        function.auth.verify()
        self.assertEqual(len(calls), 1)

    def test_reads_the_environment(self) -> None:
        token = self.ph.auth.verify()["token"]
        with mock.patch.dict(os.environ, {"PROMPTHARBOR_URL": f"{self.ph.base_url}/", "PROMPTHARBOR_API_KEY": token}):
            self.assertEqual(PromptHarbor().auth.verify()["token"], token)
        self.assertNotIn(token, repr(PromptHarbor(token)))
        for url in ("ftp://x", "localhost", "http://user@host", "http://host?x"):
            with self.assertRaises(PromptHarborError):
                PromptHarbor(token, base_url=url)
        for key in ("", "a b", "\x00"):
            with self.assertRaises(PromptHarborError):
                PromptHarbor(key)

    def test_options_of_a_copy(self) -> None:
        seen: list[ResponseInfo] = []
        copy = self.ph.with_options(on_response=seen.append, headers={"x-request-id": "mine-1234"}, timeout=5)
        copy.auth.verify()
        self.assertEqual((seen[0].status, seen[0].request_id is not None), (200, True))
        with self.assertRaises(NotFoundError):
            self.ph.with_options(workspace="w_0_0").prompts.list().data

    def test_events(self) -> None:
        events = self.ph.stream_events()
        self.assertEqual(next(events)["type"], "hello")
        self.ph.prompts.create(name="a", template="x")
        self.assertEqual(next(events)["type"], "prompt.created")
        events.close()

    def test_streams_from_many_threads_share_the_client(self) -> None:
        errors: list[BaseException] = []

        def work() -> None:
            try:
                for _ in range(5):
                    self.ph.auth.verify()
            except BaseException as err:
                errors.append(err)

        threads = [threading.Thread(target=work) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])


class FailuresTest(unittest.TestCase):
    """What happens if something other than a healthy service responds."""

    def serve(self, *responses: bytes) -> tuple[str, list[bytes]]:
        """Start a server that gives one connection each of these responses."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        received: list[bytes] = []

        def run() -> None:
            for response in responses:
                connection, _ = listener.accept()
                with connection:
                    received.append(connection.recv(65536))
                    connection.sendall(response)

        threading.Thread(target=run, daemon=True).start()
        return f"http://127.0.0.1:{listener.getsockname()[1]}", received

    def respond(self, status: str, body: bytes = b"", *headers: str) -> bytes:
        lines = [f"HTTP/1.1 {status}", f"content-length: {len(body)}", *headers, "connection: close", "", ""]
        return "\r\n".join(lines).encode() + body

    def test_retries_temporary_failures_of_repeatable_requests(self) -> None:
        failure = self.respond("503 Busy", b'{"error":"Busy","code":"overloaded"}', "retry-after: 0")
        success = self.respond("200 OK", b'{"token":"x"}')
        url, received = self.serve(failure, b"", success)
        self.assertEqual(PromptHarbor("k", base_url=url).auth.verify()["token"], "x")
        self.assertEqual(len(received), 3)

    def test_never_repeats_a_write_that_may_have_taken_effect(self) -> None:
        for response in (b"", self.respond("500 Error", b'{"error":"x","code":"internal"}')):
            url, received = self.serve(response, response)
            with self.assertRaises(PromptHarborError):
                PromptHarbor("k", base_url=url).prompts.create(name="a", template="x")
            self.assertEqual(len(received), 1)

    def test_does_not_retry_what_cannot_succeed(self) -> None:
        url, received = self.serve(self.respond("404 Not Found", b'{"error":"x","code":"prompt_not_found"}'))
        with self.assertRaises(NotFoundError):
            PromptHarbor("k", base_url=url).prompts.get("a")
        self.assertEqual(len(received), 1)

    def test_recognizes_responses_that_are_not_from_the_service(self) -> None:
        cases = {
            "Is this the address": self.respond("200 OK", b"<html>"),
            'no valid "token"': self.respond("200 OK", b"{}"),
            "not from PromptHarbor": self.respond("404 Not Found", b"nope"),
            "redirects to https://other": self.respond("302 Found", b"", "location: https://other"),
        }
        for text, response in cases.items():
            url, _ = self.serve(response)
            with self.assertRaisesRegex(PromptHarborError, text):
                PromptHarbor("k", base_url=url, retries=0).auth.verify()

    def test_truncated_responses_and_timeouts(self) -> None:
        url, _ = self.serve(self.respond("200 OK", b'{"token":"x"}')[:-3])
        with self.assertRaises(ApiConnectionError):
            PromptHarbor("k", base_url=url, retries=0).auth.verify()
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        silent = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with self.assertRaisesRegex(ApiTimeoutError, "did not respond within 0.2 seconds"):
            PromptHarbor("k", base_url=silent, retries=0, timeout=0.2).auth.verify()
        secure = url.replace("http", "https")
        with self.assertRaises(ApiConnectionError):
            PromptHarbor("k", base_url=secure, retries=0).auth.verify()
        plain, _ = self.serve(b"HTTP/1.1 400 Bad\r\n\r\n")
        with self.assertRaisesRegex(ApiTlsError, "Does the service use http"):
            PromptHarbor("k", base_url=plain.replace("http", "https"), retries=0).auth.verify()


if __name__ == "__main__":
    unittest.main()
