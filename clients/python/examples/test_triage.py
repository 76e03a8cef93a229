"""A test with fakes. It needs neither a service nor a key: `python -m unittest test_triage`."""

import unittest

from promptharbor.testing import fake_prompts
from triage import describe_triage


class TriageTest(unittest.TestCase):
    def test_contains_the_request(self) -> None:
        prompts = fake_prompts({"support/triage": "Classify this: {{ request }}"})
        self.assertEqual(describe_triage(prompts, "It leaks"), "Classify this: It leaks")


if __name__ == "__main__":
    unittest.main()
