import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { call, register, type TestAccount } from '../../test/support/client.ts';
import { hostileBehaviors, hostileHandshakes, hostileTlsBehaviors } from '../../test/support/hostile/servers.ts';
import { type ServedProgram, serveProgram } from '../../test/support/process.ts';
import { retryWhileThrottled } from '../lib/accounts.ts';
import { type CampaignDatabase, createDatabase, engineNames } from '../lib/databases.ts';
import { startBystander } from './bystander.ts';
import { type ForeignServers, startServers } from './server-thread.ts';

export const foreignFamily = 'foreign servers';

export interface ForeignResult {
  engine: string;
  name: string;
  /** The growth of the process's memory. */
  memoryMb: number;
  slowestMs: Record<string, number>;
  /** The results that do not pass. */
  problems: string[];
}

const attackers = 3;
const runsOfAttacker = 24;
/** The pause between two runs. Floods of requests are separate attacks. */
const pauseMs = 100;
/** The largest values with which a behavior passes. */
const limits = { memoryMb: 400, healthMs: 250, othersMs: 5000 };

/** Lets hostile servers respond to as many runs and webhooks as three accounts may have, on each engine. `names` selects behaviors. */
export async function attackWithServers(names: string[], attackMs: number, onResult: (result: ForeignResult) => void): Promise<void> {
  const servers = await startServers();
  try {
    for (const engine of engineNames) {
      const database = await createDatabase(engine);
      try {
        await attackEngine(database, servers, names, attackMs, onResult);
      } finally {
        await database.remove();
      }
    }
  } finally {
    await servers.stop();
  }
}

async function attackEngine(
  { engine, env }: CampaignDatabase,
  servers: ForeignServers,
  names: string[],
  attackMs: number,
  onResult: (result: ForeignResult) => void,
): Promise<void> {
  const bystander = await startBystander();
  const program = await serveProgram({
    ...env,
    LOG_LEVEL: 'silent',
    OUTBOUND_ALLOW: '127.0.0.1',
    NODE_EXTRA_CA_CERTS: servers.certificateFile,
    SMTP_URL: bystander.mailUrl,
    // Each password reset comes from a different address, as if from different people.
    TRUST_PROXY: 'true',
  });
  const victim = await retryWhileThrottled(() => register(program));
  const accounts: TestAccount[] = [];
  while (accounts.length < attackers) accounts.push(await retryWhileThrottled(() => register(program)));
  try {
    await bystander.observe({ url: program.url, key: victim.token, friendlyUrl: servers.friendly });
    await delay(attackMs);
    const idle = await readMemoryMb(program);
    // The process of a service in use has already compiled the code that it runs.
    await attack(program, accounts, servers, { name: 'events-tiny', attackMs });
    await bystander.take();
    for (const name of names) {
      const memoryMb = await attack(program, accounts, servers, { name, attackMs });
      onResult(judge({ engine, name, memoryMb: Math.max(0, memoryMb - idle), ...(await bystander.take()) }));
    }
  } finally {
    await bystander.stop();
    await program.stop();
  }
}

/** Repeats runs, check runs and webhooks of all attackers at once. Returns the peak memory of the process. */
async function attack(
  program: ServedProgram,
  accounts: TestAccount[],
  { hostile, friendly }: ForeignServers,
  { name, attackMs }: { name: string; attackMs: number },
): Promise<number> {
  const url = hostile[name] ?? '';
  const end = performance.now() + attackMs;
  const ending = new AbortController();
  const attacks = accounts.map(async ({ token: key }) => {
    const send = (method: string, path: string, body?: unknown) => call(program, method, path, { key, retries: 0, body });
    const connection = ((await send('POST', '/api/models', { name: url, baseUrl: url, models: ['m'] })).body as { id: string }).id;
    const webhook = ((await send('POST', '/api/webhooks', { url })).body as { id: string }).id;
    const model = ((await send('POST', '/api/models', { name: 'Friendly', baseUrl: friendly, models: ['m'] })).body as { id: string }).id;
    await send('POST', '/api/prompts', { name: 'a', template: 'Hello' });
    await send('POST', '/api/prompts', { name: 'judged', template: 'Hello' });
    const judge = { kind: 'judge', value: 'a', label: 'latest', connection };
    const judged = ((await send('POST', '/api/prompts/judged/cases', { name: url, checks: [judge] })).body as { id: string }).id;
    const runs = Array.from({ length: runsOfAttacker }, async (_, index) => {
      while (performance.now() < end) {
        await post(program, '/api/prompts/a/run', { key, body: { connection }, isRead: index % 2 === 0, signal: ending.signal });
        await delay(pauseMs);
      }
    });
    const checks = (async () => {
      while (performance.now() < end) {
        await post(program, '/api/prompts/judged/checks', { key, body: { connection: model }, isRead: true, signal: ending.signal });
        await delay(pauseMs);
      }
    })();
    while (performance.now() < end) {
      await send('PUT', '/api/prompts/a/labels/x', { version: 1 });
      await send('DELETE', '/api/prompts/a/labels/x');
      await send('PATCH', `/api/webhooks/${webhook}`, { enabled: true });
      await delay(pauseMs);
    }
    await Promise.all([...runs, checks]);
    await send('DELETE', `/api/prompts/judged/cases/${judged}`);
    await send('DELETE', `/api/models/${model}`);
    await send('DELETE', `/api/webhooks/${webhook}`);
    await send('DELETE', `/api/models/${connection}`);
  });
  let most = 0;
  while (performance.now() < end) {
    most = Math.max(most, await readMemoryMb(program));
    await delay(50);
  }
  ending.abort();
  await Promise.all(attacks);
  return most;
}

interface HostileRequest {
  key: string;
  body: object;
  /** Whether the attacker reads the response. */
  isRead: boolean;
  signal: AbortSignal;
}

function post({ url }: ServedProgram, path: string, { key, body, isRead, signal }: HostileRequest): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...(isRead && { accept: 'application/json' }) };
  const req = request(`${url}${path}`, { method: 'POST', headers, signal });
  req.once('response', (res) => void (isRead ? res.resume() : res.pause()));
  req.once('close', resolve).once('error', () => resolve());
  req.end(JSON.stringify(body));
  return promise;
}

/** Returns the memory of the process, which only Linux reports. On other systems, only the effect on other accounts is measured. */
async function readMemoryMb({ child: { pid } }: ServedProgram): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

function judge(result: Omit<ForeignResult, 'problems'> & { failures: string[] }): ForeignResult {
  const { failures, ...measured } = result;
  const { memoryMb, slowestMs } = measured;
  const slow = Object.entries(slowestMs).filter(([use, ms]) => ms > (use === 'health' ? limits.healthMs : limits.othersMs));
  const problems = [
    ...failures,
    ...slow.map(([use, ms]) => `${use} took ${Math.round(ms)} ms`),
    ...(memoryMb > limits.memoryMb ? [`${memoryMb} MB more memory`] : []),
  ];
  return { ...measured, problems };
}

/** Returns the behaviors with `text` in their family and name. */
export function chooseBehaviors(text: string): string[] {
  const names = Object.keys({ ...hostileBehaviors, ...hostileTlsBehaviors, ...hostileHandshakes });
  return names.filter((name) => `${foreignFamily}: ${name}`.includes(text));
}
