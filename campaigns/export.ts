import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { PromptHarbor } from '../client/src/client.ts';
import { formatLine } from '../src/contract/transfer-format.ts';
import { register } from '../test/support/client.ts';
import { postgres, sqlite } from '../test/support/engines.ts';
import { type ServedProgram, serveProgram } from '../test/support/process.ts';

const promptCount = Number(process.env.PROMPTHARBOR_EXPORT_PROMPTS ?? 10_000);
const versionsPerPrompt = 5;

interface Transfer {
  digest: string;
  lines: number;
  bytes: number;
}

/**
 * Moves 10,000 prompts with 50,000 versions from the embedded engine to PostgreSQL and back. Compares the bytes, and measures the memory of
 * the servers.
 */
export async function run(): Promise<void> {
  const databases = [await sqlite.create(), await postgres.create()];
  const programs: ServedProgram[] = [];
  try {
    for (const { env } of databases) programs.push(await serveProgram({ LOG_LEVEL: 'error', REGISTRATION: 'open', ...env }));
    const [first, second] = programs;
    assert.ok(first && second);
    const source = await connect(first);
    await measure('import into SQLite', first, () => source.import(makeLines()));
    const exported = await measure('export from SQLite', first, () => digestLines(source.export()));
    print(`${exported.lines} lines, ${mib(exported.bytes)} MiB, sha256 ${exported.digest.slice(0, 16)}`);
    assert.deepEqual(await digestLines(source.export()), exported, 'the same state gives the same bytes');

    const target = await connect(second);
    const lines = await collect(source.export());
    const results = await measure('import into PostgreSQL', second, () => target.import(lines));
    assert.equal(results.filter(({ status }) => status === 'created').length, promptCount);
    const again = await measure('export from PostgreSQL', second, () => digestLines(target.export()));
    assert.deepEqual(again, exported, 'the second export has the same bytes');

    const back = await connect(first);
    await measure('import into SQLite again', first, async () => back.import(await collect(target.export())));
    assert.deepEqual(await digestLines(back.export()), exported, 'and so has the third');
    const repeated = await measure('a second import', second, () => target.import(lines));
    assert.ok(repeated.every(({ status }) => status === 'unchanged'));
    assert.deepEqual(await digestLines(target.export()), exported, 'a second import changes nothing');
    print('All exports are identical.');
  } finally {
    for (const program of programs) await program.stop();
    for (const database of databases) await database.remove();
  }
}

async function connect(program: ServedProgram): Promise<PromptHarbor> {
  const { token } = await register(program);
  return new PromptHarbor({ baseUrl: program.url, apiKey: token, timeoutMs: 600_000, retries: 30 });
}

async function digestLines(lines: AsyncIterable<string>): Promise<Transfer> {
  const result = { digest: '', lines: 0, bytes: 0 };
  for await (const line of lines) {
    result.lines += 1;
    result.bytes += Buffer.byteLength(line) + 1;
    result.digest = hash('sha256', `${result.digest}${line}`);
  }
  return result;
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

/** Creates prompts in the format of an export of another service. */
function* makeLines(): Generator<string> {
  yield formatLine;
  const by = { name: 'Ada Lovelace', via: 'api' };
  for (let index = 0; index < promptCount; index += 1) {
    const name = `folder-${index % 100}/prompt-${String(index).padStart(5, '0')}`;
    const at = (version: number) => new Date(Date.UTC(2026, 0, 1) + index * 60_000 + version * 1000).toISOString();
    const deleted = index % 10 === 0 ? 2 : 0;
    const eventId = (position: number) =>
      `e_${Date.parse(at(position)).toString(36)}_${String(position).padStart(3, '0')}${hash('md5', name).slice(0, 16)}`;
    const prompt = {
      name,
      type: 'text',
      description: `Prompt ${index}`,
      tags: [`tag-${index % 20}`],
      labels: { production: 4, staging: 5 },
    };
    const last = { lastVersion: versionsPerPrompt, lastEvent: eventId(versionsPerPrompt + 1), createdAt: at(1), updatedAt: at(6) };
    yield JSON.stringify({ kind: 'prompt', ...prompt, ...last });
    const numbers = Array.from({ length: versionsPerPrompt }, (_, before) => before + 1);
    for (const version of numbers.filter((number) => number !== deleted)) {
      const template = `Version ${version} of ${name}: {{ customer.name }} asks {{ question }}. ${'Answer politely. '.repeat(30)}`;
      const config = { model: 'some-model', temperature: version / 10 };
      yield JSON.stringify({
        kind: 'version',
        version,
        syntax: 'liquid',
        template,
        config,
        message: `Change ${version}`,
        createdAt: at(version),
        by,
      });
    }
    if (deleted > 0)
      yield JSON.stringify({ kind: 'version', version: deleted, syntax: 'liquid', createdAt: at(deleted), by, deletedAt: at(6) });
    for (const version of numbers) {
      const type = version === 1 ? 'created' : 'version_saved';
      yield JSON.stringify({
        kind: 'event',
        id: eventId(version),
        type,
        at: at(version),
        by,
        detail: { version, message: `Change ${version}` },
      });
    }
    const moved = { label: 'production', from: null, to: 4 };
    yield JSON.stringify({ kind: 'event', id: eventId(6), type: 'label_moved', at: at(6), by, detail: moved });
  }
}

/** Prints the duration, and the memory of the server before, at its peak and after. */
async function measure<T>(title: string, { child }: ServedProgram, work: () => Promise<T>): Promise<T> {
  const before = await readMemory(child.pid);
  let highest = before;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      highest = Math.max(highest, await readMemory(child.pid));
      await delay(100);
    }
  })();
  const startedAt = performance.now();
  try {
    const result = await work();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const after = await readMemory(child.pid);
    print(`${title}: ${seconds} s, server RSS ${mib(before)} MiB before, ${mib(highest)} at most, ${mib(after)} after`);
    return result;
  } finally {
    isDone = true;
    await watching;
  }
}

/** Returns the resident memory of a process in bytes, or 0 if this is not Linux. */
async function readMemory(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
