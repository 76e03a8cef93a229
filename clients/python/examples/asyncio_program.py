"""Prints a prompt whenever it changes, without blocking the event loop."""

import asyncio
import sys

from promptharbor import AsyncPromptHarbor, PromptsChange


async def main(name: str) -> None:
    changed = asyncio.Event()

    async def on_change(change: PromptsChange) -> None:
        print("changed:", ", ".join(change.added + change.changed + change.removed), flush=True)
        changed.set()

    async with AsyncPromptHarbor() as ph:
        async with await ph.prompts.load(on_change=on_change) as prompts:
            prompt = prompts.get(name)
            print(f"version {prompt.version} needs {[each['name'] for each in prompt.variables]}", flush=True)
            await changed.wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "support/triage"))
