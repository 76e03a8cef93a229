"""Answers a customer with the OpenAI SDK. PromptHarbor stores the prompt, its model and its parameters.

OPENAI_API_KEY=sk-… python openai_chat.py "Where is order 1042?"
"""

import os
import sys
from datetime import date

from openai import OpenAI

from promptharbor import PromptHarbor, to_openai


def main() -> None:
    question = sys.argv[1] if len(sys.argv) > 1 else "Where is order 1042?"
    with PromptHarbor().prompts.load(fallback_file=".cache/prompts.json") as prompts:
        prompt = prompts.get("support/agent", key="customer-1042")
        rendered = prompt.render({"today": date.today().isoformat(), "question": question, "history": []})
        # The messages, the tools, and everything that the config names: the model, the temperature and so on.
        request = {"model": "gpt-4.1-mini", **to_openai(rendered)}
        if "OPENAI_MODEL" in os.environ:
            request["model"] = os.environ["OPENAI_MODEL"]
        client = OpenAI()
        completion = prompt.observe(lambda: client.chat.completions.create(**request), provider="openai")
        message = completion.choices[0].message
        # If the message has no content, the model wants to call a tool of the prompt, such as find_order.
        print(message.content or message.tool_calls)


if __name__ == "__main__":
    main()
