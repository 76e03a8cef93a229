/**
 * Adds a demo account with a dozen prompts to a running service, through its public API: `npm run demo`, or `npm run demo --
 * http://127.0.0.1:4000`. The script can be run repeatedly. With `--history`, the script adds a week of statistics to the embedded database
 * of a stopped service.
 */
import { StartError } from '../src/errors.ts';
import { writeHistory } from './demo/history.ts';
import { type DemoPrompt, demoPrompts } from './demo/prompts.ts';

const email = 'demo@example.com';
const password = 'demo harbor password';
const rounds = 40;

interface ApiResponse<T> {
  status: number;
  body: T;
}

interface Account {
  token: string;
}

interface ExistingPrompt {
  latestVersion: number;
  labels: Record<string, number>;
}

class DemoError extends Error {}

if (process.argv[2] === '--help' || process.argv[2] === '-h') {
  process.stdout.write('Usage: npm run demo [-- http://127.0.0.1:3000 | --history]\n');
  process.exit();
}
const isHistory = process.argv[2] === '--history';
const defaultUrl = `http://127.0.0.1:${process.env.PORT ?? 3000}`;
const url = new URL(isHistory ? defaultUrl : (process.argv[2] ?? defaultUrl)).origin;
try {
  if (isHistory) await addHistory();
  else await createDemo();
} catch (err) {
  if (!(err instanceof DemoError) && !(err instanceof StartError)) throw err;
  process.stderr.write(`${err.message}\n`);
  process.exitCode = 1;
}

async function createDemo(): Promise<void> {
  const { token } = await openAccount();
  let savedVersions = 0;
  for (const [index, prompt] of demoPrompts.entries()) {
    savedVersions += await ensurePrompt(token, prompt);
    print(`[${index + 1}/${demoPrompts.length}] ${prompt.name}`);
  }
  const calls = await makeCalls(token);
  print(`
${savedVersions === 0 ? 'The demo prompts already exist.' : `Saved ${savedVersions} versions of ${demoPrompts.length} prompts.`} Made ${calls} calls for the statistics.

  Dashboard:     ${url}/dashboard
  Email:         ${email}
  Password:      ${password}
  API reference: ${url}/docs
  API:           curl -s ${url}/api/prompts -H 'Authorization: Bearer ${token}'

To add a week of statistics, stop the service, run \`npm run demo -- --history\` and start it again.
`);
}

async function addHistory(): Promise<void> {
  const calls = await writeHistory(email);
  if (calls === undefined)
    throw new DemoError('There is no demo account yet. Start the service, run `npm run demo`, stop the service and try again.');
  print(`Added ${calls} calls to the last week. Start the service to see them in the statistics.`);
}

/** Registers the demo account, or logs in if it exists from an earlier run. */
async function openAccount(): Promise<Account> {
  const registered = await send<Account>('POST', '/api/auth/register', { body: { email, password, name: 'Demo' } });
  if (registered.status === 201) return registered.body;
  const found = await send<Account>('POST', '/api/auth/token', { body: { email, password } });
  if (found.status === 200) return found.body;
  if (registered.status === 403) throw new DemoError('Registration is closed. Start the service with REGISTRATION=open.');
  throw new DemoError(`The account ${email} has a different password. Delete the account, or use a service with an empty DATA_DIR.`);
}

/** Creates missing versions and labels of a prompt, and keeps existing ones. Returns the number of saved versions. */
async function ensurePrompt(token: string, prompt: DemoPrompt): Promise<number> {
  const { name, description, tags, labels, versions } = prompt;
  const path = `/api/prompts/${encodeURIComponent(name)}`;
  const { body } = await send<{ data: ExistingPrompt[] }>('GET', `/api/prompts?name=${encodeURIComponent(name)}`, { token });
  const existing = body.data[0] ?? { latestVersion: 0, labels: {} };
  for (const [index, version] of versions.entries()) {
    if (index < existing.latestVersion) continue;
    const saved =
      index === 0
        ? await send('POST', '/api/prompts', { token, body: { name, description, tags, labels: [], ...version } })
        : await send('POST', `${path}/versions`, { token, body: version });
    assertStatus(saved, 201, `save ${name}`);
  }
  for (const [label, version] of Object.entries(labels)) {
    if (label in existing.labels) continue;
    // Moves the label through the earlier versions, for a realistic history.
    for (let number = 1; number <= version; number += 1) {
      assertStatus(await send('PUT', `${path}/labels/${label}`, { token, body: { version: number } }), 200, `label ${name}`);
    }
  }
  return Math.max(0, versions.length - existing.latestVersion);
}

/** Makes typical calls: lists, single prompts, renders and a few errors. */
async function makeCalls(token: string): Promise<number> {
  let calls = 0;
  for (let round = 0; round < rounds; round += 1) {
    await send('GET', '/api/prompts?include=content', { token });
    calls += 1;
    // Prompts at the start of the list are called more often.
    for (const { name, labels, variables } of demoPrompts.slice(0, 1 + ((round * 7) % demoPrompts.length))) {
      const path = `/api/prompts/${encodeURIComponent(name)}`;
      const label = Object.keys(labels)[round % Object.keys(labels).length];
      await send('GET', `${path}?label=${label}`, { token });
      await send('POST', `${path}/render`, { token, body: { variables: round % 9 === 8 ? {} : variables, label } });
      calls += 2;
    }
    if (round % 10 === 9) {
      await send('GET', '/api/prompts/support%2Ftraige', { token });
      calls += 1;
      print(`${calls} calls`);
    }
  }
  return calls;
}

async function send<T>(method: string, path: string, { token, body }: { token?: string; body?: unknown } = {}): Promise<ApiResponse<T>> {
  const headers: Record<string, string> = {};
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) }).catch(() => {
    throw new DemoError(
      `Cannot reach a service at ${url}. Start one with: npm start\nIf it runs on another port, pass its address: npm run demo -- http://127.0.0.1:4000`,
    );
  });
  // The caller knows the shape from openapi.json.
  return { status: response.status, body: (await response.json().catch(() => undefined)) as T };
}

function assertStatus({ status, body }: ApiResponse<unknown>, expected: number, action: string): void {
  if (status !== expected) throw new DemoError(`Could not ${action}: ${status} ${JSON.stringify(body)}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
