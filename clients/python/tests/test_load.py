"""`ph.prompts.load`: what an application sees while the service changes, fails and returns."""

from __future__ import annotations

import json
import os
import stat
import tempfile
import unittest
from pathlib import Path
from typing import Any

from promptharbor import (
    ApiConnectionError,
    AuthenticationError,
    LoadedPrompts,
    PromptHarbor,
    PromptHarborError,
    PromptsChange,
)

from . import support
from .proxy import Proxy
from .support import wait_until

NAME = "support/reply"
UNREACHABLE = "http://127.0.0.1:9"


class LoadTest(unittest.TestCase):
    def setUp(self) -> None:
        self.admin = support.create_account()
        self.admin.prompts.create(name=NAME, template="Hello {{ customer }}")
        self.token = self.admin.auth.verify()["token"]
        self.proxy = Proxy(support.service_url())
        self.addCleanup(self.proxy.close)
        self.ph = PromptHarbor(self.token, base_url=self.proxy.url, retries=20)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "cache" / "prompts.json"

    def load(self, **options: Any) -> LoadedPrompts:
        prompts = self.ph.prompts.load(**options)
        self.addCleanup(prompts.close)
        return prompts

    def save(self, template: str, **options: Any) -> None:
        self.admin.versions.create(NAME, template=template, labels=["production"], **options)

    def text_of(self, prompts: LoadedPrompts, **options: Any) -> str:
        return prompts.get(NAME, **options).render({"customer": "Ada"}).text

    def test_follows_changes(self) -> None:
        changes: list[PromptsChange] = []
        prompts = self.load(on_change=changes.append)
        before = prompts.get(NAME)
        self.assertEqual(prompts.names, [NAME])
        wait_until(lambda: prompts.state.status == "live")
        self.save("Bye {{ customer }}")
        wait_until(lambda: self.text_of(prompts) == "Bye Ada")
        wait_until(lambda: changes)
        self.assertEqual(changes, [PromptsChange([], [NAME], [])])
        self.assertEqual(before.render({"customer": "Ada"}).text, "Hello Ada")
        self.assertEqual((prompts.state.source, prompts.state.error), ("service", None))

    def test_removes_prompts_that_lose_their_label(self) -> None:
        prompts = self.load()
        wait_until(lambda: prompts.state.status == "live")
        self.admin.labels.remove(NAME, "production")
        wait_until(lambda: prompts.find(NAME) is None)
        with self.assertRaisesRegex(PromptHarborError, "There is no prompt"):
            prompts.get(NAME, fallback="not used")

    def test_polls_if_streams_are_blocked(self) -> None:
        self.proxy.refused_path = b"/api/events"
        prompts = self.load(poll_interval=0.1)
        self.save("Bye {{ customer }}")
        wait_until(lambda: self.text_of(prompts) == "Bye Ada")
        self.assertEqual(prompts.state.status, "polling")

    def test_catches_up_after_an_outage(self) -> None:
        errors: list[BaseException] = []
        prompts = self.load(on_error=errors.append)
        wait_until(lambda: prompts.state.status == "live")
        self.proxy.go_down()
        wait_until(lambda: prompts.state.status == "offline")
        self.assertIsInstance(prompts.state.error, ApiConnectionError)
        self.save("Bye {{ customer }}")
        self.assertEqual(self.text_of(prompts), "Hello Ada")
        self.proxy.is_down = False
        wait_until(lambda: prompts.state.status == "live" and self.text_of(prompts) == "Bye Ada")
        self.assertTrue(errors)

    def test_continues_after_the_service_was_killed(self) -> None:
        service = support.Service()
        self.addCleanup(service.stop)
        admin = support.create_account(service.url)
        admin.prompts.create(name=NAME, template="Hello")
        prompts = admin.prompts.load()
        self.addCleanup(prompts.close)
        wait_until(lambda: prompts.state.status == "live")
        service.stop()
        wait_until(lambda: prompts.state.status == "offline")
        self.assertEqual(prompts.get(NAME).render().text, "Hello")
        service.start()
        admin.versions.create(NAME, template="Bye", labels=["production"])
        wait_until(lambda: prompts.state.status == "live" and prompts.get(NAME).render().text == "Bye")

    def test_starts_from_the_file(self) -> None:
        self.load(fallback_file=self.file).close()
        self.assertEqual(stat.S_IMODE(os.stat(self.file).st_mode), 0o600)
        self.assertEqual(os.listdir(self.file.parent), ["prompts.json"])
        self.assertNotIn(self.token, self.file.read_text())
        self.proxy.go_down()
        prompts = self.load(fallback_file=self.file)
        self.assertEqual((self.text_of(prompts), prompts.state.source), ("Hello Ada", "file"))
        self.proxy.is_down = False
        wait_until(lambda: prompts.state.source == "service")

    def test_ignores_a_file_of_another_source_or_a_damaged_one(self) -> None:
        self.load(fallback_file=self.file).close()
        text = self.file.read_text()
        self.proxy.go_down()
        fast = self.ph.with_options(retries=0)
        for damaged in (text[:-20], text.replace(self.proxy.url, UNREACHABLE), "[]", text.replace('"format":1', '"format":2')):
            self.file.write_text(damaged)
            with self.assertRaises(ApiConnectionError):
                fast.prompts.load(fallback_file=self.file)

    def test_starts_from_a_state_file_of_another_address(self) -> None:
        self.load(fallback_file=self.file).close()
        client = PromptHarbor(self.token, base_url=UNREACHABLE)
        prompts = client.prompts.load(state_file=self.file)
        self.addCleanup(prompts.close)
        self.assertEqual(self.text_of(prompts), "Hello Ada")
        with self.assertRaisesRegex(PromptHarborError, 'but this program loads the prompts at the label "staging"'):
            client.prompts.load(state_file=self.file, label="staging")
        with self.assertRaisesRegex(PromptHarborError, "Cannot read the state file"):
            client.prompts.load(state_file=self.file.parent / "missing.json")

    def test_starts_empty_with_a_fallback_in_code(self) -> None:
        self.proxy.go_down()
        prompts = self.load(start_empty=True)
        self.assertEqual((prompts.state.source, prompts.names), ("none", []))
        prompt = prompts.get(NAME, fallback="Hi {{ customer }}")
        self.assertEqual((prompt.version, prompt.render({"customer": "Ada"}).text), (0, "Hi Ada"))
        messages = [{"role": "user", "content": "Hi {{ customer }}"}]
        chat = prompts.get(NAME, fallback={"messages": messages, "config": {"model": "m"}})
        self.assertEqual(chat.render({"customer": "Ada"}).messages, [{"role": "user", "content": "Hi Ada"}])
        self.proxy.is_down = False
        wait_until(lambda: prompts.state.source == "service")
        self.assertEqual(self.text_of(prompts, fallback="not used"), "Hello Ada")

    def test_refuses_a_wrong_key_even_with_a_file(self) -> None:
        self.load(fallback_file=self.file).close()
        wrong = PromptHarbor("ph_" + "0" * 64, base_url=self.proxy.url)
        with self.assertRaises(AuthenticationError):
            wrong.prompts.load(fallback_file=self.file)
        with self.assertRaisesRegex(PromptHarborError, "There is no API key"):
            PromptHarbor(base_url=self.proxy.url).prompts.load(fallback_file=self.file)

    def test_asks_once_for_a_new_key(self) -> None:
        asked: list[int] = []
        prompts = self.load(on_auth_error=lambda err: asked.append(err.status))
        wait_until(lambda: prompts.state.status == "live")
        token = self.admin.auth.reset()["token"]
        self.admin.set_api_key(token)
        wait_until(lambda: prompts.state.status == "unauthorized")
        self.assertEqual(self.text_of(prompts), "Hello Ada")
        self.save("Bye {{ customer }}")
        self.assertEqual(asked, [401])
        self.ph.set_api_key(token)
        wait_until(lambda: prompts.state.status == "live" and self.text_of(prompts) == "Bye Ada")
        self.assertEqual(asked, [401])

    def test_continues_with_the_key_that_the_handler_returns(self) -> None:
        keys = [self.token]
        prompts = self.load(on_auth_error=lambda _: keys[-1])
        wait_until(lambda: prompts.state.status == "live")
        # The handler may first return the old key again, because the service resets the key before the test adds the new one to the list.
        token = self.admin.auth.reset()["token"]
        keys.append(token)
        self.admin.set_api_key(token)
        self.save("Bye {{ customer }}")
        wait_until(lambda: self.text_of(prompts) == "Bye Ada")

    def test_refresh_fetches_now(self) -> None:
        self.proxy.refused_path = b"/api/events"
        prompts = self.load(poll_interval=1000)
        self.save("Bye {{ customer }}")
        prompts.refresh()
        self.assertEqual(self.text_of(prompts), "Bye Ada")
        self.proxy.go_down()
        with self.assertRaises(ApiConnectionError):
            prompts.refresh()

    def test_a_failing_callback_does_not_end_the_updates(self) -> None:
        errors: list[BaseException] = []

        def fail(_: object) -> None:
            raise ValueError("mine")

        prompts = self.load(on_change=fail, on_error=errors.append)
        wait_until(lambda: prompts.state.status == "live")
        for template in ("1", "2"):
            self.save(template)
            wait_until(lambda: self.text_of(prompts) == template)
        wait_until(lambda: sum(isinstance(err, ValueError) for err in errors) == 2)

    def test_a_callback_may_use_the_prompts(self) -> None:
        seen: list[str] = []

        def on_change(_: object) -> None:
            prompts.refresh()
            seen.append(self.text_of(prompts))

        prompts = self.load(on_change=on_change)
        wait_until(lambda: prompts.state.status == "live")
        self.save("Bye {{ customer }}")
        wait_until(lambda: seen == ["Bye Ada"])
        self.save("Again {{ customer }}")
        wait_until(lambda: seen == ["Bye Ada", "Again Ada"])

    def test_loads_included_prompts_and_their_changes(self) -> None:
        changes: list[PromptsChange] = []
        self.admin.prompts.create(name="shared/tone", template="politely", labels=["staging"])
        self.save("{% render 'shared/tone', label: 'staging' %} {{ customer }}")
        prompts = self.load(folder="support", on_change=changes.append)
        wait_until(lambda: prompts.state.status == "live")
        self.assertEqual(self.text_of(prompts), "politely Ada")
        self.assertEqual(prompts.get(NAME).render({"customer": "Ada"}).rendered_by, "client")
        self.admin.versions.create("shared/tone", template="briefly", labels=["staging"])
        wait_until(lambda: self.text_of(prompts) == "briefly Ada")
        self.assertEqual(changes[-1].changed, [NAME])

    def test_asks_the_service_for_what_is_not_certain_and_says_so(self) -> None:
        self.save("{{ customer }} {{ '2026-01-02' | date: '%Y' }}")
        prompts = self.load()
        prompt = prompts.get(NAME)
        self.assertEqual(prompt.local_problem, "it uses the filter 'date'")
        with self.assertLogs("promptharbor", "INFO") as logs:
            rendered = prompt.render({"customer": "Ada"})
        self.assertEqual((rendered.text, rendered.rendered_by), ("Ada 2026", "service"))
        self.assertIn("it uses the filter 'date'", logs.output[0])
        with self.assertRaisesRegex(PromptHarborError, "cannot be rendered without the service"):
            prompt.render_local({"customer": "Ada"})

    def test_chooses_versions_by_key(self) -> None:
        self.admin.versions.create(NAME, template="Two {{ customer }}")
        self.admin.releases.start(
            NAME, "production", control=1, arms=[{"version": 2, "weight": 5000}], rules=[{"if": {"plan": ["internal"], "seats": ["5"]}, "version": 2}]
        )
        prompts = self.load(fallback_file=self.file)
        for user in range(50):
            chosen = prompts.get(NAME, key=f"user-{user}")
            self.assertEqual(chosen.version, self.admin.prompts.get(NAME, key=f"user-{user}")["version"])
        rule = prompts.get(NAME, context={"plan": "internal", "seats": 5.0})
        self.assertEqual((rule.version, (rule.release or {})["reason"]), (2, "RULE"))
        self.assertEqual(prompts.get(NAME).version, 1)
        chosen = prompts.get(NAME, key="user-1")
        self.assertEqual(chosen.attributes()["promptharbor.key"], "user-1")
        self.assertEqual(chosen.render({"customer": "Ada"}).release, chosen.release)
        with self.assertRaises(PromptHarborError):
            prompts.get(NAME, key="")
        self.assertEqual(len(json.loads(self.file.read_text())["releases"]), 1)


if __name__ == "__main__":
    unittest.main()
