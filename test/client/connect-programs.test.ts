import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { type ExamplePrompt, observeExample, resultSetups } from '../../dashboard/src/connect/result-setups.ts';
import type { PromptResults } from '../../src/contract/results.ts';
import { type Client, newClient } from '../support/prompts.ts';
import { createProgramFolder, type ProgramFolder } from '../support/sdk-programs.ts';
import { type Service, startService } from '../support/service.ts';

const usage = { prompt_tokens: 21, completion_tokens: 8, total_tokens: 29 };
const template = 'Sort this from {{ customer }}: {{ request }}';
const text: ExamplePrompt = {
  name: "it's/triage",
  type: 'text',
  label: 'production',
  version: 2,
  variables: { customer: 'Ada', request: '…' },
};
const chat: ExamplePrompt = { ...text, name: 'support/chat', type: 'chat', label: 'staging' };

describe('Settings › Connect: each program runs as it is printed, and its call is counted', { skip: process.platform === 'win32' }, () => {
  let service: Service;
  let client: Client;
  let folder: ProgramFolder;
  const mock = new LLMock({ port: 0 });
  before(async () => {
    folder = createProgramFolder();
    service = await startService();
    mock.onMessage(/./, { content: 'Billing', usage });
    await mock.start();
    client = await newClient(service);
    for (const { name, type, label } of [text, chat]) {
      const content = type === 'text' ? { template } : { messages: [{ role: 'user', content: template }] };
      await client.create({ name, ...content });
      await client.save(name, { ...content, labels: [label] });
    }
  });
  after(async () => {
    folder.remove();
    await service.close();
    await mock.stop();
  });

  /** The variables that a shell has after the lines. */
  function readSettings(code: string): Record<string, string> {
    const output = execFileSync('sh', ['-c', `${code}\nenv -0`], { encoding: 'utf8', env: { PATH: process.env.PATH } });
    return Object.fromEntries(output.split('\0').flatMap((line) => (line.includes('=') ? [splitOnce(line)] : [])));
  }

  async function readResults({ name }: ExamplePrompt): Promise<PromptResults> {
    const response = await client.call('GET', `/api/prompts/${encodeURIComponent(name)}/results`);
    assert.equal(response.status, 200, response.text);
    return response.body as PromptResults;
  }

  /** Runs a program with what it says about its environment, and returns what was counted. */
  async function count(code: string, settings: string, prompt: ExamplePrompt): Promise<object> {
    const before = await readResults(prompt);
    await folder.run(code, { ...readSettings(settings), OPENAI_BASE_URL: `${mock.url}/v1`, OPENAI_API_KEY: 'none' });
    const { totals, versions } = await readResults(prompt);
    return {
      versions: versions.map(({ version }) => version),
      calls: totals.calls - before.totals.calls,
      errors: totals.errors - before.totals.errors,
      inputTokens: totals.inputTokens - before.totals.inputTokens,
      outputTokens: totals.outputTokens - before.totals.outputTokens,
    };
  }

  const expected = { versions: [2], calls: 1, errors: 0, inputTokens: 21, outputTokens: 8 };

  for (const prompt of [text, chat]) {
    for (const { id, name, blocks } of resultSetups) {
      if (id === 'langfuse-python' || id === 'http') continue;
      it(`${name}, a ${prompt.type} prompt at ${prompt.label}`, async () => {
        const [settings, program] = blocks({ origin: service.url, key: client.token, userId: 'u_1', prompt });
        assert.ok(settings && program);
        assert.deepEqual(await count(program.code, settings.code, prompt), expected);
        if (id === 'opentelemetry') return;
        const { body } = mock.getRequests().at(-1) ?? {};
        assert.match(JSON.stringify(body), /Sort this from Ada: …/, 'the model receives the rendered prompt');
      });
    }

    it(`the example of a prompt without results, a ${prompt.type} prompt`, async () => {
      const settings = `export PROMPTHARBOR_URL=${service.url} PROMPTHARBOR_API_KEY=${client.token}`;
      assert.deepEqual(await count(observeExample(prompt), settings, prompt), expected);
    });
  }
});

function splitOnce(line: string): [string, string] {
  const index = line.indexOf('=');
  return [line.slice(0, index), line.slice(index + 1)];
}
