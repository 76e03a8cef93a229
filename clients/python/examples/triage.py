"""A function that is easy to test, because the caller passes the prompts."""

from promptharbor import LoadedPrompts


def describe_triage(prompts: LoadedPrompts, request: str) -> str:
    """Return the instructions for a model that classifies a customer's request."""
    return prompts.get("support/triage").render({"request": request}).text
