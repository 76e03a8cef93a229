"""Programs that the repository's tests run with JSON as input: `python -m tests.programs NAME`."""

from __future__ import annotations

import json
import sys
from typing import Any

from promptharbor import PromptHarbor
from promptharbor._load.fallback import create_version
from promptharbor._load.prompt import PromptContent
from promptharbor._load.snapshot import Snapshot
from promptharbor._releases import choose_version
from promptharbor._render.values import NeedsService


def choose(given: dict[str, Any]) -> Any:
    """Return the version and the release for each caller."""
    chosen = []
    for caller in given["callers"]:
        version = choose_version(given["labeled"], given["release"], caller.get("key"), caller.get("context"))
        chosen.append([version["version"], version["release"]])
    return chosen


def render(given: list[dict[str, Any]]) -> Any:
    """Return each rendered text, or null for a template that only the service can render."""
    texts = []
    for case in given:
        version = create_version("test", {"type": "text", "template": case["template"]}, number=1, label="x", config={})
        version["variables"] = []
        try:
            texts.append(PromptContent(version, Snapshot(), "x").render(case["variables"]).text)
        except NeedsService:
            texts.append(None)
    return texts


def start_from_file(given: dict[str, Any]) -> Any:
    """Return what a program that starts from a file renders."""
    ph = PromptHarbor("ph_" + "0" * 64, base_url=given["url"])
    with ph.prompts.load(fallback_file=given["file"], start_timeout=1) as prompts:
        shown = [prompts.get(name, key=given["key"]) for name in prompts.names]
        return {
            "source": prompts.state.source,
            "texts": [each.render_local(given["variables"]).text for each in shown],
            "versions": [each.version for each in shown],
        }


def write_file(given: dict[str, Any]) -> Any:
    """Write a file from the running service."""
    with PromptHarbor(given["key"], base_url=given["url"]).prompts.load(fallback_file=given["file"]) as prompts:
        return prompts.names


if __name__ == "__main__":
    json.dump(globals()[sys.argv[1]](json.load(sys.stdin)), sys.stdout)
