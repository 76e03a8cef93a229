import assert from 'node:assert/strict';
import { call } from '../../test/support/client.ts';
import { startRawServer } from '../../test/support/models.ts';

const heavy = '{% for a in (1..100) %}{% for b in (1..100) %}{{ x }}{% endfor %}{% endfor %}';

export async function save(url: string, key: string, name: string): Promise<void> {
  const { status, text } = await call({ url }, 'POST', '/api/prompts', { key, body: { name, template: heavy } });
  assert.equal(status, 201, text);
}

/** Saves prompts until the service is killed, and lists those whose response arrived. */
export async function saveUntilRefused(url: string, key: string, acknowledged: string[]): Promise<void> {
  for (let count = 0; ; count += 1) {
    try {
      await save(url, key, `prompt-${count}`);
    } catch (err) {
      if (err instanceof assert.AssertionError) throw err;
      return;
    }
    acknowledged.push(`prompt-${count}`);
  }
}

/** Asserts that the service serves its pages, and renders each prompt completely. */
export async function assertWhole(url: string, key: string, names: string[]): Promise<void> {
  for (const path of ['/dashboard', '/docs', '/docs/guides', '/api/openapi.json', '/readyz']) {
    assert.equal((await call({ url }, 'GET', path)).status, 200, path);
  }
  const script = /\/dashboard\/assets\/[^"]+\.js/.exec((await call({ url }, 'GET', '/dashboard')).text)?.[0] ?? '';
  assert.match((await call({ url }, 'GET', script)).headers.get('content-type') ?? '', /javascript/);
  for (const name of names) {
    const { status, body } = await call({ url }, 'POST', `/api/prompts/${name}/render`, { key, body: { variables: { x: 'y' } } });
    assert.equal(status, 200, name);
    assert.equal((body as { text: string }).text, 'y'.repeat(10_000), name);
  }
}

export async function assertChecksRun(url: string, key: string): Promise<void> {
  const model = await startRawServer((_req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.end('data: {"choices":[{"index":0,"delta":{"content":"yes"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
  });
  try {
    const send = (path: string, body: object) => call({ url }, 'POST', path, { key, body, headers: { accept: 'application/json' } });
    const { body } = await send('/api/models', { name: 'm', baseUrl: model.url, models: ['some-model'], apiKey: 'k' });
    const check = { kind: 'matches', value: '^yes$' };
    assert.equal((await send('/api/prompts/before/cases', { name: 'one', variables: { x: 'y' }, checks: [check] })).status, 201);
    const { id: connection } = body as { id: string };
    const checked = await send('/api/prompts/before/checks', { version: 1, connection, model: 'some-model' });
    assert.equal(checked.status, 200, checked.text);
    assert.match(checked.text, /"passed":1|"state":"passed"|"passed":true/);
  } finally {
    await model.close();
  }
}
