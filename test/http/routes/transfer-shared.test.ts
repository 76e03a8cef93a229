import assert from 'node:assert/strict';
import { request } from 'node:http';
import { it } from 'node:test';
import { type Client, describeOnEveryEngine, newClient } from '../../support/prompts.ts';
import { exportText, importText } from '../../support/transfer.ts';

/** This many imports do not fit into memory, because each announces the largest size that is allowed. */
const hostileAccounts = 40;

/**
 * Starts an import whose body never ends. `status` resolves with the status of its response, or undefined if the connection ends without
 * one.
 */
function stallImport({ service, token }: Client): { status: Promise<number | undefined>; stop(): void } {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' };
  const req = request(`${service.url}/api/import`, { method: 'POST', headers });
  const status = new Promise<number | undefined>((resolve) => {
    req.on('response', (res) => resolve(res.statusCode)).on('close', () => resolve(undefined));
  });
  req.on('error', () => undefined);
  req.write('{');
  return { status, stop: () => void req.destroy() };
}

describeOnEveryEngine('POST /api/import with many hostile accounts', (service) => {
  it('ASVS 15.2.2: endless bodies do not prevent others from importing and exporting', async () => {
    const source = await newClient(service());
    await source.create({ name: 'greeting', template: 'Hello {{ name }}' });
    const text = await exportText(source);
    const bystander = await newClient(service());
    const hostile = await Promise.all(Array.from({ length: hostileAccounts }, () => newClient(service())));
    const stalled = hostile.flatMap((client) => [stallImport(client), stallImport(client)]);
    // Some imports are refused, because together they exceed the limit.
    const refused = await Promise.race(stalled.map(({ status }) => status));
    assert.ok(refused === 429 || refused === 503, String(refused));
    assert.deepEqual(await importText(bystander, text), [{ name: 'greeting', status: 'created' }]);
    assert.deepEqual(await importText(bystander, text), [{ name: 'greeting', status: 'unchanged' }]);
    assert.equal(await exportText(bystander), text);
    for (const { stop } of stalled) stop();
    await Promise.all(stalled.map(({ status }) => status));
    assert.equal((await importText(hostile[0] ?? bystander, text))[0]?.status, 'created', 'what is gone makes room');
  });

  it('429: an import that loses its slot to an account without one says so, and closes its connection', async (t) => {
    // Only 32 of these imports fit into memory at once.
    const hostile = await Promise.all(Array.from({ length: 33 }, () => newClient(service())));
    const stalled = hostile.map(stallImport);
    t.after(() => {
      for (const { stop } of stalled) stop();
    });
    const statuses: (number | undefined)[] = [];
    for (const { status } of stalled) void status.then((each) => statuses.push(each));
    await Promise.race(stalled.map(({ status }) => status));
    const source = await newClient(service());
    await source.create({ name: 'greeting', template: 'x' });
    while (!statuses.includes(429)) await importText(await newClient(service()), await exportText(source));
    assert.ok(
      statuses.every((status) => status === 429 || status === 503),
      statuses.join(),
    );
  });
});
