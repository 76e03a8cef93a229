import { gzipSync } from 'node:zlib';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { type Product, startEmbedded } from '../lib/contenders.ts';
import { applyLoad, type Load } from '../lib/load.ts';
import { startServer } from '../lib/processes.ts';
import { median, type Pace, type Row } from '../lib/rounds.ts';

const spansPerSecond = 5000;
const spansPerRequest = 500;
const everyMs = (1000 * spansPerRequest) / spansPerSecond;
const connections = 32;
const reference = 'the spans go to a bare server';
const prompt = 'folder-0/prompt-00000';

/**
 * Measures reads of a prompt while an exporter sends spans, and whether all spans are counted. In the rounds without spans for the service,
 * the exporter sends them to a bare server, because the exporter also takes time from the two cores.
 */
export async function run({ rounds, seconds }: Pace): Promise<Row[]> {
  const product = await startEmbedded('PromptHarbor, SQLite', { accounts: 1, prompts: 10 });
  const sink = await startServer([`${import.meta.dirname}/../servers/bare.ts`]);
  const port = product.ports[0] ?? 0;
  const key = product.seeded.firstKey;
  try {
    const headers = { authorization: `Bearer ${key}` };
    const load = { ports: product.ports, method: 'GET', path: `/api/prompts/${encodeURIComponent(prompt)}`, headers, connections };
    await applyLoad({ ...load, seconds: 3 });
    await sendSpans(port, key, makeRequests(seconds));
    const alone: number[] = [];
    const beside: number[] = [];
    let sent = seconds * spansPerSecond;
    const latest: number[] = [];
    const readWhileSending = (to: number, requests: Buffer[]) =>
      Promise.all([readsPerSecond({ ...load, seconds }), sendSpans(to, key, requests)]);
    for (let round = 0; round < rounds; round += 1) {
      process.stderr.write(`\r\x1b[Kresults: round ${round + 1} of ${rounds}`);
      const requests = makeRequests(seconds);
      const [readsAlone] = await readWhileSending(sink.port, requests);
      alone.push(readsAlone);
      const [reads, last] = await readWhileSending(port, requests);
      beside.push(reads);
      latest.push(last);
      sent += requests.length * spansPerRequest;
    }
    process.stderr.write('\r\x1b[K');
    const counted = await countCalls(product);
    if (counted !== sent) throw new Error(`${counted} of ${sent} spans were counted`);
    const toRow = (contender: string, rates: number[]): Row => ({
      part: 'results',
      work: 'read a prompt',
      contender,
      requestsPerSecond: median(rates),
      spread: [Math.min(...rates), Math.max(...rates)],
      p50Ms: 0,
      p99Ms: contender === reference ? 0 : median(latest),
      cpuMicroseconds: undefined,
    });
    const ratio = median(beside) / median(alone);
    return [toRow(reference, alone), { ...toRow(`${spansPerSecond} spans a second`, beside), ratio, goal: '≥ 0.90' }];
  } finally {
    await sink.stop();
    await product.stop();
  }
}

async function readsPerSecond(load: Load): Promise<number> {
  const { requestsPerSecond, failures } = await applyLoad(load);
  if (failures > 0) throw new Error(`${failures} reads failed`);
  return requestsPerSecond;
}

/** Sends requests at regular intervals. Returns how many milliseconds passed from the time of the last request to the last response. */
async function sendSpans(port: number, key: string, requests: Buffer[]): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
  const started = performance.now();
  const responses = requests.map(async (body, index) => {
    await new Promise((resolve) => setTimeout(resolve, index * everyMs));
    const response = await fetch(`http://127.0.0.1:${port}/v1/traces`, { method: 'POST', headers, body: new Uint8Array(body) });
    if (response.status !== 200) throw new Error(`The exporter got ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
  });
  await Promise.all(responses);
  return performance.now() - started - (requests.length - 1) * everyMs;
}

async function countCalls({ ports: [port], seeded }: Product): Promise<number> {
  const headers = { authorization: `Bearer ${seeded.firstKey}` };
  const response = await fetch(`http://127.0.0.1:${port}/api/results`, { headers });
  return ((await response.json()) as { totals: { calls: number } }).totals.calls;
}

let spans = 0;

/** Makes compressed requests in advance, so that making them takes no time from the service. */
function makeRequests(seconds: number): Buffer[] {
  return Array.from({ length: (seconds * spansPerSecond) / spansPerRequest }, () => {
    const scope = new BinaryWriter();
    for (let count = 0; count < spansPerRequest; count += 1) scope.tag(2, WireType.LengthDelimited).bytes(makeSpan());
    const resource = new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(scope.finish()).finish();
    return gzipSync(new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(resource).finish());
  });
}

const content = 'The customer asks where the order is. '.repeat(20);

/** Returns a span of a model call, as instrumentations send it, with its input and output. */
function makeSpan(): Uint8Array {
  spans += 1;
  const id = (length: number) => Buffer.from(spans.toString(16).padStart(2 * length, '0'), 'hex');
  const end = BigInt(Date.now()) * 1_000_000n;
  const attributes: [string, string | number][] = [
    ['gen_ai.operation.name', 'chat'],
    ['gen_ai.prompt.name', prompt],
    ['gen_ai.prompt.version', '1'],
    ['gen_ai.provider.name', 'openai'],
    ['gen_ai.request.model', 'gpt-5-mini'],
    ['gen_ai.usage.input_tokens', 400 + (spans % 100)],
    ['gen_ai.usage.output_tokens', 40],
    ['gen_ai.input.messages', content],
    ['gen_ai.output.messages', content],
  ];
  const span = new BinaryWriter();
  span.tag(1, WireType.LengthDelimited).bytes(id(16));
  span.tag(2, WireType.LengthDelimited).bytes(id(8));
  span.tag(5, WireType.LengthDelimited).string('chat gpt-5-mini');
  span.tag(7, WireType.Bit64).fixed64(end - BigInt(500_000_000 + (spans % 1000) * 1_000_000));
  span.tag(8, WireType.Bit64).fixed64(end);
  for (const [key, value] of attributes) {
    const any = new BinaryWriter();
    if (typeof value === 'string') any.tag(1, WireType.LengthDelimited).string(value);
    else any.tag(3, WireType.Varint).int64(value);
    const attribute = new BinaryWriter().tag(1, WireType.LengthDelimited).string(key).tag(2, WireType.LengthDelimited).bytes(any.finish());
    span.tag(9, WireType.LengthDelimited).bytes(attribute.finish());
  }
  return span.finish();
}
