"""The examples and the README run as they are."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request
from pathlib import Path

from . import support
from .support import FOLDER, wait_until

EXAMPLES = FOLDER.parent / "examples"

OPENAI = """
import json
from types import SimpleNamespace

class OpenAI:
    def __init__(self):
        self.chat = SimpleNamespace(completions=self)

    def create(self, **request):
        message = SimpleNamespace(content=json.dumps(request), tool_calls=None)
        return SimpleNamespace(id="c1", model=request["model"], usage=None, choices=[SimpleNamespace(message=message)])
"""


class ExamplesTest(unittest.TestCase):
    def setUp(self) -> None:
        self.ph = support.create_account()
        self.ph.prompts.create(name="support/triage", template="Classify: {{ request }}{% if customer %} from {{ customer }}{% endif %}")
        messages = [{"role": "system", "content": "Today is {{ today }}."}, {"placeholder": "history"}, {"role": "user", "content": "{{ question }}"}]
        tools = [{"name": "find_order", "parameters": {"type": "object"}}]
        self.ph.prompts.create(name="support/agent", messages=messages, tools=tools, config={"model": "m", "temperature": 0.1})
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(FOLDER.parent / "src"), str(EXAMPLES), str(self.folder)]),
            "PROMPTHARBOR_URL": self.ph.base_url,
            "PROMPTHARBOR_API_KEY": self.ph.auth.verify()["token"],
            "PORT": "0",
        }

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, *arguments], cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def run_to_end(self, *arguments: str) -> str:
        process = self.start(*arguments)
        output, errors = process.communicate(timeout=120)
        self.assertEqual((process.returncode, errors if "Ran 1 test" not in errors else ""), (0, ""))
        return output

    def test_openai_chat(self) -> None:
        (self.folder / "openai.py").write_text(OPENAI)
        request = json.loads(self.run_to_end(str(EXAMPLES / "openai_chat.py"), "Where?"))
        self.assertEqual((request["model"], request["temperature"]), ("m", 0.1))
        self.assertEqual(request["messages"][-1], {"role": "user", "content": "Where?"})
        self.assertEqual(request["tools"][0]["function"]["name"], "find_order")

    def test_triage(self) -> None:
        self.run_to_end("-m", "unittest", "test_triage")

    def test_asyncio_program(self) -> None:
        process = self.start(str(EXAMPLES / "asyncio_program.py"))
        assert process.stdout is not None
        self.assertIn("version 1 needs ['request'", process.stdout.readline())
        self.ph.versions.create("support/triage", template="Sort: {{ request }}", labels=["production"])
        self.assertEqual(process.stdout.readline(), "changed: support/triage\n")
        self.assertEqual(process.wait(60), 0)

    def test_web_server(self) -> None:
        process = self.start(str(EXAMPLES / "web_server.py"))
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        self.assertEqual(self.fetch(f"{url}/support/triage?request=It+leaks"), (200, "Classify: It leaks"))
        self.assertEqual(self.fetch(f"{url}/support/triage"), (422, "Variables are missing: request"))
        self.assertEqual(self.fetch(f"{url}/missing")[0], 404)
        self.ph.versions.create("support/triage", template="Sort: {{ request }}", labels=["production"])
        wait_until(lambda: self.fetch(f"{url}/support/triage?request=x") == (200, "Sort: x"))

    def fetch(self, url: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(url, timeout=30) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as err:
            with err:
                return err.code, err.read().decode()

    def test_the_programs_of_the_readme(self) -> None:
        (self.folder / "openai.py").write_text(OPENAI)
        text = (FOLDER.parent / "README.md").read_text("utf-8")
        programs = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        self.assertGreater(len(programs), 5)
        # Later programs use the names of earlier ones, as a reader would.
        source = "\n".join(programs)
        (self.folder / "readme.py").write_text(source)
        self.run_to_end("-W", "ignore", "readme.py")


if __name__ == "__main__":
    unittest.main()
