"""A function that is easy to test, because the caller passes the prompts."""

from __future__ import annotations

from typing import Protocol

from promptharbor import LoadedPrompt


class Prompts(Protocol):
    """The part of the loaded prompts that this program uses."""

    def get(self, name: str) -> LoadedPrompt:
        """Return a prompt."""


def describe_triage(prompts: Prompts, request: str) -> str:
    """Return the instructions for a model that classifies a customer's request."""
    return prompts.get("support/triage").render({"request": request}).text
