import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPostgresDatabase } from '../../test/support/engines.ts';
import { startPostgres } from '../../test/support/postgres/server.ts';
import { type ServerProcess, startServer } from './processes.ts';
import { type Seeded, seed } from './seed.ts';

const serverFile = (name: string) => `${import.meta.dirname}/../servers/${name}.ts`;
const productFile = `${import.meta.dirname}/../../bin/promptharbor.js`;

type Size = Omit<Parameters<typeof seed>[0], 'env'>;

/** PromptHarbor running on a seeded database, as users run it. */
export interface Product {
  name: string;
  ports: number[];
  pids: number[];
  seeded: Seeded;
  stop(): Promise<void>;
}

export interface PostgresProduct extends Product {
  /** Returns the process ids of the database. */
  databasePids(): number[];
}

/** Starts one process with the embedded database, as `npm start` does. */
export async function startEmbedded(name: string, size: Size, settings: Record<string, string> = {}): Promise<Product> {
  const seeded = await seed(size);
  const instance = await startServer([productFile, 'serve'], { ...seeded.env, ...settings });
  return toProduct(name, seeded, [instance], async () => undefined);
}

/** Starts several instances on one local PostgreSQL. */
export async function startOnPostgres(name: string, size: Size & { instances: number }): Promise<PostgresProduct> {
  const server = await startPostgres();
  const database = await createPostgresDatabase(server.adminUrl);
  const seeded = await seed({ ...size, env: database.env });
  const instances: ServerProcess[] = [];
  for (let count = 0; count < size.instances; count += 1) instances.push(await startServer([productFile, 'serve'], seeded.env));
  const product = toProduct(name, seeded, instances, async () => {
    await database.remove();
    await server.stop();
  });
  return { ...product, databasePids: () => processesOf(server.dataDir) };
}

function processesOf(dataDir: string): number[] {
  const [pid = ''] = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return [pid, ...children].map(Number);
}

/** Starts a minimal server that sends the response that PromptHarbor sends to the given request. */
export async function startCopy(
  kind: 'bare' | 'plain-fastify',
  product: Product,
  path: string,
  headers: Record<string, string> = {},
): Promise<ServerProcess> {
  return startServer([serverFile(kind)], await recordResponse(product, path, { headers }));
}

/** Starts a minimal server that parses the JSON body of each request. */
export async function startBareParser(product: Product, path: string, body: string): Promise<ServerProcess> {
  const headers = { 'content-type': 'application/json' };
  const recorded = await recordResponse(product, path, { method: 'POST', headers, body });
  return startServer([serverFile('bare')], { ...recorded, PARSES_BODY: 'yes' });
}

/** Returns PromptHarbor's response as settings for a minimal server. */
async function recordResponse(product: Product, path: string, request: RequestInit): Promise<Record<string, string>> {
  const response = await fetch(`http://127.0.0.1:${product.ports[0]}${path}`, {
    ...request,
    headers: { authorization: `Bearer ${product.seeded.firstKey}`, ...request.headers },
  });
  const body = Buffer.from(await response.arrayBuffer());
  // Node adds these headers to every response.
  const skipped = new Set(['date', 'connection', 'keep-alive']);
  const copied = Object.fromEntries([...response.headers].filter(([name]) => !skipped.has(name)));
  return {
    RESPONSE_HEADERS: JSON.stringify(copied),
    RESPONSE_STATUS: String(response.status),
    RESPONSE_BODY: body.toString('base64'),
  };
}

export async function startBetterAuth(env: Record<string, string> = {}): Promise<ServerProcess & { keysFile: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'promptharbor-bench-'));
  const keysFile = join(dir, 'keys');
  const server = await startServer([serverFile('better-auth')], { DATABASE_FILE: join(dir, 'auth.db'), KEYS_FILE: keysFile, ...env });
  return {
    ...server,
    keysFile,
    async stop() {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function toProduct(name: string, seeded: Seeded, instances: ServerProcess[], cleanUp: () => Promise<void>): Product {
  return {
    name,
    ports: instances.map(({ port }) => port),
    pids: instances.map(({ pid }) => pid),
    seeded,
    async stop() {
      for (const instance of instances) await instance.stop();
      await cleanUp();
      seeded.remove();
    },
  };
}
