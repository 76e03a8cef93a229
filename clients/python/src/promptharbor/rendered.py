"""Rendered prompts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from .errors import PromptHarborError


class Rendered:
    """A prompt that was rendered with variables.

    Attributes:
        name: The name of the prompt.
        version: The number of the version.
        config: The config of the version.
        tools: The tools that the model may call.
        output: The schema of the model's output, or None.
        release: How a release chose the version, or None.
        rendered_by: `client` if the prompt was rendered in this process, or `service`.
    """

    def __init__(
        self,
        response: Mapping[str, Any],
        *,
        attributes: Mapping[str, str],
        rendered_by: Literal["client", "service"],
    ) -> None:
        self._response = dict(response)
        self._attributes = dict(attributes)
        self.name: str = response["name"]
        self.version: int = response["version"]
        self.config: Any = response.get("config")
        self.tools: list[dict[str, Any]] = response.get("tools") or []
        self.output: dict[str, Any] | None = response.get("output")
        self.release: dict[str, Any] | None = response.get("release")
        self.rendered_by: Literal["client", "service"] = rendered_by

    @property
    def text(self) -> str:
        """The text of a text prompt."""
        if "text" not in self._response:
            raise PromptHarborError(f'"{self.name}" is a chat prompt. Use messages instead of text.')
        text: str = self._response["text"]
        return text

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages of a chat prompt."""
        if "messages" not in self._response:
            raise PromptHarborError(f'"{self.name}" is a text prompt. Use text instead of messages.')
        messages: list[dict[str, Any]] = self._response["messages"]
        return messages

    def attributes(self) -> dict[str, str]:
        """Return attributes for the span of a model call, for any OpenTelemetry SDK."""
        return dict(self._attributes)

    def to_dict(self) -> dict[str, Any]:
        """Return the rendered prompt in the form of the response of the service."""
        return dict(self._response)

    def __repr__(self) -> str:
        return f"<Rendered {self.name} version {self.version}>"
