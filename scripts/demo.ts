/**
 * Fills a running service with an account and a dozen prompts, over its public API, so that one can look around:
 * `npm run demo`, or `npm run demo -- http://127.0.0.1:4000`. Running it again adds nothing twice. With `--history`, and the service
 * stopped, it adds a week of statistics.
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

interface Existing {
  latestVersion: number;
  labels: Record<string, number>;
}

class DemoError extends Error {}

const isHistory = process.argv[2] === '--history';
const url = new URL(isHistory ? 'http://127.0.0.1:3000' : (process.argv[2] ?? 'http://127.0.0.1:3000')).origin;
try {
  if (isHistory) await addHistory();
  else await fill();
} catch (err) {
  if (!(err instanceof DemoError) && !(err instanceof StartError)) throw err;
  process.stderr.write(`${err.message}\n`);
  process.exitCode = 1;
}

async function fill(): Promise<void> {
  const { token } = await openAccount();
  let made = 0;
  for (const [index, prompt] of demoPrompts.entries()) {
    made += await ensurePrompt(token, prompt);
    say(`[${index + 1}/${demoPrompts.length}] ${prompt.name}`);
  }
  const calls = await makeCalls(token);
  say(`
${made === 0 ? 'Everything was there already.' : `Saved ${made} versions of ${demoPrompts.length} prompts.`} Made ${calls} calls, so that the statistics of this hour have something to show.

  Look around:  ${url}/dashboard
  E-mail:       ${email}
  Password:     ${password}
  Reference:    ${url}/docs
  A week of statistics: stop the service, \`npm run demo -- --history\`, start it again
  By program:   curl -s ${url}/api/prompts -H 'Authorization: Bearer ${token}'
`);
}

async function addHistory(): Promise<void> {
  const calls = await writeHistory(email);
  if (calls === undefined) throw new DemoError('The demo is not there yet: start the service, run `npm run demo`, stop it, and try again.');
  say(`Wrote ${calls} calls of the last week. Start the service and look at its statistics.`);
}

/** Registers, or logs in where the account is there from the last time. */
async function openAccount(): Promise<Account> {
  const registered = await send<Account>('POST', '/api/auth/register', { body: { email, password, name: 'Demo' } });
  if (registered.status === 201) return registered.body;
  const found = await send<Account>('POST', '/api/auth/token', { body: { email, password } });
  if (found.status === 200) return found.body;
  if (registered.status === 403) throw new DemoError('Registration is closed: start the service with REGISTRATION=open.');
  throw new DemoError(`There is an account ${email} with another password. Delete it, or use a service with an empty DATA_DIR.`);
}

/** Makes what is missing of a prompt, and leaves alone what someone has changed since. Returns how many versions it saved. */
async function ensurePrompt(token: string, prompt: DemoPrompt): Promise<number> {
  const { name, description, tags, labels, versions } = prompt;
  const path = `/api/prompts/${encodeURIComponent(name)}`;
  const { body } = await send<{ data: Existing[] }>('GET', `/api/prompts?name=${encodeURIComponent(name)}`, { token });
  const existing = body.data[0] ?? { latestVersion: 0, labels: {} };
  for (const [index, version] of versions.entries()) {
    if (index < existing.latestVersion) continue;
    const saved =
      index === 0
        ? await send('POST', '/api/prompts', { token, body: { name, description, tags, labels: [], ...version } })
        : await send('POST', `${path}/versions`, { token, body: version });
    expect(saved, 201, `save ${name}`);
  }
  for (const [label, version] of Object.entries(labels)) {
    if (label in existing.labels) continue;
    // As in real life, a label has been at the versions before.
    for (let number = 1; number <= version; number += 1) {
      expect(await send('PUT', `${path}/labels/${label}`, { token, body: { version: number } }), 200, `label ${name}`);
    }
  }
  return Math.max(0, versions.length - existing.latestVersion);
}

/** Calls as applications make them: lists, single prompts, renderings, and now and then a mistake. */
async function makeCalls(token: string): Promise<number> {
  let calls = 0;
  for (let round = 0; round < rounds; round += 1) {
    await send('GET', '/api/prompts?include=content', { token });
    calls += 1;
    // Some prompts are more popular than others.
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
      say(`${calls} calls`);
    }
  }
  return calls;
}

async function send<T>(method: string, path: string, { token, body }: { token?: string; body?: unknown } = {}): Promise<ApiResponse<T>> {
  const headers: Record<string, string> = {};
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) }).catch(() => {
    throw new DemoError(`No service responses at ${url}. Start one with: npm start`);
  });
  // The service's own description says what each of these holds; a demo may trust it.
  return { status: response.status, body: (await response.json().catch(() => undefined)) as T };
}

function expect({ status, body }: ApiResponse<unknown>, expected: number, what: string): void {
  if (status !== expected) throw new DemoError(`Could not ${what}: ${status} ${JSON.stringify(body)}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
