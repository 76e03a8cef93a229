"""The client for asyncio."""

from __future__ import annotations

import asyncio
import time
import unittest

from promptharbor import AsyncPromptHarbor, NotFoundError, PromptsChange

from . import support

NAME = "support/reply"


class AsyncTest(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        admin = await asyncio.to_thread(support.create_account)
        token = (await asyncio.to_thread(admin.auth.verify))["token"]
        self.ph = AsyncPromptHarbor(token, base_url=admin.base_url, retries=20)
        await self.ph.prompts.create(name=NAME, template="Hello {{ customer }}")

    async def asyncTearDown(self) -> None:
        await self.ph.close()

    async def wait_until(self, condition: object) -> None:
        end = time.monotonic() + 60
        while not condition():  # type: ignore[operator]
            self.assertLess(time.monotonic(), end)
            await asyncio.sleep(0.02)

    async def test_operations_and_pages(self) -> None:
        await self.ph.prompts.create(name="b", template="x")
        self.assertEqual([each["name"] async for each in self.ph.prompts.list(limit=1)], ["b", NAME])
        self.assertEqual(len(await self.ph.prompts.list(limit=1)), 1)
        with self.assertRaises(NotFoundError):
            await self.ph.prompts.get("missing")
        results = await asyncio.gather(*(self.ph.prompts.render(NAME, variables={"customer": n}) for n in range(50)))
        self.assertEqual([each["text"] for each in results], [f"Hello {n}" for n in range(50)])

    async def test_loads_and_follows_with_callbacks_on_the_loop(self) -> None:
        loop = asyncio.get_running_loop()
        changes: list[PromptsChange] = []

        async def on_change(change: PromptsChange) -> None:
            self.assertIs(asyncio.get_running_loop(), loop)
            await prompts.refresh()
            changes.append(change)

        async with await self.ph.prompts.load(on_change=on_change) as prompts:
            prompt = prompts.get(NAME)
            self.assertEqual((await prompt.render({"customer": "Ada"})).text, "Hello Ada")
            self.assertEqual(prompt.render_local({"customer": "Ada"}).text, "Hello Ada")
            await self.wait_until(lambda: prompts.state.status == "live")
            await self.ph.versions.create(NAME, template="{{ customer }} {{ '2026-01-01' | date: '%Y' }}", labels=["production"])
            await self.wait_until(lambda: changes)
            rendered = await prompts.get(NAME).render({"customer": "Ada"})
            self.assertEqual((rendered.text, rendered.rendered_by), ("Ada 2026", "service"))
            await prompts.refresh()
        self.assertEqual(prompts.state.status, "closed")

    async def test_a_cancelled_request_ends_its_thread(self) -> None:
        server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        slow = AsyncPromptHarbor("k", base_url=url, timeout=600)
        ticks = 0
        task = asyncio.create_task(slow.auth.verify())
        for _ in range(20):
            await asyncio.sleep(0.01)
            ticks += 1
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        self.assertEqual(ticks, 20)
        # Without the cancellation, the thread would take ten minutes to end.
        pool = slow._threads._get_pool()
        await asyncio.to_thread(pool.shutdown, True)
        server.close()

    async def test_streams_events(self) -> None:
        types = []
        async for event in self.ph.stream_events():
            types.append(event["type"])
            if event["type"] == "hello":
                await self.ph.prompts.create(name="new", template="x")
            else:
                break
        self.assertEqual(types, ["hello", "prompt.created"])

    async def test_observes_awaitables_and_streams(self) -> None:
        async with await self.ph.prompts.load() as prompts:
            prompt = prompts.get(NAME)

            async def call() -> dict[str, object]:
                return {"model": "m", "usage": {"prompt_tokens": 3, "completion_tokens": 4}}

            self.assertEqual((await prompt.observe(call))["model"], "m")

            async def stream() -> object:
                async def parts() -> object:  # type: ignore[misc]
                    for text in ("a", "b"):
                        yield {"delta": text}

                return parts()

            observed = await prompt.observe(stream)
            self.assertEqual([part["delta"] async for part in observed], ["a", "b"])  # type: ignore[attr-defined]
        self.assertEqual((self.ph.reports.state.reported, self.ph.reports.state.waiting), (2, 0))


if __name__ == "__main__":
    unittest.main()
