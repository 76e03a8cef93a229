"""Local rendering agrees with the service."""

from __future__ import annotations

import os
import unittest
from typing import Any

from promptharbor import ApiError
from promptharbor._load.fallback import create_version
from promptharbor._render.render import LocalTemplate
from promptharbor._render.values import NeedsService

from . import support
from .random_templates import Generator

COUNT = int(os.environ.get("PYTHON_RENDERS", "3000"))
SEED = int(os.environ.get("PYTHON_SEED", "1"))
BATCH = 50


def render_locally(template: str, variables: dict[str, Any]) -> str | None:
    """Return the text, or None if only the service can render the template."""
    version = create_version("test", {"type": "text", "template": template}, number=1, label="x", config={})
    try:
        version["variables"] = []
        text: str = LocalTemplate(version, lambda _: None).render(variables)["text"]
        return text
    except NeedsService:
        return None


class RenderingTest(unittest.TestCase):
    def setUp(self) -> None:
        self.ph = support.create_account()

    def _render_all(self, templates: list[str], variables: dict[str, Any], number: int) -> list[str]:
        """Render many templates with one request."""
        name = f"random/{number}"
        self.ph.prompts.create(name=name, messages=[{"role": "user", "content": each} for each in templates])
        messages = self.ph.prompts.render(name, variables=variables)["messages"]
        return [message["content"] for message in messages]

    def _describe_failures(self, templates: list[str], variables: dict[str, Any], number: int) -> list[str]:
        failures = []
        for index, template in enumerate(templates):
            expected = render_locally(template, variables)
            try:
                [actual] = self._render_all([template], variables, number * 1000 + index)
            except ApiError as err:
                failures.append(f"{template!r}\n  local:   {expected!r}\n  service: {err} {err.details}")
                continue
            if actual != expected:
                failures.append(f"{template!r}\n  local:   {expected!r}\n  service: {actual!r}\n  {variables}")
        return failures

    def test_random_templates(self) -> None:
        rendered = 0
        total = 0
        failures: list[str] = []
        for number in range(1, COUNT // BATCH + 1):
            generator = Generator(SEED * 1_000_000 + number)
            variables = generator.variables()
            templates = [generator.template() for _ in range(2 * BATCH)]
            local = {each: render_locally(each, variables) for each in templates}
            certain = [each for each, text in local.items() if text is not None]
            total += len(templates)
            rendered += len(certain)
            try:
                actual = self._render_all(certain, variables, number)
            except ApiError:
                failures += self._describe_failures(certain, variables, number)
                continue
            for template, text in zip(certain, actual):
                if text != local[template]:
                    failures.append(
                        f"{template!r}\n  local:   {local[template]!r}\n  service: {text!r}\n  {variables}"
                    )
        self.assertEqual(failures, [], "\n".join(failures[:20]))
        # If fewer templates were rendered locally, this test would prove little.
        self.assertGreater(rendered, total / 5)


if __name__ == "__main__":
    unittest.main()
