import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { isCampaign } from '../support/campaign.ts';
import { type ApiResponse, call, register } from '../support/client.ts';
import { postgres, type TestDatabase } from '../support/engines.ts';
import { openStream, type ReceivedEvent } from '../support/event-stream.ts';
import { serveProgram } from '../support/process.ts';
import type { ErrorBody } from '../support/prompts.ts';
import { createRandom } from '../support/random.ts';
import { startService } from '../support/service.ts';

const writes = isCampaign ? 10_000 : 120;
const streamCount = isCampaign ? 50 : 5;
const writerCount = 6;
const promptCount = 10;
/** The reader closes each connection after at most this many events. */
const maxEventsPerConnection = isCampaign ? 400 : 24;

interface Instance {
  url: string;
  stop(): Promise<unknown>;
}

describe('streams that reconnect at random to three instances', () => {
  it('get each revision exactly once and in order, whichever instance wrote it', async (t) => {
    const random = createRandom();
    const started = performance.now();
    const database = await postgres.create();
    const instances: Instance[] = [];
    let isOver = false;
    try {
      while (instances.length < 3) instances.push(await start(database));
      const [first] = instances;
      assert.ok(first);
      const { token: key, userId } = await register(first);
      for (let index = 0; index < promptCount; index += 1) {
        const body = { name: `prompt-${index}`, template: 'x' };
        assert.equal((await call(first, 'POST', '/api/prompts', { key, body })).status, 201);
      }
      const { hello, close } = await openStream(first, { key });
      close();

      let left = writes;
      const done = { saves: 0, changes: 0, unknown: 0 };
      const write = async () => {
        while (left > 0) {
          if (isCampaign && left % 1000 === 0) t.diagnostic(`${left} writes left`);
          left -= 1;
          const prompt = `/api/prompts/prompt-${random.below(promptCount)}`;
          const isSave = random.below(4) > 0;
          const [method, path, body] = isSave
            ? ['POST', `${prompt}/versions`, { template: String(left) }]
            : ['PATCH', prompt, { description: String(left) }];
          const send = () => call(random.pick(instances), String(method), String(path), { key, body });
          const { status, text } = await untilDone(send, () => (done.unknown += 1));
          assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
          done[isSave ? 'saves' : 'changes'] += 1;
        }
      };

      const counts = { connections: 0, ended: 0 };
      /** Reads until the mark, over as many connections as necessary. Returns the revisions in the order in which they arrived. */
      const follow = async (): Promise<number[]> => {
        const seen: number[] = [];
        while (!isOver) {
          counts.connections += 1;
          // The service may also end the stream, because it sheds load or because the reader is too slow. In that case, the reader
          // reconnects too.
          const stream = await openStream(random.pick(instances), { key, lastEventId: seen.at(-1) ?? hello.id }).catch(() => undefined);
          const rest = 1 + random.below(maxEventsPerConnection);
          for (let count = 0; count < rest; count += 1) {
            const event = await stream?.next().catch(() => undefined);
            if (!event) {
              counts.ended += 1;
              break;
            }
            seen.push(event.data.type === 'reset' ? Number.NaN : event.id);
            if (!isMark(event)) continue;
            stream?.close();
            return seen;
          }
          stream?.close();
        }
        return seen;
      };
      const streams = Promise.all(Array.from({ length: streamCount }, follow));
      await Promise.all(Array.from({ length: writerCount }, write));
      const mark = { name: 'mark', template: 'x', labels: [] };
      assert.equal((await call(first, 'POST', '/api/prompts', { key, body: mark })).status, 201);

      const expected = await listRevisions(database, { userId, after: hello.id });
      assert.equal(expected.length, writes + 1, `one event for each act; the database was unavailable ${done.unknown} times`);
      for (const seen of await streams) assert.deepEqual(seen, expected);
      const seconds = Math.round((performance.now() - started) / 1000);
      t.diagnostic(
        `seed ${random.seed}: ${writes} writes (${done.saves} versions, ${done.changes} descriptions), ` +
          `${streamCount} streams over ${counts.connections} connections, ${counts.ended} of which the service ended, ${seconds} s`,
      );
    } finally {
      isOver = true;
      await Promise.all(instances.map((instance) => instance.stop()));
      await database.remove();
    }
  });
});

/** Starts the built program in a campaign. Otherwise, starts the service in this process, which is faster. */
async function start(database: TestDatabase): Promise<Instance> {
  if (isCampaign) return serveProgram({ ...database.env, LOG_LEVEL: 'fatal' });
  const service = await startService({ database });
  return { url: service.url, stop: service.close };
}

function isMark({ data }: ReceivedEvent): boolean {
  return data.type === 'prompt.created' && data.prompt?.name === 'mark';
}

/**
 * Repeats the request while the machine is too busy. After `database_unavailable`, the service may have made the change. After any other
 * error, it has not.
 */
async function untilDone(send: () => Promise<ApiResponse>, onUnknown: () => void): Promise<ApiResponse> {
  for (;;) {
    const response = await send();
    if (![408, 429, 503].includes(response.status)) return response;
    if ((response.body as ErrorBody).code === 'database_unavailable') onUnknown();
  }
}

async function listRevisions({ env }: TestDatabase, { userId, after }: { userId: string; after: number }): Promise<number[]> {
  const client = new pg.Client(env.DATABASE_URL);
  await client.connect();
  const { rows } = await client.query('select revision from events where account_id = $1 and revision > $2 order by revision', [
    userId,
    after,
  ]);
  await client.end();
  return rows.map(({ revision }) => Number(revision));
}
