"""Prompts that `get` returns."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Optional, TypeVar, Union

from ._api.caller import Run, create_request
from ._http.transport import Transport
from ._load.prompt import PromptContent
from ._render.values import NeedsService
from ._results.observe import observe, observe_async
from ._results.reporter import Reporter
from .rendered import Rendered

T = TypeVar("T")
Variables = Mapping[str, Any]


class _Prompt:
    """The base class of the prompts of both clients."""

    def __init__(self, content: PromptContent, transport: Transport, reporter: Optional[Reporter]) -> None:
        self._content = content
        self._transport = transport
        # The service does not have the version of a fallback, so it could not count a call with it.
        self._reporter = None if content.is_fallback else reporter

    @property
    def name(self) -> str:
        """The name of the prompt."""
        name: str = self.content["name"]
        return name

    @property
    def type(self) -> str:
        """`text` or `chat`."""
        kind: str = self.content["type"]
        return kind

    @property
    def version(self) -> int:
        """The version number."""
        version: int = self.content["version"]
        return version

    @property
    def config(self) -> Any:
        """The config of the version."""
        return self.content.get("config")

    @property
    def variables(self) -> list[dict[str, Any]]:
        """The variables that are declared or that the templates use."""
        variables: list[dict[str, Any]] = self.content["variables"]
        return variables

    @property
    def release(self) -> Optional[dict[str, Any]]:
        """The way in which a release chose the version. None if the label has no release."""
        return self.content.get("release")

    @property
    def content(self) -> dict[str, Any]:
        """The whole version. Do not change it."""
        return self._content.version

    @property
    def local_problem(self) -> Optional[str]:
        """The reason why the service renders this prompt, or None if this process renders it."""
        return self._content.local_problem

    def render_local(self, variables: Optional[Variables] = None) -> Rendered:
        """Render in this process, without a request.

        Raises `PromptHarborError` if only the service can be certain of the result.
        """
        try:
            return self._content.render(variables or {})
        except NeedsService as problem:
            raise self._content.explain(problem) from None

    def attributes(self) -> dict[str, str]:
        """Return attributes for the span of a model call, for any OpenTelemetry SDK."""
        return self._content.attributes()

    def _render_request(self, variables: Optional[Variables], problem: NeedsService) -> Any:
        if self._content.is_fallback:
            raise self._content.explain(problem) from None
        self._content.log_service_render(problem)
        body = {"variables": dict(variables or {}), "version": self.version}
        return create_request("renderPrompt", {"name": self.name}, {}, body)

    def _feedback_request(self, name: str, value: Any, comment: Optional[str], id: Optional[str]) -> Any:
        called = self._content.called()
        called.pop("release", None)
        given = {"name": name, "value": value, "comment": comment, "id": id}
        body = {**called, **{key: each for key, each in given.items() if each is not None}}
        return create_request("sendFeedback", {}, {}, body)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name} version {self.version}>"


class LoadedPrompt(_Prompt):
    """A prompt at a label, as it was when you got it. The object does not change while you use it."""

    def render(self, variables: Optional[Variables] = None) -> Rendered:
        """Render the prompt with your variables. The results and errors are the same as in the
        service.

        Templates whose result is certain are rendered in this process. The service renders all
        other templates, and the logger `promptharbor` says why.
        """
        try:
            return self._content.render(variables or {})
        except NeedsService as problem:
            request = self._render_request(variables, problem)
        return self._content.to_rendered(self._transport.send(request), is_local=False)

    def observe(
        self,
        work: Callable[[], T],
        *,
        model: Optional[str] = None,
        provider: Optional[str] = None,
        trace_id: Optional[str] = None,
    ) -> T:
        """Run a model call, return its result, and report the call to the results of this version.

        Reports the duration, the model, the tokens, and the type of an error, but no inputs or
        outputs. A streamed result is reported when the stream ends. Reports are sent in the
        background, and a failed report does not affect your program.
        """
        given = {"model": model, "provider": provider, "traceId": trace_id}
        return observe(work, self._reporter, self._content.called(), given)

    def feedback(
        self, name: str, value: Any, *, comment: Optional[str] = None, id: Optional[str] = None
    ) -> None:
        """Rate this version. If a release chose it by the key, the score counts for the release."""
        if self._reporter is not None:
            self._transport.send(self._feedback_request(name, value, comment, id))


class AsyncLoadedPrompt(_Prompt):
    """A prompt at a label, as it was when you got it. The object does not change while you use it."""

    def __init__(
        self, content: PromptContent, transport: Transport, reporter: Optional[Reporter], run: Run
    ) -> None:
        super().__init__(content, transport, reporter)
        self._run = run

    async def render(self, variables: Optional[Variables] = None) -> Rendered:
        """Render the prompt with your variables. The results and errors are the same as in the
        service.

        Templates whose result is certain are rendered in this process. The service renders all
        other templates, and the logger `promptharbor` says why.
        """
        try:
            return self._content.render(variables or {})
        except NeedsService as problem:
            request = self._render_request(variables, problem)
        response = await self._run(
            lambda cancellation: self._transport.send(request, cancellation=cancellation)
        )
        return self._content.to_rendered(response, is_local=False)

    async def observe(
        self,
        work: Callable[[], Union[Awaitable[T], T]],
        *,
        model: Optional[str] = None,
        provider: Optional[str] = None,
        trace_id: Optional[str] = None,
    ) -> T:
        """Run a model call, return its result, and report the call to the results of this version.

        Reports the duration, the model, the tokens, and the type of an error, but no inputs or
        outputs. A streamed result is reported when the stream ends.
        """
        given = {"model": model, "provider": provider, "traceId": trace_id}
        return await observe_async(work, self._reporter, self._content.called(), given)

    async def feedback(
        self, name: str, value: Any, *, comment: Optional[str] = None, id: Optional[str] = None
    ) -> None:
        """Rate this version. If a release chose it by the key, the score counts for the release."""
        if self._reporter is not None:
            request = self._feedback_request(name, value, comment, id)
            await self._run(
                lambda cancellation: self._transport.send(request, cancellation=cancellation)
            )
