import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { maxReportBytes } from '../../../../src/contract/limits.ts';
import { createIntake } from '../../../../src/domain/results/intake/intake.ts';
import type { Upload } from '../../../../src/domain/results/intake/intake-messages.ts';
import type { readUpload } from '../../../../src/domain/results/intake/read-upload.ts';
import { AppError } from '../../../../src/errors.ts';
import {
  type Attribute,
  bytesOf,
  concat,
  jsonSpan,
  jsonTraces,
  message,
  named,
  startNs,
  traceId,
  writeAttribute,
  writeTraces,
} from '../../../support/otlp.ts';

const text = (value: unknown) => concat(new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)));
const protobuf = (body: Uint8Array, more: Partial<Upload> = {}): Upload => ({
  kind: 'traces',
  format: 'protobuf',
  isCompressed: false,
  body: concat(body),
  ...more,
});
const json = (value: unknown, more: Partial<Upload> = {}): Upload => ({ ...protobuf(text(value)), format: 'json', ...more });
const gzipped = (body: Uint8Array) => protobuf(gzipSync(body), { isCompressed: true });
const attributes = { 'gen_ai.prompt.name': 'support/triage', 'gen_ai.prompt.version': '3' };
const year = 365n * 86_400_000_000_000n;

type Outcome = 'malformed' | 'too_large' | { calls: number; invalid?: number; unnamed?: number };

/** Writes an attribute whose value is a list of lists, and so on. Each level only adds a header, so the inner levels are written first. */
function nested(depth: number): Uint8Array {
  const headers: Uint8Array[] = [];
  let length = 0;
  for (let level = 0; level < depth; level += 1) {
    for (const field of [1, 5]) {
      const header = new BinaryWriter().tag(field, WireType.LengthDelimited).uint32(length).finish();
      headers.push(header);
      length += header.length;
    }
  }
  return concat(message(1, new TextEncoder().encode('nested')), message(2, concat(Buffer.concat(headers.reverse()))));
}

/** Bodies that no SDK would send, and the expected outcome of each. */
const bodies: [string, () => Upload, Outcome][] = [
  ['nothing, in protobuf', () => protobuf(new Uint8Array()), { calls: 0 }],
  ['nothing, in JSON', () => json(''), 'malformed'],
  ['an empty object', () => json({}), { calls: 0 }],
  ['null', () => json(null), 'malformed'],
  ['a list', () => json([]), 'malformed'],
  ['spans that are no list', () => json({ resourceSpans: { scopeSpans: [] } }), 'malformed'],
  ['spans that are no objects', () => json(jsonTraces(null as never)), 'malformed'],
  ['a gzip bomb', () => gzipped(new Uint8Array(64 * 1024 * 1024)), 'too_large'],
  ['one byte too much, compressed', () => gzipped(new Uint8Array(maxReportBytes + 1)), 'too_large'],
  ['gzip within gzip', () => gzipped(gzipSync(new Uint8Array(1000))), 'malformed'],
  ['gzip that is cut off', () => protobuf(gzipSync(writeTraces({})).subarray(0, 40), { isCompressed: true }), 'malformed'],
  ['200,000 empty gzip members', () => protobuf(Buffer.alloc(4_000_000, gzipSync(new Uint8Array())), { isCompressed: true }), { calls: 0 }],
  ['a body that is no gzip', () => protobuf(writeTraces({}), { isCompressed: true }), 'malformed'],
  ['a span that is cut off', () => protobuf(writeTraces({}).subarray(0, -5)), 'malformed'],
  ['a length beyond the end', () => protobuf(new Uint8Array([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f])), 'malformed'],
  [
    'a text that is longer than its attribute',
    () => protobuf(message(1, message(2, message(2, message(9, new Uint8Array([0x0a, 0x17, 0x61])), message(9, bytesOf(20, 0x61)))))),
    'malformed',
  ],
  ['a length below zero', () => protobuf(new Uint8Array([0x0a, ...bytesOf(9, 0xff), 0x01])), 'malformed'],
  ['a varint without an end', () => protobuf(bytesOf(100, 0xff)), 'malformed'],
  ['groups within groups', () => protobuf(bytesOf(1_000_000, 0x0b)), 'malformed'],
  ['a field of another wire type', () => protobuf(new Uint8Array([0x08, 0x01])), { calls: 0 }],
  ['2,000,000 empty resources', () => protobuf(empty(1, 2_000_000)), 'malformed'],
  ['2,000,000 empty spans', () => protobuf(message(1, message(2, empty(2, 2_000_000)))), 'malformed'],
  ['199,998 empty spans', () => protobuf(message(1, message(2, empty(2, 199_998)))), { calls: 0, unnamed: 199_998 }],
  ['4 MiB of one nested attribute', () => protobuf(traceOf(nested(400_000))), { calls: 1 }],
  ['a million attributes', () => protobuf(traceOf(empty(9, 1_000_000))), { calls: 1 }],
  [
    'a prompt that is the 1,001st attribute',
    () => protobuf(writeTraces({ attributes: [...Array.from({ length: 1000 }, (): Attribute => ['a', 1]), ...named] })),
    { calls: 0, unnamed: 1 },
  ],
  ['JSON within 200 levels', () => json(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`), 'malformed'],
  ['a million values', () => json(`{"a":[${'1,'.repeat(1_000_000)}1]}`), 'malformed'],
  ['JSON that is not UTF-8', () => ({ ...json(''), body: concat(text('{"a":"'), bytesOf(1, 0xff), text('"}')) }), 'malformed'],
  ['__proto__ as a field', () => json('{"__proto__":{"resourceSpans":[]},"constructor":{}}'), { calls: 0 }],
  [
    '__proto__ as an attribute',
    () => json(jsonTraces(jsonSpan({ attributes: { ...attributes, ['__proto__']: 'x', constructor: 'x' } }))),
    { calls: 1 },
  ],
  ['a prompt called __proto__', () => json(jsonTraces(jsonSpan({ attributes: { 'gen_ai.prompt.name': '__proto__' } }))), { calls: 1 }],
  ['a clock that is a year behind', () => protobuf(writeTraces({ startNs: startNs - year })), { calls: 1 }],
  ['a clock that is a year ahead', () => protobuf(writeTraces({ startNs: startNs + year })), { calls: 1 }],
  ['the highest possible times', () => protobuf(writeTraces({ startNs: 2n ** 64n - 2n, endNs: 2n ** 64n - 1n })), { calls: 1 }],
  ['a span that ends first', () => protobuf(writeTraces({ endNs: 1n })), { calls: 0, invalid: 1 }],
  ['a trace id of 15 bytes', () => protobuf(writeTraces({ traceId: bytesOf(15, 1) })), { calls: 0, invalid: 1 }],
  ['a trace id of 4 MiB', () => protobuf(writeTraces({ traceId: bytesOf(4_000_000, 1) })), { calls: 0, invalid: 1 }],
  ['a span id of zeros', () => protobuf(writeTraces({ spanId: bytesOf(8, 0) })), { calls: 0, invalid: 1 }],
  [
    'a name that is not UTF-8',
    () => protobuf(writeTraces({ attributes: [['gen_ai.prompt.name', bytesOf(5, 0xff)]] })),
    { calls: 0, invalid: 1 },
  ],
  ['a name that is a list', () => protobuf(writeTraces({ attributes: [['gen_ai.prompt.name', ['a']]] })), { calls: 0, invalid: 1 }],
  [
    'a name of 4 MiB',
    () => protobuf(writeTraces({ attributes: [['gen_ai.prompt.name', 'x'.repeat(4_000_000)]] })),
    { calls: 0, invalid: 1 },
  ],
  [
    'tokens that are not a number',
    () => protobuf(writeTraces({ attributes: [...named, ['gen_ai.usage.input_tokens', Number.NaN]] })),
    { calls: 0, invalid: 1 },
  ],
  [
    'an infinite cost',
    () => protobuf(writeTraces({ attributes: [...named, ['gen_ai.usage.cost', Number.POSITIVE_INFINITY]] })),
    { calls: 0, invalid: 1 },
  ],
  ['a chain of 40,000 spans', () => protobuf(chain(40_000)), { calls: 1, unnamed: 39_999 }],
  ['20,000 calls below a call', () => protobuf(star(20_000)), { calls: 1, unnamed: 20_000 }],
  ['an evaluation without a name', () => json(logs({}), { kind: 'logs' }), { calls: 0, invalid: 1 }],
  ['a batch that is no list', () => json({ batch: 5 }, { kind: 'langfuse' }), 'malformed'],
  ['events of wrong types', () => json({ batch: [null, 5, [], {}, { id: 5 }] }, { kind: 'langfuse' }), { calls: 0 }],
  ['events without bodies', () => json({ batch: [{ id: 'a', type: 'score-create' }] }, { kind: 'langfuse' }), { calls: 0, invalid: 1 }],
];

describe('ASVS 15.2.2: Reports from hostile programs', () => {
  const intake = createIntake({ onFailure: (err) => assert.fail(`The thread ended: ${err}`) });
  after(() => intake.close());

  for (const [title, create, expected] of bodies) {
    it(`${title}: ${JSON.stringify(expected)}`, async () => {
      const outcome = await intake.read('u_1', create()).catch((err: unknown) => err);
      if (typeof expected === 'string') {
        assert.ok(outcome instanceof AppError, String(outcome));
        assert.equal(outcome.code, expected === 'too_large' ? 'body_too_large' : 'bad_request');
        return;
      }
      if (outcome instanceof Error) throw outcome;
      const { report } = outcome as ReturnType<typeof readUpload>;
      const { calls, invalid, unnamed } = report;
      assert.deepEqual({ calls: calls.length, invalid, unnamed }, { invalid: 0, unnamed: 0, ...expected });
      for (const { durationMs, startedAtMs } of calls) assert.ok(Number.isFinite(durationMs) && Number.isFinite(startedAtMs));
    });
  }

  it('random bytes and random changes to a valid request never end the thread', async () => {
    const valid = writeTraces({ attributes: [...named, ['gen_ai.usage.input_tokens', 5], ['error.type', 'x'], ['list', ['a']]] });
    const changed = fc
      .tuple(fc.nat(valid.length - 1), fc.nat(255), fc.nat(valid.length))
      .map(([at, byte, end]) => concat(valid.with(at, byte).subarray(0, end)));
    const body = fc.oneof(fc.uint8Array({ maxLength: 200 }), changed);
    await fc.assert(
      fc.asyncProperty(body, fc.boolean(), fc.constantFrom('traces', 'logs', 'langfuse'), async (bytes, isCompressed, kind) => {
        const format = kind === 'langfuse' ? 'json' : 'protobuf';
        await intake.read('u_1', { kind, format, isCompressed, body: concat(bytes) }).catch((err: unknown) => {
          assert.ok(err instanceof AppError && err.status < 500, String(err));
        });
      }),
      { numRuns: 500 },
    );
  });

  it('random JSON in place of any value never ends the thread', async () => {
    const span = jsonSpan({ attributes: { ...attributes, 'langfuse.observation.usage_details': '{"input":5}' } });
    const event = {
      id: 'e',
      type: 'generation-create',
      timestamp: '2026-01-01',
      body: { id: 'g', traceId: 't', promptName: 'a', usage: { input: 5 } },
    };
    const keys = [...Object.keys(span), ...Object.keys(event.body)];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...keys), fc.json({ maxDepth: 4 }), async (key, value) => {
        const given: unknown = JSON.parse(value);
        const uploads = [
          json(jsonTraces({ ...span, [key]: given })),
          json({ batch: [{ ...event, body: { ...event.body, [key]: given } }, given] }, { kind: 'langfuse' }),
          json(logs({ [key]: given }), { kind: 'logs' }),
        ];
        for (const upload of uploads) {
          await intake.read('u_1', upload).catch((err: unknown) => assert.ok(err instanceof AppError && err.status < 500, String(err)));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('the thread returns nothing of a body that it cannot read', async () => {
    const body = text('{"resourceSpans": PLANTED CONTENT');
    await assert.rejects(intake.read('u_1', { ...protobuf(body), format: 'json' }), (err: unknown) => {
      assert.ok(err instanceof AppError);
      assert.doesNotMatch(`${err.stack} ${String(err.cause)}`, /PLANTED/);
      return true;
    });
  });
});

function traceOf(...fields: Uint8Array[]): Uint8Array {
  const span = concat(
    ...named.map((attribute) => message(9, writeAttribute(attribute))),
    message(1, traceId),
    message(2, bytesOf(8, 1)),
    new Uint8Array([0x39, ...littleEndian(startNs), 0x41, ...littleEndian(startNs + 1_000_000n)]),
    ...fields.map((field) => (field[0] === 0x4a ? field : message(9, field))),
  );
  return message(1, message(2, message(2, span)));
}

function littleEndian(value: bigint): Uint8Array {
  return new Uint8Array(new BigUint64Array([value]).buffer);
}

/** Writes an empty field many times. */
function empty(field: number, times: number): Uint8Array {
  return concat(Buffer.alloc(2 * times, new Uint8Array([(field << 3) | 2, 0])));
}

function idOf(number: number): Uint8Array {
  return littleEndian(BigInt(number));
}

function chain(length: number): Uint8Array {
  return writeTraces(
    ...Array.from({ length }, (_, at) => ({
      spanId: idOf(at + 1),
      parentId: idOf(at),
      attributes: at === 0 ? named : ([['gen_ai.usage.input_tokens', 1]] satisfies Attribute[]),
    })),
  );
}

function star(length: number): Uint8Array {
  const below = Array.from({ length }, (_, at) => ({
    spanId: idOf(at + 2),
    parentId: idOf(1),
    attributes: [['gen_ai.usage.input_tokens', 1]] satisfies Attribute[],
  }));
  return writeTraces({ spanId: idOf(1) }, ...below);
}

function logs(fields: Record<string, unknown>) {
  const record = { ...jsonSpan(), eventName: 'gen_ai.evaluation.result', ...fields };
  return { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] };
}
