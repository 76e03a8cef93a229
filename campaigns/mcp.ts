import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { call, register, type TestAccount } from '../test/support/client.ts';
import { hostileMessages } from '../test/support/hostile/mcp.ts';
import { type ServedProgram, serveProgram } from '../test/support/process.ts';

const execute = promisify(execFile);

/** These packages are not dev dependencies, because together they install 180 packages. */
const packages = ['@modelcontextprotocol/inspector@2.12.0', '@modelcontextprotocol/conformance@0.1.16'];

/** The other scenarios call tools, prompts and resources of a reference server, or ask the user for input. This service does neither. */
const scenarios = [
  'server-initialize',
  'ping',
  'completion-complete',
  'tools-list',
  'resources-list',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'dns-rebinding-protection',
];
const hostileCount = 10_000;
const senders = 8;

/** Tests the Model Context Protocol of the built service with the Inspector, the official conformance suite and hostile messages. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'promptharbor-mcp-'));
  const program = await serveProgram({ DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error' });
  const results: Record<string, boolean> = {};
  try {
    print('Installing the Inspector and the conformance suite …');
    await execute('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages]);
    const account = await register(program);
    const create = (body: object) => call(program, 'POST', '/api/prompts', { key: account.token, body });
    const description = 'For the conformance suite';
    await create({ name: 'test_simple_prompt', description, template: 'This is a simple prompt.' });
    await create({
      name: 'test_prompt_with_arguments',
      description,
      template: '{{ arg1 }} and {{ arg2 }}',
      config: { variables: { arg1: { enum: ['test'] } } },
    });
    Object.assign(results, await runInspector(folder, program, account), await runScenarios(folder, program, account));
    results[`${hostileCount} hostile messages`] = await sendHostile(program, account);
    assert.doesNotMatch(program.stdout(), /"level":"(error|fatal)"/, 'nothing went wrong inside the service');
  } finally {
    await program.stop();
    await rm(folder, { recursive: true, force: true });
  }
  for (const [name, passed] of Object.entries(results)) print(`${passed ? 'passed' : 'FAILED'}  ${name}`);
  if (Object.values(results).includes(false)) process.exitCode = 1;
}

async function runInspector(folder: string, { url }: ServedProgram, { token }: TestAccount): Promise<Record<string, boolean>> {
  const inspect = async (key: string, args: string[]): Promise<string> => {
    const server = [`${url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${key}`, '--format', 'json'];
    const file = join(folder, 'node_modules/.bin/mcp-inspector');
    // If the request is refused, the exit code is not 0 and there is a message.
    const { stdout, stderr } = await execute(process.execPath, [file, '--cli', ...server, ...args]).catch(
      (err: { stdout: string; stderr: string }) => err,
    );
    return stdout + stderr;
  };
  const prompt = ['--prompt-name', 'test_prompt_with_arguments'];
  const calls: Record<string, [key: string, args: string[], expected: RegExp]> = {
    'prompts/list': [token, ['--method', 'prompts/list'], /test_prompt_with_arguments/],
    'prompts/get': [token, ['--method', 'prompts/get', ...prompt, '--prompt-args', 'arg1=a', 'arg2=b'], /a and b/],
    'a missing argument': [token, ['--method', 'prompts/get', ...prompt], /Arguments are missing: arg1, arg2/],
    'resources/list': [token, ['--method', 'resources/list'], /promptharbor:\/\/prompts\/test_simple_prompt/],
    'tools/list': [token, ['--method', 'tools/list'], /compare_versions/],
    'tools/call': [token, ['--method', 'tools/call', '--tool-name', 'list_prompts'], /test_simple_prompt/],
    'a wrong key': ['ph_wrong', ['--method', 'prompts/list', '--stored-auth-only'], /auth_required/],
  };
  const results: Record<string, boolean> = {};
  for (const [name, [key, args, expected]] of Object.entries(calls)) {
    const output = await inspect(key, args);
    results[`Inspector: ${name}`] = expected.test(output);
    if (!expected.test(output)) print(output);
  }
  return results;
}

async function runScenarios(folder: string, program: ServedProgram, account: TestAccount): Promise<Record<string, boolean>> {
  const proxy = await startProxy(program, account);
  const results: Record<string, boolean> = {};
  try {
    for (const scenario of scenarios) {
      const args = ['server', '--url', `${proxy.url}/mcp`, '--scenario', scenario];
      const passed = await execute(process.execPath, [join(folder, 'node_modules/.bin/conformance'), ...args], { cwd: folder }).then(
        () => true,
        (err: { stdout: string; stderr: string }) => {
          print(err.stdout + err.stderr);
          return false;
        },
      );
      results[`conformance: ${scenario}`] = passed;
    }
  } finally {
    proxy.close();
  }
  return results;
}

/** Starts a proxy that adds the key, which the conformance suite cannot send. */
async function startProxy(target: ServedProgram, { token }: TestAccount): Promise<{ url: string; close(): void }> {
  const server = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${token}` };
    const forwarded = request(`${target.url}${req.url}`, { method: req.method, headers }, (response) => {
      res.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(res);
    });
    forwarded.on('error', () => res.destroy());
    req.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The server listens on a port.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

/** Returns whether the service withstood the messages: no response was a 5xx, and none contained data of another workspace. */
async function sendHostile(program: ServedProgram, { token }: TestAccount): Promise<boolean> {
  const other = await register(program);
  const hidden = { name: 'secret', template: 'the hidden text', description: 'the hidden description' };
  assert.equal((await call(program, 'POST', '/api/prompts', { key: other.token, body: hidden })).status, 201);
  const statuses: Record<string, number> = {};
  const problems: string[] = [];
  const messages = hostileMessages(hostileCount, Date.now());
  const send = async () => {
    for (const { headers, body } of messages) {
      const response = await fetch(`${program.url}/mcp`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${token}` },
        body,
      });
      const text = await response.text();
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      if (response.status >= 500 || /hidden|node_modules/.test(text)) problems.push(`${response.status} ${text}\n  ${body.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
  print(`${hostileCount} hostile messages: ${JSON.stringify(statuses)}`);
  for (const problem of problems.slice(0, 5)) print(problem);
  return problems.length === 0;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
