"""Requests to a broken or hostile server: memory and time stay bounded, and errors are clear."""

from __future__ import annotations

import socket
import unittest
from typing import Any
from unittest import mock

from promptharbor import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    InvalidRequestError,
    PromptHarbor,
    PromptHarborError,
    RateLimitError,
)

from .hostile_server import HostileServer, Respond, json_response, response, sending

MAX_MESSAGE = 2000


class HostileTest(unittest.TestCase):
    def serve(self, respond: Respond) -> HostileServer:
        server = HostileServer(respond)
        self.addCleanup(server.close)
        return server

    def client(self, respond: Respond, **options: Any) -> PromptHarbor:
        self.server = self.serve(respond)
        return PromptHarbor("ph_secret", base_url=self.server.url, **{"retries": 0, "timeout": 30, **options})


class TimeTest(HostileTest):
    """The timeout limits the whole attempt, however slowly the server sends."""

    def check(self, respond: Respond) -> None:
        with self.assertRaises(ApiTimeoutError):
            self.client(respond, timeout=0.3).auth.verify()

    def test_a_status_line_that_arrives_byte_by_byte(self) -> None:
        self.check(lambda connection, _: self.server.drip(connection, b"H"))

    def test_headers_that_arrive_byte_by_byte(self) -> None:
        def respond(connection: socket.socket, _: bytes) -> None:
            connection.sendall(b"HTTP/1.1 200 OK\r\nx: ")
            self.server.drip(connection)

        self.check(respond)

    def test_interim_responses_without_an_end(self) -> None:
        self.check(lambda connection, _: self.server.flood(connection, b"HTTP/1.1 100 Continue\r\n\r\n"))

    def test_a_body_that_arrives_byte_by_byte(self) -> None:
        for head in (b"content-length: 1000", b"connection: close", b"transfer-encoding: chunked"):

            def respond(connection: socket.socket, _: bytes) -> None:
                connection.sendall(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n")
                self.server.drip(connection, b"1\r\nx\r\n" if head.endswith(b"chunked") else b"x")

            self.check(respond)

    def test_trailers_without_an_end(self) -> None:
        def respond(connection: socket.socket, _: bytes) -> None:
            connection.sendall(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n")
            self.server.flood(connection, b"x: y\r\n")

        self.check(respond)


class SizeTest(HostileTest):
    def check(self, error: type[PromptHarborError], respond: Respond) -> str:
        with self.assertRaises(error) as caught:
            self.client(respond).auth.verify()
        text = str(caught.exception)
        self.assertLess(len(text), MAX_MESSAGE)
        return text

    def test_a_body_without_an_end(self) -> None:
        def respond(connection: socket.socket, _: bytes) -> None:
            connection.sendall(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")
            self.server.flood(connection, b"x" * 65536)

        with mock.patch("promptharbor._http.request.MAX_RESPONSE_BYTES", 1024 * 1024):
            self.assertIn("The response is too large", self.check(PromptHarborError, respond))

    def test_large_heads(self) -> None:
        for head in (b"x: " + b"y" * 100_000, b"x: y\r\n" * 1000):
            self.check(ApiConnectionError, sending(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n"))
        self.check(ApiConnectionError, sending(b"x" * 60_000 + b"\r\n\r\n"))

    def test_large_texts_in_errors(self) -> None:
        detail = {"path": "p" * 100_000, "message": "m" * 100_000}
        for body in (
            {"error": "e" * 1_000_000},
            {"error": "e", "code": "invalid_input", "details": [detail] * 100},
        ):
            self.check(InvalidRequestError, sending(json_response(body, "400 Bad Request")))
        location = f"location: https://other/{'x' * 60_000}"
        self.check(ApiError, sending(response("302 Found", b"", location)))

    def test_lengths_that_are_not_valid(self) -> None:
        for head in (b"content-length: -5", b"content-length: 1e3"):
            data = b"HTTP/1.1 200 OK\r\nconnection: close\r\n" + head + b'\r\n\r\n{"token":"x"}'
            self.assertEqual(self.client(sending(data)).auth.verify(), {"token": "x"})
        for chunk in (b"-5", b"x", b"", b"1_0", b"f" * 60_000):
            data = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + chunk + b"\r\n{}\r\n"
            self.check(PromptHarborError, sending(data))


class ContentTest(HostileTest):
    def test_json_that_is_not_a_response(self) -> None:
        bodies = [b"[" * 100_000, b"\xff\xfe", b"9" * 5000, b"null", b"[]", b'"token"', b"{}"]
        for body in bodies:
            with self.assertRaisesRegex(PromptHarborError, "Is this the address of a PromptHarbor service"):
                self.client(sending(response("200 OK", body))).auth.verify()
            with self.assertRaises(ApiError):
                self.client(sending(response("500 Error", body))).auth.verify()

    def test_wrong_types_in_errors(self) -> None:
        body = {"error": "no", "code": ["x"], "details": 5, "warnings": "x", "proposal": 1}
        with self.assertRaisesRegex(InvalidRequestError, "^no$") as caught:
            self.client(sending(json_response(body, "400 Bad Request"))).auth.verify()
        err = caught.exception
        self.assertEqual((err.code, err.details, err.warnings, err.proposal), (None, [], [], None))
        for details in ([5], ["x"], [[]], {"a": 1}):
            answer = json_response({"error": "no", "code": "invalid_input", "details": details}, "400 Bad Request")
            with self.assertRaises(InvalidRequestError):
                self.client(sending(answer)).auth.verify()

    def test_pauses_that_are_not_valid(self) -> None:
        for pause in ("9" * 400, "-1", "nan", "Fri, 31 Dec 9999 23:59:59 GMT", "Mon, 01 Jan 0001 00:00:00 +2359", "soon"):
            body = b'{"error":"Busy","code":"overloaded"}'
            with self.assertRaises(RateLimitError):
                self.client(sending(response("429 Busy", body, f"retry-after: {pause}"))).auth.verify()

    def test_pages_that_are_not_valid(self) -> None:
        for cursor in ([], {}, 5, True):
            with self.assertRaisesRegex(PromptHarborError, "Is this the address"):
                list(self.client(sending(json_response({"data": [], "nextCursor": cursor}))).prompts.list())

    def test_prompts_that_are_not_valid(self) -> None:
        version = {"name": "a", "version": 1, "type": "text", "template": "x", "variables": []}
        release = {"id": "r", "salt": "s", "control": 1, "arms": [], "rules": [], "versions": []}
        versions: list[Any] = [
            5,
            [],
            {"name": "a"},
            *({**version, field: value} for field in ("name", "version", "type", "variables") for value in ({}, None)),
            {**version, "variables": [{"required": True}]},
        ]
        releases: list[Any] = [
            5,
            {**release, "arms": [{}]},
            {**release, "arms": [{"version": "1", "weight": 1}]},
            {**release, "rules": [{"if": {}}]},
            {**release, "rules": [{"if": {"plan": "x"}, "version": 1}]},
            {**release, "control": None},
            {**release, "salt": 1},
            {**release, "versions": [{}]},
        ]
        items: list[Any] = [5, None, [], {}, {"name": 5, "version": version}]
        items += [{"name": "a", "version": each} for each in versions]
        items += [{"name": "a", "version": version, "release": each} for each in releases]
        for item in items:
            with self.subTest(item), self.assertRaisesRegex(PromptHarborError, "Is this the address"):
                self.client(sending(json_response({"data": [item]}))).prompts.load().close()

    def test_prompts_that_are_nested_too_deeply(self) -> None:
        for depth in (500, 3000, 9000):
            tools = "[" * depth + "]" * depth
            body = f'{{"data":[{{"name":"a","version":{{"name":"a","version":1,"type":"text","template":"x","variables":[],"tools":{tools}}}}}]}}'
            try:
                prompts = self.client(sending(response("200 OK", body.encode()))).prompts.load()
            except PromptHarborError:
                continue
            with prompts, self.assertRaises(PromptHarborError):
                prompts.get("a").render_local({})
                raise PromptHarborError("It was rendered.")

    def test_renders_that_are_not_valid(self) -> None:
        version = {"name": "a", "version": 1, "type": "text", "template": "{{ 'x' | date }}", "variables": []}

        for answer in ({"name": 5}, {"name": "a"}, {"name": "a", "version": 1}, {"name": "a", "version": 1, "text": 5}):

            def respond(connection: socket.socket, request: bytes) -> None:
                is_render = request.startswith(b"POST")
                body = answer if is_render else {"data": [{"name": "a", "version": version}]}
                connection.sendall(json_response(body))

            with self.client(respond).prompts.load() as prompts, self.assertRaisesRegex(PromptHarborError, "Is this the address"):
                prompts.get("a").render({})


class RedirectTest(HostileTest):
    def test_the_key_never_follows_a_redirect(self) -> None:
        other = self.serve(sending(json_response({"token": "x", "data": []})))
        for status in ("301 Moved", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect"):
            ph = self.client(sending(response(status, b"", f"location: {other.url}/")))
            calls: list[Any] = [
                ph.auth.verify,
                ph.prompts.load,
                lambda: ph.prompts.create(name="a", template="x"),
                lambda: next(ph.stream_events()),
            ]
            for call in calls:
                with self.assertRaisesRegex(ApiError, f"redirects to {other.url}"):
                    call()
            ph.reports.add({"prompt": "a", "version": 1})
            ph.reports.flush()
            self.assertIsInstance(ph.reports.state.error, ApiError)
        self.assertEqual(other.requests, [])


if __name__ == "__main__":
    unittest.main()
