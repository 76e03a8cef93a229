"""Converts rendered prompts to requests of OpenAI's SDK."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Union

from .rendered import Rendered

_OWN_FIELDS = ("model", "messages", "stream", "stream_options", "variables")
"""Fields of a config that are not parameters of a request."""


def to_openai(rendered: Union[Rendered, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the arguments of `client.chat.completions.create` for a rendered prompt.

    The arguments are the request that a run of the service would send: the messages, the tools, the
    output schema, and all parameters of the config. There is a `model` only if the config names
    one.
    """
    given = rendered.to_dict() if isinstance(rendered, Rendered) else rendered
    config = given.get("config")
    settings = config if isinstance(config, Mapping) else {}
    request = {name: value for name, value in settings.items() if name not in _OWN_FIELDS}
    if isinstance(settings.get("model"), str) and settings["model"]:
        request["model"] = settings["model"]
    if "messages" in given:
        request["messages"] = [dict(message) for message in given["messages"]]
    else:
        request["messages"] = [{"role": "user", "content": given.get("text", "")}]
    if given.get("tools"):
        request["tools"] = [{"type": "function", "function": tool} for tool in given["tools"]]
    if given.get("output"):
        request["response_format"] = _to_response_format(given["output"])
    return request


def _to_response_format(output: Mapping[str, Any]) -> dict[str, Any]:
    schema = {"name": output.get("name", "output"), "schema": output["schema"]}
    strict = {} if output.get("strict") is None else {"strict": output["strict"]}
    return {"type": "json_schema", "json_schema": {**schema, **strict}}
