"""A prompt at a label, as it was when the application read it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from copy import copy
from typing import Any, Optional

from .._render.render import LocalTemplate
from .._render.values import NeedsService
from ..errors import PromptHarborError, create_foreign_response_error
from ..rendered import Rendered
from .fallback import FALLBACK_VERSION
from .shapes import is_rendered
from .snapshot import Snapshot, Version

logger = logging.getLogger("promptharbor")


class PromptContent:
    """A version with the content of its snapshot. Several threads may share one object."""

    def __init__(self, version: Version, snapshot: Snapshot, label: str) -> None:
        self.version = version
        self.label = label
        self.key: Optional[str] = None
        self._snapshot = snapshot
        self._parsed: list[LocalTemplate | NeedsService] = []

    def for_caller(self, version: Version, key: str | None) -> PromptContent:
        """Return a copy for a caller for whom a release has chosen this version."""
        own = copy(self)
        own.version = version
        own.key = key
        return own

    @property
    def is_fallback(self) -> bool:
        """Whether the service does not have this version."""
        return bool(self.version["version"] == FALLBACK_VERSION)

    @property
    def local_problem(self) -> str | None:
        """The reason why only the service can render the templates, or None."""
        parsed = self._parse()
        return str(parsed) if isinstance(parsed, NeedsService) else None

    def render(self, variables: Mapping[str, Any]) -> Rendered:
        """Render in this process. Raise `NeedsService` if only the service can."""
        parsed = self._parse()
        if isinstance(parsed, NeedsService):
            raise NeedsService(str(parsed))
        return self.to_rendered(parsed.render(variables), is_local=True)

    def to_rendered(self, response: Mapping[str, Any], *, is_local: bool) -> Rendered:
        """Convert the result of a render. Add the release that chose the version, if there is one."""
        if not is_local and not is_rendered(response):
            raise create_foreign_response_error("The response has no rendered prompt")
        release = self.version.get("release")
        completed = {**response, "release": release} if release else response
        return Rendered(
            completed,
            attributes=self.attributes(),
            rendered_by="client" if is_local else "service",
        )

    def explain(self, problem: NeedsService) -> PromptHarborError:
        """Return the error for a render that must not ask the service."""
        return PromptHarborError(
            f'"{self.version["name"]}" cannot be rendered without the service, because {problem}.'
        )

    def log_service_render(self, problem: NeedsService) -> None:
        """Say that the service renders this prompt, and why."""
        name, number = self.version["name"], self.version["version"]
        logger.info('The service renders version %s of "%s", because %s.', number, name, problem)

    def released(self) -> dict[str, str]:
        """Return the release that chose the version by the key, and the key."""
        release = self.version.get("release")
        if release is None or release["reason"] != "SPLIT" or self.key is None:
            return {}
        return {"release": release["id"], "key": self.key}

    def called(self) -> dict[str, Any]:
        """Return the fields with which a report of a call identifies the prompt."""
        version = self.version
        return {
            "prompt": version["name"],
            "version": version["version"],
            "label": self.label,
            **self.released(),
        }

    def attributes(self) -> dict[str, str]:
        """Return attributes for the span of a model call."""
        released = {f"promptharbor.{name}": value for name, value in self.released().items()}
        return {
            "gen_ai.prompt.name": self.version["name"],
            # The semantic conventions of OpenTelemetry require a string.
            "gen_ai.prompt.version": str(self.version["version"]),
            "promptharbor.prompt.label": self.label,
            **released,
        }

    def _parse(self) -> LocalTemplate | NeedsService:
        # The list is shared with the copies for callers. Parsing twice does no harm.
        if not self._parsed:
            try:
                found: LocalTemplate | NeedsService = LocalTemplate(
                    self.version, lambda include: self._snapshot.find_included(include, self.label)
                )
            except NeedsService as problem:
                found = NeedsService(str(problem))
            self._parsed.append(found)
        return self._parsed[0]
