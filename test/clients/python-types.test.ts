import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { TypedVersion } from '../../client/src/generate-types.ts';
import { generatePythonTypes } from '../../src/cli/prompts/python-types.ts';

/** Most of the time is spent on Python's own types, which do not change between runs. */
const cache = join(import.meta.dirname, '../../node_modules/.cache/mypy');
const client = join(import.meta.dirname, '../../clients/python');
const withoutMypy = spawnSync('mypy', ['--version']).status !== 0 && 'mypy is not installed, so the types for Python are not checked.';

describe('the types of the Python client', { skip: withoutMypy }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'promptharbor-mypy-'));
  after(() => rmSync(folder, { recursive: true }));

  /** Checks files with mypy, and returns the lines with errors. */
  function check(...args: string[]): string[] {
    const options = ['--strict', '--python-version', '3.10', '--cache-dir', cache];
    const { stdout, stderr } = spawnSync('mypy', [...options, ...args], {
      cwd: folder,
      env: { ...process.env, MYPYPATH: join(client, 'src') },
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    return stdout.split('\n').filter((line) => line.includes(': error: '));
  }

  function write(name: string, text: string): string {
    writeFileSync(join(folder, name), text);
    return name;
  }

  it('are complete in the package and right in its examples', () => {
    assert.deepEqual(check('-p', 'promptharbor'), []);
    const examples = ['asyncio_program.py', 'web_server.py', 'test_triage.py'].map((name) => join(client, 'examples', name));
    assert.deepEqual(check(...examples), []);
  });

  it('are right in what promptharbor types --python writes, for any number of prompts', () => {
    for (const count of [0, 1, prompts.length]) {
      const file = write('prompt_types.py', generatePythonTypes(prompts.slice(0, count)));
      assert.deepEqual(check(file), [], `${count} prompts`);
    }
  });

  it('find mistakes in names and variables, and nothing else', () => {
    write('prompt_types.py', generatePythonTypes(prompts));
    assert.deepEqual(check(write('right.py', right)), []);
    const codes = check(write('wrong.py', wrong)).map((line) => /\[([a-z-]+)\]$/.exec(line)?.[1]);
    assert.deepEqual(codes, ['call-overload', 'typeddict-item', 'typeddict-item', 'call-arg']);
  });
});

const prompts: TypedVersion[] = [
  { name: 'support/triage', type: 'text', variables: [{ name: 'request', required: true, kind: 'text' }] },
  { name: 'support/reply', type: 'text', variables: [{ name: 'tone', required: false, kind: 'text' }] },
  ...['class', '日本', "'''", 'a\u202eb'].map(
    (name): TypedVersion => ({
      name,
      type: 'text',
      variables: [
        { name: 'class', required: true, type: 'enum', values: ['"', '\\', '\n'] },
        { name: 'items', required: true, kind: 'list', items: { kind: 'object', fields: [{ name, required: true }] } },
      ],
    }),
  ),
];

const right = `from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_types import typed
from promptharbor import AsyncPromptHarbor, LoadedPrompts, PromptHarbor, PromptsChange, to_openai
from promptharbor.testing import fake_prompts
from promptharbor.types import Version

if TYPE_CHECKING:
    from prompt_types import TypedPrompts


def describe(prompts: TypedPrompts) -> str:
    return prompts.get("support/triage").render({"request": "It leaks"}).text


def use(prompts: LoadedPrompts) -> int:
    prompt = prompts.get("any", key="user-1", fallback="Hello")
    rendered = prompt.render({"any": 1})
    return prompt.observe(lambda: len(to_openai(rendered)), provider="openai")


def main() -> None:
    def on_change(change: PromptsChange) -> None:
        print(change.added)

    with PromptHarbor(use_proxy=False) as ph, typed(ph.prompts.load(on_change=on_change)) as prompts:
        describe(prompts)
        prompts.get("support/reply").render()
        version: Version = ph.versions.get("support/triage", 1)
        print(version["version"], [each["name"] for each in ph.prompts.list()])
    describe(typed(fake_prompts({"support/triage": "{{ request }}"})))
    use(fake_prompts({}))


async def main_async() -> None:
    async with AsyncPromptHarbor() as ph, typed(await ph.prompts.load()) as prompts:
        text: str = (await prompts.get("support/triage").render({"request": "x"})).text
        print(text, [each["name"] async for each in ph.prompts.list()])
        async for event in ph.stream_events():
            print(event["type"])
`;

const wrong = `from prompt_types import typed
from promptharbor import PromptHarbor

prompts = typed(PromptHarbor().prompts.load())
prompts.get("support/triag")
prompts.get("support/triage").render({"reqest": "x"})
prompts.get("support/triage").render({})
prompts.get("support/triage").render()
`;
