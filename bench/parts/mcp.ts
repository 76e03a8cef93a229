import { type Product, startEmbedded, startOnPostgres } from '../lib/contenders.ts';
import { addRatios, compare, type Pace, type Row } from '../lib/rounds.ts';

const connections = 32;
const rest = 'POST …/render';
const name = 'mcp/greeting';
const variables = { customer: 'Ada', topic: 'an order' };
const params = { name, arguments: variables };
const message = { jsonrpc: '2.0', id: 1, method: 'prompts/get' };
const revision = '2026-07-28';
const listedPrompts = 200;

/** Not a comparison with others: `prompts/get` should cost little more than the same render by REST. */
export async function run(pace: Pace): Promise<Row[]> {
  const rows: Row[] = [];
  for (const start of [
    () => startEmbedded('SQLite', { accounts: 1, prompts: listedPrompts }),
    () => startOnPostgres('PostgreSQL', { accounts: 1, prompts: listedPrompts, instances: 1 }),
  ]) {
    const product = await start();
    try {
      await createPrompt(product);
      rows.push(...(await measureGet(product, pace)), ...(await measureList(product, pace)));
    } finally {
      await product.stop();
    }
  }
  return rows;
}

async function createPrompt({ ports, seeded }: Product): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${ports[0]}/api/prompts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${seeded.firstKey}` },
    body: JSON.stringify({ name, template: 'Write to {{ customer }} about {{ topic }} in a {{ tone | default: "friendly" }} tone.' }),
  });
  if (response.status !== 201) throw new Error(await response.text());
}

async function measureGet(product: Product, pace: Pace): Promise<Row[]> {
  const contenders = [
    { name: rest, path: `/api/prompts/${encodeURIComponent(name)}/render`, headers: {}, body: { variables } },
    { name: 'prompts/get, 2026-07-28', path: '/mcp', headers: modernHeaders('prompts/get', name), body: toModern({ ...message, params }) },
    { name: 'prompts/get, 2025-11-25', path: '/mcp', headers: legacyHeaders, body: { ...message, params } },
  ];
  const goals = Object.fromEntries(contenders.slice(1).map((contender) => [contender.name, '≥ 0.67']));
  const rows = await compare(
    'mcp',
    `one prompt, ${product.name}`,
    contenders.map((contender) => toContender(product, contender)),
    pace,
  );
  return addRatios(rest, rows, goals);
}

/** 200 prompts on one page. */
async function measureList(product: Product, pace: Pace): Promise<Row[]> {
  const headers = modernHeaders('prompts/list');
  const body = toModern({ ...message, method: 'prompts/list', params: {} });
  const contender = toContender(product, { name: 'prompts/list', path: '/mcp', headers, body });
  return compare('mcp', `${listedPrompts} prompts listed, ${product.name}`, [contender], pace);
}

interface Request {
  name: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

function toContender({ pids, ports, seeded }: Product, { name: contender, path, headers, body }: Request) {
  return {
    name: contender,
    pids,
    load: {
      ports,
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${seeded.firstKey}`, ...headers },
      body: JSON.stringify(body),
      connections,
    },
  };
}

const legacyHeaders = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };

function modernHeaders(method: string, target?: string): Record<string, string> {
  return { 'mcp-protocol-version': revision, 'mcp-method': method, ...(target !== undefined && { 'mcp-name': target }) };
}

function toModern<T extends { params: object }>(request: T): T {
  const prefix = 'io.modelcontextprotocol/';
  const _meta = {
    [`${prefix}protocolVersion`]: revision,
    [`${prefix}clientCapabilities`]: {},
    [`${prefix}clientInfo`]: { name: 'bench', version: '1' },
  };
  return { ...request, params: { ...request.params, _meta } };
}
