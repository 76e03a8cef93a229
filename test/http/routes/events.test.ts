import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, register, signIn, type TestAccount } from '../../support/client.ts';
import { engines, postgres } from '../../support/engines.ts';
import { openStream, type ReceivedEvent } from '../../support/event-stream.ts';
import { newClient } from '../../support/prompts.ts';
import { type Service, startService } from '../../support/service.ts';
import { inWorkspace, newMember } from '../../support/workspaces.ts';

const typeOf = ({ data }: ReceivedEvent) => data.type;

for (const engine of engines) {
  describe(`GET /api/events (${engine.name})`, () => {
    let service: Service;
    let account: TestAccount;
    before(async () => {
      service = await startService({ engine });
      account = await register(service);
    });
    after(() => service.close());

    async function send(method: string, path: string, body?: unknown, key = account.token): Promise<void> {
      const { status, text } = await call(service, method, path, { key, ...(body !== undefined && { body }) });
      assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
    }

    /** Makes a change whose event tells the test to stop reading. */
    async function mark(description: string, key = account.token): Promise<void> {
      await send('POST', '/api/prompts', { name: `marks/${description}`, template: 'x', labels: [] }, key);
    }
    const isMark =
      (description: string) =>
      ({ data }: ReceivedEvent) =>
        data.prompt?.name === `marks/${description}`;

    it('reports each action once, in the order of revisions, with who did it and what changed', async () => {
      const stream = await openStream(service, { key: account.token });
      assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/);
      assert.equal(stream.headers.get('cache-control'), 'no-store');
      assert.equal(stream.headers.get('x-accel-buffering'), 'no');
      assert.ok(stream.headers.get('x-request-id'));
      await send('POST', '/api/prompts', { name: 'acts', template: 'a' });
      await send('POST', '/api/prompts/acts/versions', { template: 'b', labels: ['staging', 'beta'] });
      await send('PUT', '/api/prompts/acts/labels/production', { version: 2 });
      await send('PUT', '/api/prompts/acts/labels/production', { version: 2 });
      await send('DELETE', '/api/prompts/acts/labels/beta');
      await send('PATCH', '/api/prompts/acts', { name: 'acts/renamed' });
      await send('DELETE', '/api/prompts/acts%2Frenamed');
      await send('POST', '/api/prompts/acts%2Frenamed/restore');
      await mark('end');
      const events = await stream.until(isMark('end'));
      stream.close();

      assert.deepEqual(
        events.map(({ data: { type, prompt, label, from, to, version } }) => [type, prompt?.name, label, from, to, version]),
        [
          ['prompt.created', 'acts', undefined, undefined, undefined, 1],
          ['label.moved', 'acts', 'production', null, 1, undefined],
          ['version.created', 'acts', undefined, undefined, undefined, 2],
          ['label.moved', 'acts', 'staging', null, 2, undefined],
          ['label.moved', 'acts', 'beta', null, 2, undefined],
          ['label.moved', 'acts', 'production', 1, 2, undefined],
          ['label.removed', 'acts', 'beta', 2, undefined, undefined],
          ['prompt.changed', 'acts/renamed', undefined, 'acts', 'acts/renamed', undefined],
          ['prompt.deleted', 'acts/renamed', undefined, undefined, undefined, undefined],
          ['prompt.restored', 'acts/renamed', undefined, undefined, undefined, undefined],
          ['prompt.created', 'marks/end', undefined, undefined, undefined, 1],
        ],
      );
      const ids = events.map(({ id }) => id);
      assert.deepEqual(
        ids,
        [...new Set(ids)].sort((a, b) => a - b),
      );
      assert.ok(ids.every((id) => id > stream.hello.id));
      for (const { data } of events) {
        assert.deepEqual([data.by?.userId, data.by?.via], [account.userId, 'api']);
        assert.ok(Date.parse(data.at));
      }
    });

    it('replays missed events after Last-Event-ID or ?after=, and continues', async () => {
      const first = await openStream(service, { key: account.token });
      const acts = ['one', 'two', 'three'];
      for (const act of acts) await mark(act);
      const seen = await first.until(isMark('three'));
      first.close();
      await mark('four');
      const [position] = seen;
      assert.ok(position);
      for (const options of [{ lastEventId: position.id }, { query: `?after=${position.id}` }]) {
        const again = await openStream(service, { key: account.token, ...options });
        assert.equal(again.hello.id, position.id, 'a stream that breaks off now continues at the same place');
        const replayed = await again.until(isMark('four'));
        assert.deepEqual(
          replayed.map(({ data }) => data.prompt?.name),
          ['marks/two', 'marks/three', 'marks/four'],
        );
        again.close();
      }
      // The test reads the position from the `hello` of a stream that received no events.
      const idle = await openStream(service, { key: account.token });
      idle.close();
      const later = await openStream(service, { key: account.token, lastEventId: idle.hello.id });
      await mark('five');
      assert.equal((await later.next()).data.prompt?.name, 'marks/five');
      later.close();
    });

    it('replays more than a page', async () => {
      const { token: key } = await register(service);
      const { hello, close } = await openStream(service, { key });
      close();
      await send('POST', '/api/prompts', { name: 'many', template: 'x' }, key);
      for (let version = 2; version <= 5; version += 1) {
        const labels = Array.from({ length: 18 }, (_, index) => `l${index}`);
        await send('POST', '/api/prompts/many/versions', { template: 'x', labels }, key);
        for (let moved = 0; moved < 10; moved += 1)
          await send('PUT', '/api/prompts/many/labels/production', { version: 1 + (moved % version) }, key);
      }
      await mark('end', key);
      const stream = await openStream(service, { key, lastEventId: hello.id });
      const events = await stream.until(isMark('end'));
      stream.close();
      assert.ok(events.length > 100, String(events.length));
      assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
    });

    it('sends reset if the position is unknown', async () => {
      const seen = await openStream(service, { key: account.token });
      await mark('seen');
      const { id } = await seen.next();
      seen.close();
      // The last bits of a revision are random, so that the service recognizes a revision from before a backup was restored.
      const fromElsewhere = id % 2 === 0 ? id + 1 : id - 1;
      for (const lastEventId of [String(fromElsewhere), '9007199254740991', '99999999999999999999', 'abc', '-1', '1.5']) {
        const stream = await openStream(service, { key: account.token, lastEventId });
        assert.equal(typeOf(await stream.next()), 'reset', lastEventId);
        await mark(`after-${lastEventId}`);
        assert.ok(isMark(`after-${lastEventId}`)(await stream.next()), 'and then goes on');
        stream.close();
      }
      assert.equal((await call(service, 'GET', '/api/events?after=x', { key: account.token })).status, 400);
    });

    it('can be narrowed to a prompt and to a label', async () => {
      const byPrompt = await openStream(service, { key: account.token, query: '?prompt=narrow%2Fa' });
      const byLabel = await openStream(service, { key: account.token, query: '?label=staging' });
      for (const name of ['narrow/b', 'narrow/a'])
        await send('POST', '/api/prompts', { name, template: 'x', labels: ['staging', 'other'] });
      const events = await byPrompt.until(({ data }) => data.label === 'staging');
      assert.ok(events.every(({ data }) => data.prompt?.name === 'narrow/a'));
      const labeled = [await byLabel.next(), await byLabel.next()];
      assert.deepEqual(
        labeled.map(({ data }) => [data.prompt?.name, data.label]),
        [
          ['narrow/b', 'staging'],
          ['narrow/a', 'staging'],
        ],
      );
      byPrompt.close();
      byLabel.close();
    });

    it('sends nothing to another workspace', async () => {
      const other = await register(service);
      const stream = await openStream(service, { key: other.token, lastEventId: 1 });
      assert.equal(typeOf(await stream.next()), 'reset');
      await mark('secret');
      await mark('own', other.token);
      assert.deepEqual((await stream.until(isMark('own'))).length, 1);
      stream.close();
    });

    it('ends when the key is reset, and 401 from then on', async () => {
      const leaving = await register(service);
      const staying = await openStream(service, { key: account.token });
      const stream = await openStream(service, { key: leaving.token });
      const { status } = await call(service, 'DELETE', '/api/auth/token', { key: leaving.token });
      assert.equal(status, 200);
      await stream.ended;
      assert.equal((await call(service, 'GET', '/api/events', { key: leaving.token })).status, 401);
      await mark('still-there');
      await staying.until(isMark('still-there'));
      staying.close();
    });

    it('is open to a session until it signs out', async () => {
      const cookie = await signIn(service, account);
      const stream = await openStream(service, { cookie });
      await mark('seen-by-session');
      await stream.until(isMark('seen-by-session'));
      const { status } = await call(service, 'POST', '/api/session/sign-out', { cookie, headers: { origin: service.url }, body: {} });
      assert.equal(status, 204);
      await stream.ended;
    });

    it('ends at the deletion of the account', async () => {
      const leaving = await register(service);
      const cookie = await signIn(service, leaving);
      const stream = await openStream(service, { key: leaving.token });
      const { status, text } = await call(service, 'DELETE', '/api/account', {
        cookie,
        headers: { origin: service.url },
        body: { password: leaving.password },
      });
      assert.equal(status, 204, text);
      await stream.ended;
    });

    it('401 without a key; 405 for HEAD', async () => {
      assert.equal((await call(service, 'GET', '/api/events')).status, 401);
      assert.equal((await call(service, 'HEAD', '/api/events', { key: account.token })).status, 405);
    });

    it('a stop of the service ends streams at once', async () => {
      const stopping = await startService({ engine });
      const { token: key } = await register(stopping);
      const stream = await openStream(stopping, { key });
      await stopping.close();
      await stream.ended;
    });
  });
}

describe('GET /api/events on two instances', () => {
  let first: Service;
  let second: Service;
  let account: TestAccount;
  before(async () => {
    first = await startService({ engine: postgres });
    second = await startService({ database: first.database });
    account = await register(first);
  });
  after(async () => {
    await second.close();
    await first.close();
  });

  it('reports what the other instance wrote, and ends when that instance resets the key', async () => {
    const stream = await openStream(first, { key: account.token });
    const body = { name: 'elsewhere', template: 'x' };
    assert.equal((await call(second, 'POST', '/api/prompts', { key: account.token, body })).status, 201);
    assert.deepEqual((await stream.until(({ data }) => data.type === 'label.moved')).map(typeOf), ['prompt.created', 'label.moved']);
    assert.equal((await call(second, 'DELETE', '/api/auth/token', { key: account.token })).status, 200);
    await stream.ended;
  });

  it('forwards nothing that was written after the other instance removed the reader', async () => {
    const owner = await newClient(first);
    const member = await newMember(first, owner, 'viewer');
    const stream = await openStream(first, { key: member.token, ...inWorkspace(owner) });
    const received: unknown[] = [];
    const read = stream.until((event) => received.push(event.data.prompt?.name) === 0);
    // The test attaches the handler before the next request, because the stream may end before the response arrives.
    const rejected = assert.rejects(read, /The stream has ended/);
    const options = { key: owner.token };
    assert.equal((await call(second, 'DELETE', `/api/members/${member.userId}`, options)).status, 204);
    await owner.create({ name: 'written after the removal', template: 'x' });
    await stream.ended;
    await rejected;
    assert.deepEqual(received, []);
  });
});
