"""The errors that this package raises."""

from __future__ import annotations

from typing import Any

MAX_TEXT_LENGTH = 500


class PromptHarborError(Exception):
    """The base class of all errors of this package."""


class ApiConnectionError(PromptHarborError):
    """The service could not be reached, or the connection ended early."""


class ApiTimeoutError(ApiConnectionError):
    """There was no complete response within the timeout."""


class ApiTlsError(ApiConnectionError):
    """No secure connection could be established. The message says what to do."""


class WebhookVerificationError(PromptHarborError):
    """The signature of a webhook is missing, wrong or too old."""


class ApiError(PromptHarborError):
    """The service responded with an error.

    Attributes:
        status: The HTTP status.
        code: A stable code such as `prompt_not_found`. None if the response is not from the
            service, for example from a proxy.
        details: The invalid fields of the input.
        warnings: The problems that the change would cause, if the code is `has_warnings`.
        proposal: The proposal that you can open with `ph.proposals.open`, if the code is
            `approval_required`. None if the change cannot be proposed as it is.
        request_id: The `x-request-id` of the response, which is also in the service's log.
        retry_after: How many seconds the service asks you to wait before the next request.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str | None = None,
        details: list[dict[str, Any]] | None = None,
        warnings: list[dict[str, Any]] | None = None,
        proposal: dict[str, Any] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.details = details or []
        self.warnings = warnings or []
        self.proposal = proposal
        self.request_id = request_id
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[Any, ...]:
        # By default, exceptions with keyword arguments cannot be pickled, but process pools pickle them.
        return (_restore, (type(self), str(self), self.__dict__))


def _restore(kind: type[ApiError], message: str, fields: dict[str, Any]) -> ApiError:
    return kind(message, **fields)


class InvalidRequestError(ApiError):
    """400, 413 or 415: the request is not valid."""


class AuthenticationError(ApiError):
    """401: the key is missing, unknown or was reset, or the email or password is wrong."""


class ForbiddenError(ApiError):
    """403: the role does not allow this, or a quota has been reached."""


class NotFoundError(ApiError):
    """404: something that the request names does not exist. `code` says what it is."""


class ConflictError(ApiError):
    """409: the request conflicts with the current state."""


class RenderError(ApiError):
    """422: the prompt cannot be rendered with these variables."""


class RateLimitError(ApiError):
    """429: too many requests or failed attempts."""


class ServerError(ApiError):
    """5xx: the service failed or is busy."""


_CLASSES: dict[int, type[ApiError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    413: InvalidRequestError,
    415: InvalidRequestError,
    422: RenderError,
    429: RateLimitError,
}


def create_api_error(message: str, *, status: int, **fields: Any) -> ApiError:
    """Return an error of the class that belongs to the status."""
    kind = _CLASSES.get(status, ServerError if status >= 500 else ApiError)
    return kind(message, status=status, **fields)


def create_foreign_response_error(text: str) -> PromptHarborError:
    """Return the error for a response from another server, perhaps because the address is wrong."""
    return PromptHarborError(f"{text}. Is this the address of a PromptHarbor service?")


def describe_error(body: dict[str, Any] | None, status: int) -> str:
    """Return the text of an error response, with the invalid fields."""
    if body is None:
        return f"The response has the status {status} and is not from PromptHarbor"
    text = shorten(str(body["error"]))
    if status == 401 and text == "Unauthorized":
        return "Unauthorized: the API key is unknown or was reset"
    details = [f"{each.get('path')}: {each.get('message')}" for each in body.get("details") or []]
    return f"{text}: {shorten('; '.join(details))}" if details and body.get("code") == "invalid_input" else text


def shorten(text: str) -> str:
    """Shorten a text, which may be very long if another server sent it."""
    return text if len(text) <= MAX_TEXT_LENGTH else f"{text[:MAX_TEXT_LENGTH]}…"
