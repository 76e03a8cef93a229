"""Bucketing agrees with the published values."""

from __future__ import annotations

import unittest
from typing import Any

from promptharbor import PromptHarborError
from promptharbor._releases import assign, bucket_of, check_key, encode_key, murmur_hash3

RELEASE: dict[str, Any] = {
    "id": "rel_1",
    "salt": "rel_1",
    "control": 1,
    "arms": [{"version": 2, "weight": 3000}, {"version": 3, "weight": 500}],
    "rules": [{"if": {"plan": ["internal"], "seats": ["5"], "beta": ["true"]}, "version": 3}, {"if": {"key": ["me"]}, "version": 2}],
}


class ReleasesTest(unittest.TestCase):
    def test_published_values(self) -> None:
        texts = ["", "hello", "a", "ab", "abc", "abcd", "abcde"]
        hashes = [0, 613153351, 1009084850, 2613040991, 3017643002, 1139631978, 3902511862]
        self.assertEqual([murmur_hash3(each.encode()) for each in texts], hashes)
        buckets = {"user-1": 550, "user-2": 3467, "Zoë": 8381, "😀": 2191}
        self.assertEqual({key: bucket_of("rel_1", key) for key in buckets}, buckets)

    def test_halves_of_surrogate_pairs(self) -> None:
        self.assertEqual(encode_key("a\ud800b"), "a\ufffdb".encode())
        self.assertEqual(encode_key("\udc00\ud800"), "\ufffd\ufffd".encode())
        self.assertEqual(encode_key("\ud83d\ude00"), "😀".encode())

    def test_context_values_are_written_as_in_javascript(self) -> None:
        matching = [{"plan": "internal", "seats": seats, "beta": beta} for seats in (5, 5.0, "5") for beta in (True, "true")]
        for context in matching:
            self.assertEqual(assign(RELEASE, None, context), (3, "RULE"))
        for context in ({}, {"plan": "internal", "seats": 5.5, "beta": True}, {"plan": "internal", "seats": 5, "beta": None}):
            self.assertEqual(assign(RELEASE, None, context), (1, "NO_KEY"))
        self.assertEqual(assign(RELEASE, "me", {"key": "other"}), (2, "RULE"))

    def test_arms_take_their_share(self) -> None:
        counts = {version: 0 for version in (1, 2, 3)}
        for index in range(10_000):
            version, reason = assign(RELEASE, f"user-{index}", None)
            counts[version] += 1
            self.assertEqual(reason, "SPLIT")
        self.assertTrue(2800 < counts[2] < 3200 and 400 < counts[3] < 600, counts)

    def test_keys_that_the_service_refuses(self) -> None:
        check_key(None)
        check_key("😀" * 1000)
        for key in ("", "x" * 1001, 5, b"x"):
            with self.assertRaises(PromptHarborError):
                check_key(key)


if __name__ == "__main__":
    unittest.main()
