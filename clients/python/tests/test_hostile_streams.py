"""A server that sends garbage on the event stream and in responses to reports."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import textwrap
import threading
import unittest
from typing import Any

from promptharbor import AsyncPromptHarbor, PromptHarbor, PromptHarborError
from promptharbor._http.events import MAX_EVENT_BYTES

from .hostile_server import STREAM, HostileServer, json_response, response
from .support import FOLDER, wait_until
from .test_hostile import HostileTest

EVENTS = int(os.environ.get("PYTHON_EVENTS", "1000000"))
HELLO = b'id: 7\ndata: {"type":"hello"}\n\n'


class EventsTest(HostileTest):
    def load(self, events: Any) -> Any:
        """Load from a server that has no prompts and sends these events."""

        def respond(connection: socket.socket, request: bytes) -> None:
            if not request.startswith(b"GET /api/events"):
                connection.sendall(json_response({"data": []}))
                return
            connection.sendall(STREAM)
            events(connection, request)

        prompts = self.client(respond).prompts.load()
        self.addCleanup(prompts.close)
        return prompts

    def connections(self) -> int:
        return sum(each.startswith(b"GET /api/events") for each in self.server.requests)

    def test_events_that_are_not_valid(self) -> None:
        for data in (b"x", b"[]", b"5", b"{}", b'{"type":5}', b"[" * 100_000):
            prompts = self.load(lambda connection, _: connection.sendall(b"id: 1\ndata: " + data + b"\n\n"))
            wait_until(lambda: isinstance(prompts.state.error, PromptHarborError))

    def test_ids_that_no_header_can_have(self) -> None:
        for event_id in ("☃", "a\rb", "x" * 100_000, "\x00", " "):
            hello = HELLO.replace(b"7", event_id.encode())
            self.load(lambda connection, _: connection.sendall(hello))
            wait_until(lambda: self.connections() >= 2)

    def test_the_id_of_the_last_event_is_sent_again(self) -> None:
        self.load(lambda connection, _: connection.sendall(HELLO))
        wait_until(lambda: self.connections() >= 2)
        self.assertIn(b"last-event-id: 7\r\n", self.server.requests[-1])

    def test_an_event_without_an_end(self) -> None:
        lost: list[int] = []

        def flood(connection: socket.socket, _: bytes) -> None:
            sent = 0
            try:
                while not self.server.ended.is_set():
                    connection.sendall(b"x" * 1000)
                    sent += 1000
            finally:
                lost.append(sent)

        prompts = self.load(flood)
        wait_until(lambda: lost)
        wait_until(lambda: "too long" in str(prompts.state.error))
        # The server may have sent more than the client read, because the operating system buffers data.
        self.assertLess(lost[0], MAX_EVENT_BYTES + 16 * 1024 * 1024)

    def test_many_small_events(self) -> None:
        done = threading.Event()

        def respond(connection: socket.socket, _: bytes) -> None:
            connection.sendall(STREAM + b"\n\n" * EVENTS + HELLO)
            done.wait()

        ph = self.client(respond)
        self.assertEqual(next(ph.stream_events())["type"], "hello")
        done.set()

    def test_close_ends_a_stream_whose_server_promised_to_close_it(self) -> None:
        prompts = self.load(lambda connection, _: (connection.sendall(HELLO), self.server.ended.wait()))
        wait_until(lambda: prompts.state.status == "live")
        before = threading.active_count()
        prompts.close()
        wait_until(lambda: threading.active_count() <= before - 2)


class AsyncEventsTest(unittest.IsolatedAsyncioTestCase):
    async def test_a_slow_reader_slows_the_server_down(self) -> None:
        is_slowed = threading.Event()

        def respond(connection: socket.socket, _: bytes) -> None:
            connection.sendall(STREAM)
            connection.settimeout(1)
            try:
                while True:
                    connection.sendall(b'id: 1\ndata: {"type":"%s"}\n\n' % (b"x" * 10_000))
            except TimeoutError:
                is_slowed.set()

        server = HostileServer(respond)
        self.addCleanup(server.close)
        async with AsyncPromptHarbor("k", base_url=server.url) as ph:
            events = ph.stream_events()
            await anext(events)
            self.assertTrue(await asyncio.to_thread(is_slowed.wait, 60))
            await events.aclose()  # type: ignore[attr-defined]
        await asyncio.to_thread(wait_until, lambda: not any(each.name == "promptharbor-events" for each in threading.enumerate()))


class ReportsTest(HostileTest):
    def test_responses_that_are_not_valid(self) -> None:
        answers = [
            json_response({}),
            json_response({"accepted": "x"}),
            json_response({"accepted": -1}),
            json_response([]),
            response("429 Busy", b'{"error":"x"}', f"retry-after: {'9' * 400}"),
            response("503 Busy", b'{"error":"x","details":5}', "retry-after: 99999999999999"),
        ]
        for answer in answers:
            ph = self.client(lambda connection, _: connection.sendall(answer))
            ph.reports.add({"prompt": "a", "version": 1})
            ph.reports.flush()
            self.assertIsInstance(ph.reports.state.error, PromptHarborError)
            # The thread that sends reports continues, so later reports arrive once the service works again.
            ph.reports.add({"prompt": "a", "version": 1})
            worker = ph.reports._thread
            self.assertTrue(worker is not None and worker.is_alive())
            ph.reports.after_fork()

    def test_a_key_that_cannot_be_read(self) -> None:
        def read_key() -> str:
            raise OSError("The secret store is down.")

        ph = PromptHarbor(read_key, base_url="http://127.0.0.1:9")
        ph.reports.add({"prompt": "a", "version": 1})
        ph.reports.flush()
        self.assertEqual((ph.reports.state.waiting, str(ph.reports.state.error)), (1, "The secret store is down."))
        ph.reports.after_fork()


class ExitTest(HostileTest):
    def run_program(self, server: HostileServer, source: str) -> str:
        environment = {
            **os.environ,
            "PYTHONPATH": str(FOLDER.parent / "src"),
            "PROMPTHARBOR_URL": server.url,
            "PROMPTHARBOR_API_KEY": "k",
        }
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", textwrap.dedent(source)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_reports_do_not_delay_the_end_for_long(self) -> None:
        server = self.serve(lambda connection, _: server.drip(connection, b"H"))
        program = """
            from promptharbor import PromptHarbor
            ph = PromptHarbor()
            for _ in range(9999):
                ph.reports.add({"prompt": "a", "version": 1})
            print("end")
        """
        self.assertEqual(self.run_program(server, program), "end\n")

    def test_a_stream_and_a_request_without_an_end(self) -> None:
        def respond(connection: socket.socket, request: bytes) -> None:
            if b"/api/events" in request:
                connection.sendall(STREAM)
                server.flood(connection, b": x\n\n")
            elif b"/api/auth" in request:
                server.drip(connection, b"H")
            connection.sendall(json_response({"data": []}))

        server = self.serve(respond)
        program = """
            import asyncio
            from promptharbor import AsyncPromptHarbor

            async def main():
                ph = AsyncPromptHarbor(timeout=600)
                prompts = await ph.prompts.load(start_timeout=5)
                asyncio.create_task(ph.auth.verify())
                events = ph.stream_events()
                await asyncio.sleep(0.5)
                print(prompts.names)

            asyncio.run(main())
        """
        self.assertEqual(self.run_program(server, program), "[]\n")


if __name__ == "__main__":
    unittest.main()
