"""Observed calls, feedback, webhooks, fakes and requests to models."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import unittest
from types import SimpleNamespace
from typing import Any

from promptharbor import PromptHarbor, PromptHarborError, PromptsChange, WebhookVerificationError, to_openai, verify_webhook
from promptharbor._results.read_response import error_type, read_response
from promptharbor.testing import fake_prompts

from . import support

NAME = "support/reply"


class RateLimited(Exception):
    """An error of another library."""

    status_code = 429


class ObserveTest(unittest.TestCase):
    def setUp(self) -> None:
        self.ph = support.create_account()
        self.ph.prompts.create(name=NAME, template="Hello {{ customer }}")
        prompts = self.ph.prompts.load()
        self.addCleanup(prompts.close)
        self.prompt = prompts.get(NAME)

    def results(self) -> Any:
        self.ph.reports.flush()
        return self.ph.prompts.get_results(NAME)

    def test_reports_the_numbers_of_a_call_and_returns_its_result(self) -> None:
        usage = SimpleNamespace(prompt_tokens=30, completion_tokens=4)
        response = SimpleNamespace(id="r-1", model="model-x", usage=usage, choices=["secret"])
        self.assertIs(self.prompt.observe(lambda: response), response)
        results = self.results()
        self.assertIn("model-x", json.dumps(results))
        self.assertNotIn("secret", json.dumps(results))
        self.assertEqual((self.ph.reports.state.reported, self.ph.reports.state.dropped), (1, 0))

    def test_reports_errors_by_their_type_and_raises_them(self) -> None:
        def fail() -> None:
            raise RateLimited("with the input of a model")

        with self.assertRaises(RateLimited):
            self.prompt.observe(fail)
        self.results()
        self.assertEqual(self.ph.reports.state.reported, 1)
        self.assertEqual(error_type(RateLimited("x")), "429")
        self.assertEqual(error_type(ValueError("secret text")), "ValueError")

    def test_reports_a_stream_when_it_ends(self) -> None:
        parts = [{"delta": "a"}, {"delta": "b", "usage": {"prompt_tokens": 1, "completion_tokens": 2}}]
        stream = self.prompt.observe(lambda: iter(parts), model="m")
        self.assertEqual(self.ph.reports.state.waiting, 0)
        self.assertEqual(list(stream), parts)
        self.assertEqual(self.ph.reports.state.waiting, 1)
        self.results()
        self.assertEqual(self.ph.reports.state.reported, 1)

    def test_reports_a_stream_that_is_left_early_once(self) -> None:
        with self.prompt.observe(lambda: iter([1, 2, 3])) as stream:  # type: ignore[attr-defined]
            next(stream)
        del stream
        self.assertEqual(self.ph.reports.state.waiting, 1)

    def test_drops_calls_that_the_service_refuses(self) -> None:
        self.prompt.observe(lambda: {}, model="m")
        self.ph.prompts.delete(NAME)
        self.ph.reports.flush()
        self.assertEqual((self.ph.reports.state.waiting, self.ph.reports.state.dropped), (0, 1))

    def test_keeps_calls_while_the_service_is_down(self) -> None:
        client = PromptHarbor("k", base_url="http://127.0.0.1:9")
        prompts = client.prompts.load(start_empty=True)
        client.reports.add({"prompt": "a", "version": 1})
        client.reports.flush()
        self.assertEqual(client.reports.state.waiting, 1)
        self.assertIsInstance(client.reports.state.error, PromptHarborError)
        # A fallback is not reported, because the service does not have its version.
        prompts.get("b", fallback="x").observe(lambda: {})
        self.assertEqual(client.reports.state.waiting, 1)
        client.reports.after_fork()
        prompts.close()

    def test_feedback(self) -> None:
        self.prompt.feedback("helpful", True, comment="great")
        self.ph.feedback.send(prompt=NAME, name="helpful", value=False, version=1)
        comments = [each["comment"] for each in self.ph.prompts.list_comments(NAME)]
        self.assertEqual(comments, ["great"])

    def test_attributes_for_spans(self) -> None:
        expected = {"gen_ai.prompt.name": NAME, "gen_ai.prompt.version": "1", "promptharbor.prompt.label": "production"}
        self.assertEqual(self.prompt.attributes(), expected)
        self.assertEqual(self.prompt.render({"customer": "A"}).attributes(), expected)


class ReadResponseTest(unittest.TestCase):
    def test_reads_responses_of_several_libraries(self) -> None:
        anthropic = {"type": "message", "id": "m", "model": "c", "usage": {"input_tokens": 5, "cache_read_input_tokens": 3, "output_tokens": 2}}
        self.assertEqual(read_response(anthropic), {"model": "c", "responseId": "m", "inputTokens": 8, "outputTokens": 2})
        langchain = {"id": "l", "usage_metadata": {"input_tokens": 1, "output_tokens": 2}, "response_metadata": {"model_name": "g"}}
        self.assertEqual(read_response(langchain), {"model": "g", "responseId": "l", "inputTokens": 1, "outputTokens": 2})
        part = {"type": "response.completed", "response": {"id": "r", "model": "o", "usage": {"input_tokens": 1, "output_tokens": 0}}}
        self.assertEqual(read_response(part), {"model": "o", "responseId": "r", "inputTokens": 1, "outputTokens": 0})
        self.assertEqual(read_response({"type": "error", "error": {"code": "overloaded"}}), {"error": "overloaded"})
        for value in (None, "text", 5, [], {"usage": {"prompt_tokens": -1}}, {"model": "x" * 1000}):
            self.assertEqual(read_response(value), {})


class WebhookTest(unittest.TestCase):
    key = b"k" * 32
    secret = "whsec_" + base64.b64encode(key).decode()
    body = '{"type":"label.moved","timestamp":"t","data":{"label":"ü"}}'

    def headers(self, *, age: int = 0, body: str = body) -> dict[str, str]:
        timestamp = str(int(time.time()) - age)
        signed = f"msg_1.{timestamp}.{body}".encode()
        signature = base64.b64encode(hmac.new(self.key, signed, hashlib.sha256).digest()).decode()
        return {"Webhook-Id": "msg_1", "webhook-timestamp": timestamp, "webhook-signature": f"v1,AAAA v1,{signature}"}

    def test_accepts_what_the_service_signed(self) -> None:
        for body in (self.body, self.body.encode()):
            self.assertEqual(verify_webhook(body, self.headers(), self.secret)["type"], "label.moved")

    def test_refuses_everything_else(self) -> None:
        refused = [
            (self.body + " ", self.headers()),
            (self.body, self.headers(age=400)),
            (self.body, self.headers(age=-400)),
            (self.body, {**self.headers(), "webhook-signature": "v2,x"}),
            (self.body, {**self.headers(), "webhook-timestamp": "soon"}),
            (self.body, {}),
        ]
        for body, headers in refused:
            with self.assertRaises(WebhookVerificationError):
                verify_webhook(body, headers, self.secret)
        for secret in ("", "whsec_?", "whsec_" + self.secret[6:20]):
            with self.assertRaisesRegex(PromptHarborError, "The webhook secret is malformed"):
                verify_webhook(self.body, self.headers(), secret)


class FakesTest(unittest.TestCase):
    def test_work_like_loaded_prompts(self) -> None:
        changes: list[PromptsChange] = []
        with fake_prompts({"a": "Hi {{ x | default: 'you' }}", "b": {"messages": [{"role": "user", "content": "{{ y }}"}], "config": {"model": "m"}}}) as prompts:
            prompts.on_change(changes.append)
            self.assertEqual(prompts.get("a").render().text, "Hi you")
            self.assertEqual(prompts.get("b").render({"y": 1}).messages, [{"role": "user", "content": "1"}])
            with self.assertRaisesRegex(PromptHarborError, "Variables are missing: y"):
                prompts.get("b").render()
            with self.assertRaisesRegex(PromptHarborError, "makes no requests"):
                prompts.set("c", "{{ x | date: '%Y' }}")
                prompts.get("c").render({"x": "2026"})
            prompts.delete("a")
            with self.assertRaises(PromptHarborError):
                prompts.get("a")
        self.assertEqual(changes, [PromptsChange(["c"], [], []), PromptsChange([], [], ["a"])])


class OpenAiTest(unittest.TestCase):
    def test_is_the_request_of_a_run(self) -> None:
        tool = {"name": "find", "parameters": {"type": "object"}}
        config = {"model": "m", "temperature": 0.2, "stream": True, "messages": [], "tools": []}
        rendered = {"text": "Hi", "config": config, "tools": [tool], "output": {"schema": {"type": "object"}, "strict": True}}
        self.assertEqual(
            to_openai(rendered),
            {
                "model": "m",
                "temperature": 0.2,
                "messages": [{"role": "user", "content": "Hi"}],
                "tools": [{"type": "function", "function": tool}],
                "response_format": {"type": "json_schema", "json_schema": {"name": "output", "schema": {"type": "object"}, "strict": True}},
            },
        )
        prompts = fake_prompts({"a": {"messages": [{"role": "user", "content": "x"}], "config": "none"}})
        self.assertEqual(to_openai(prompts.get("a").render()), {"messages": [{"role": "user", "content": "x"}]})


if __name__ == "__main__":
    unittest.main()
