"""Forks, threads and the end of the interpreter."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest
from pathlib import Path

from promptharbor import PromptHarbor

from . import support
from .support import FOLDER, wait_until

THREADS = int(os.environ.get("PYTHON_THREADS", "1000"))


class ThreadsTest(unittest.TestCase):
    def test_many_threads_never_see_a_torn_state_while_labels_move(self) -> None:
        ph = support.create_account()
        # The number is in the text, the config and the message, which must always agree.
        for number in range(1, 9):
            ph.prompts.save_batch(items=[self._item(name, number, is_new=number == 1) for name in ("a", "b")])
        with ph.prompts.load() as prompts:
            wait_until(lambda: prompts.state.status == "live")
            before = threading.active_count()
            stop = threading.Event()
            seen: set[int] = set()
            problems: list[str] = []

            def read() -> None:
                while not stop.is_set():
                    for name in ("a", "b"):
                        prompt = prompts.get(name)
                        text = prompt.render_local({"x": "!"}).text
                        if not text == f"{prompt.version}!" == f"{prompt.config['number']}!":
                            problems.append(f"{text} {prompt.version} {prompt.config}")
                        seen.add(prompt.version)
                    stop.wait(0.01)

            threads = [threading.Thread(target=read) for _ in range(THREADS)]
            for thread in threads:
                thread.start()
            for number in (2, 3, 4, 5, 6, 7, 8):
                for name in ("a", "b"):
                    ph.labels.move(name, "production", version=number)
                wait_until(lambda: {prompts.get("a").version, prompts.get("b").version} == {number})
            stop.set()
            for thread in threads:
                thread.join()
            self.assertEqual(problems, [])
            self.assertEqual(seen & {2, 8}, {2, 8})
            self.assertLessEqual(threading.active_count(), before)
            self._check_for_leaks(prompts)

    def _item(self, name: str, number: int, is_new: bool) -> dict[str, object]:
        content = {"template": f"{number}{{{{ x }}}}", "config": {"number": number}}
        return {"name": name, **content}

    def _check_for_leaks(self, prompts: object) -> None:
        """Reading the same prompts again and again must not keep anything."""
        gc.collect()
        before = len(gc.get_objects())
        for _ in range(10_000):
            prompts.get("a").render_local({"x": "!"})  # type: ignore[attr-defined]
        gc.collect()
        self.assertLess(len(gc.get_objects()) - before, 1000)


@unittest.skipUnless(hasattr(os, "fork"), "This platform has no fork.")
class ForkTest(unittest.TestCase):
    def test_children_follow_changes_on_connections_of_their_own(self) -> None:
        ph = support.create_account()
        ph.prompts.create(name="a", template="1")
        with ph.prompts.load() as prompts:
            wait_until(lambda: prompts.state.status == "live")
            parent, child = os.pipe()
            pids = []
            for _ in range(3):
                pid = os.fork()
                if pid == 0:
                    try:
                        wait_until(lambda: prompts.state.status == "live")
                        os.write(child, b"l")
                        wait_until(lambda: prompts.get("a").version == 2)
                        # The connections of the parent are not used, and new requests work.
                        os.write(child, b"2" if ph.prompts.get("a")["version"] == 2 else b"?")
                    finally:
                        os._exit(0)
                pids.append(pid)
            self.assertEqual(b"".join(os.read(parent, 1) for _ in pids), b"lll")
            ph.versions.create("a", template="2", labels=["production"])
            self.assertEqual(b"".join(os.read(parent, 1) for _ in pids), b"222")
            for pid in pids:
                os.waitpid(pid, 0)
            ph.versions.create("a", template="3", labels=["production"])
            wait_until(lambda: prompts.get("a").version == 3)
            self.assertEqual(prompts.state.status, "live")

    def test_forks_while_other_threads_use_the_client(self) -> None:
        ph = support.create_account()
        ph.prompts.create(name="a", template="1")
        stop = threading.Event()
        with ph.prompts.load() as prompts:

            def work() -> None:
                while not stop.is_set():
                    ph.auth.verify()
                    prompts.refresh()

            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads:
                thread.start()
            for _ in range(10):
                pid = os.fork()
                if pid == 0:
                    status = 1
                    try:
                        prompts.refresh()
                        ph.auth.verify()
                        prompts.get("a").observe(lambda: {})
                        prompts.close()
                        status = 0
                    finally:
                        os._exit(status)
                self.assertEqual(os.waitpid(pid, 0)[1], 0)
            stop.set()
            for thread in threads:
                thread.join()


class ExitTest(unittest.TestCase):
    def run_program(self, source: str, ph: PromptHarbor) -> str:
        environment = {
            **os.environ,
            "PYTHONPATH": str(FOLDER.parent / "src"),
            "PROMPTHARBOR_URL": ph.base_url,
            "PROMPTHARBOR_API_KEY": ph.auth.verify()["token"],
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

    def test_a_program_ends_although_its_stream_is_open(self) -> None:
        ph = support.create_account()
        ph.prompts.create(name="a", template="1")
        program = """
            import time
            from promptharbor import PromptHarbor
            prompts = PromptHarbor().prompts.load()
            while prompts.state.status != "live":
                time.sleep(0.01)
            print(prompts.get("a").render().text)
        """
        self.assertEqual(self.run_program(program, ph), "1\n")

    def test_an_asyncio_program_ends_too(self) -> None:
        ph = support.create_account()
        ph.prompts.create(name="a", template="1")
        program = """
            import asyncio
            from promptharbor import AsyncPromptHarbor
            async def main():
                prompts = await AsyncPromptHarbor().prompts.load(on_change=print)
                print((await prompts.get("a").render()).text)
            asyncio.run(main())
        """
        self.assertEqual(self.run_program(program, ph), "1\n")

    def test_observed_calls_are_reported_at_the_end(self) -> None:
        ph = support.create_account()
        ph.prompts.create(name="a", template="1")
        program = """
            from promptharbor import PromptHarbor
            prompts = PromptHarbor().prompts.load()
            prompts.get("a").observe(lambda: {"model": "m", "usage": {"prompt_tokens": 3, "completion_tokens": 4}})
        """
        self.run_program(program, ph)
        wait_until(lambda: "m" in json.dumps(ph.prompts.get_results("a")))

    def test_the_import_loads_nothing_that_it_does_not_need(self) -> None:
        program = """
            import sys
            import promptharbor
            needless = {"asyncio", "promptharbor.types", "promptharbor._render.parser", "urllib.request"}
            print(sorted(needless & set(sys.modules)))
        """
        self.assertEqual(self.run_program(program, support.create_account()), "[]\n")

    def test_the_file_is_whole_after_a_kill(self) -> None:
        ph = support.create_account()
        ph.prompts.create(name="a", template="x" * 100_000)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "prompts.json"
            program = (
                "import sys; from promptharbor._load.state_file import *; from promptharbor._load.snapshot import *\n"
                f"source = FileSource(Selection('production', None), 'http://x', None)\n"
                f"state = Snapshot(prompts={{'a': {{'name': 'a', 'variables': [], 'template': 'x' * 1000000}}}})\n"
                f"while True: write_fallback_file({str(path)!r}, source, state); print(flush=True)"
            )
            process = subprocess.Popen(
                [sys.executable, "-c", program],
                env={**os.environ, "PYTHONPATH": str(FOLDER.parent / "src")},
                stdout=subprocess.PIPE,
            )
            assert process.stdout is not None
            process.stdout.readline()
            process.kill()
            process.communicate()
            self.assertEqual(len(json.loads(path.read_text())["prompts"][0]["template"]), 1_000_000)


if __name__ == "__main__":
    unittest.main()
