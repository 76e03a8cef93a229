import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { type ExamplePrompt, observeExample, resultSetups } from '../../dashboard/src/connect/result-setups.ts';
import type { PromptResults } from '../../src/contract/results.ts';
import { type Client, newClient } from '../support/prompts.ts';
import { findPython, noPython, openaiForPython, runPython } from '../support/python.ts';
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

/** The prompt that the quickstart creates and that the guides use. */
const guided: ExamplePrompt = { ...text, name: 'support/triage', version: 1 };

/** Returns the programs of a guide whose first line imports this package. */
function findPrograms(guide: string, firstPackage: string): string[] {
  const markdown = readFileSync(new URL(`../../${guide}`, import.meta.url), 'utf8');
  const programs = [...markdown.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  return programs.filter((code) => code.startsWith('import ') && /from '([^']+)'/.exec(code)?.[1] === firstPackage);
}

describe('programs of Settings › Connect and of the guides run as they are printed, and their calls are counted', {
  skip: process.platform === 'win32',
}, () => {
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
    await client.create({ name: guided.name, template });
  });
  after(async () => {
    folder.remove();
    await service.close();
    await mock.stop();
  });

  /** Returns the variables that a shell has after it has run the lines. */
  function readSettings(code: string): Record<string, string> {
    const output = execFileSync('sh', ['-c', `${code}\nenv -0`], { encoding: 'utf8', env: { PATH: process.env.PATH } });
    return Object.fromEntries(output.split('\0').flatMap((line) => (line.includes('=') ? [splitOnce(line)] : [])));
  }

  async function readResults({ name }: ExamplePrompt): Promise<PromptResults> {
    const response = await client.call('GET', `/api/prompts/${encodeURIComponent(name)}/results`);
    assert.equal(response.status, 200, response.text);
    return response.body as PromptResults;
  }

  /** Runs a program with the settings that are printed next to it, and returns the counts. */
  async function count(code: string, settings: string, prompt: ExamplePrompt, runProgram = folder.run): Promise<object> {
    const before = await readResults(prompt);
    await runProgram(code, { ...readSettings(settings), OPENAI_BASE_URL: `${mock.url}/v1`, OPENAI_API_KEY: 'none' });
    const { totals, versions } = await readResults(prompt);
    return {
      versions: versions.map(({ version }) => version),
      calls: totals.calls - before.totals.calls,
      errors: totals.errors - before.totals.errors,
      inputTokens: totals.inputTokens - before.totals.inputTokens,
      outputTokens: totals.outputTokens - before.totals.outputTokens,
    };
  }

  const python = findPython();
  const runPythonProgram: ProgramFolder['run'] = async (code, env) => {
    const result = await runPython(python ?? '', ['-c', `${openaiForPython}${code}`], { env });
    assert.equal(result.status, 0, result.stderr);
    return result;
  };

  const expected = { versions: [2], calls: 1, errors: 0, inputTokens: 21, outputTokens: 8 };

  for (const prompt of [text, chat]) {
    for (const { id, name, blocks } of resultSetups) {
      if (id === 'langfuse-python' || id === 'http') continue;
      const isPython = id.endsWith('-python');
      it(`Connect, ${name}: a ${prompt.type} prompt at ${prompt.label}`, { skip: isPython && !python && noPython }, async () => {
        const [settings, program] = blocks({ origin: service.url, key: client.token, userId: 'u_1', prompt });
        assert.ok(settings && program);
        const runProgram = isPython ? runPythonProgram : folder.run;
        assert.deepEqual(await count(program.code, settings.code, prompt, runProgram), expected);
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

  const settingsOf = (): string => {
    const { url } = service;
    const exporter = (signal: string, path: string) => `export OTEL_EXPORTER_OTLP_${signal}_ENDPOINT=${url}/v1/${path}
export OTEL_EXPORTER_OTLP_${signal}_HEADERS=Authorization=Bearer%20${client.token}`;
    return `export PROMPTHARBOR_URL=${url} PROMPTHARBOR_API_KEY=${client.token}
${exporter('TRACES', 'traces')}
${exporter('LOGS', 'logs')}
export LANGFUSE_BASE_URL=${url} LANGFUSE_PUBLIC_KEY=u_1 LANGFUSE_SECRET_KEY=${client.token}`;
  };
  const once = { ...expected, versions: [1] };

  it('docs/results.md: the client, and feedback on its call', async () => {
    const [program = ''] = findPrograms('docs/results.md', '@promptharbor/client');
    const [feedback] = /^await ph\.feedback\(.*$/m.exec(readFileSync(new URL('../../docs/results.md', import.meta.url), 'utf8')) ?? [];
    assert.ok(feedback);
    assert.deepEqual(await count(`${program}${feedback}`, settingsOf(), guided), once);
    const [score] = (await readResults(guided)).totals.scores;
    assert.deepEqual({ name: score?.name, count: score?.count, mean: score?.mean }, { name: 'helpful', count: 1, mean: 1 });
  });

  it('client/README.md: a call and feedback on it', async () => {
    const program = findPrograms('client/README.md', '@promptharbor/client').find((code) => code.includes('.observe('));
    assert.ok(program);
    assert.deepEqual(await count(program, settingsOf(), guided), once);
  });

  for (const [title, guide, firstPackage] of [
    ['OpenTelemetry', 'docs/results.md', '@opentelemetry/api'],
    ['the AI SDK', 'docs/results.md', '@ai-sdk/otel'],
  ] as const) {
    it(`${guide}: ${title}`, async () => {
      const [program = ''] = findPrograms(guide, firstPackage);
      assert.deepEqual(await count(program, settingsOf(), guided), once);
    });
  }

  it('docs/results.md: a score as a log record', async () => {
    const [program = ''] = findPrograms('docs/results.md', '@opentelemetry/exporter-logs-otlp-proto');
    await folder.run(program, readSettings(settingsOf()));
    const score = (await readResults(guided)).totals.scores.find(({ name }) => name === 'relevance');
    assert.deepEqual({ count: score?.count, mean: score?.mean }, { count: 1, mean: 0.75 });
  });

  it('docs/langfuse.md: reading a prompt, and calling a model with it', async () => {
    const [read = '', call = ''] = findPrograms('docs/langfuse.md', '@langfuse/client');
    const { stdout } = await folder.run(read, readSettings(settingsOf()));
    assert.equal(stdout, 'Sort this from Ada: My invoice is wrong\n');
    assert.deepEqual(await count(call, settingsOf(), guided), once);
  });
});

function splitOnce(line: string): [string, string] {
  const index = line.indexOf('=');
  return [line.slice(0, index), line.slice(index + 1)];
}
