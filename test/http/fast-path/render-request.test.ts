import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Client, describeOnEveryEngine, newClient, pathOf } from '../../support/prompts.ts';

describeOnEveryEngine('POST /api/prompts/{name}/render: the fast path and the route', (service) => {
  // The fast path accepts this media type only without parameters.
  const viaRoute = { 'content-type': 'application/json; charset=utf-8' };

  /** Returns the response without the parts that differ between two equal requests, and whether it came from the fast path. */
  async function render(client: Client, name: string, body: unknown, headers: Record<string, string> = {}) {
    let handled = 0;
    const count = () => {
      handled += 1;
    };
    const channel = 'tracing:fastify.request.handler:start';
    subscribe(channel, count);
    const response = await client.call('POST', pathOf(name, '/render'), body, { headers });
    unsubscribe(channel, count);
    const shown = [...response.headers].filter(([header]) => header !== 'x-request-id' && header !== 'date').sort();
    return { status: response.status, text: response.text, headers: shown, isFast: handled === 0 };
  }

  async function prepare(): Promise<Client> {
    const client = await newClient(service());
    await client.create({ name: 'tone', template: 'kindly' });
    await client.create({
      name: 'über/grüße',
      template:
        'Grüße {{ name }}{% if polite %}, {% render "tone" %}{% endif %} {% if list %}{% for i in list %}[{{ i }}]{% endfor %}{% endif %}{{ x | default: "☀" }}',
      config: { temperature: 0.5, nested: { list: [1, null] } },
    });
    await client.create({ name: 'chat', messages: [{ role: 'user', content: 'Hi {{ name }}' }] });
    await client.create({ name: 'costly', template: `{{ name }}${'{{ no | default: "" }}'.repeat(200)}` });
    return client;
  }

  it('200: both send the same bytes and headers', async () => {
    const client = await prepare();
    const bodies: [string, unknown][] = [
      ['über/grüße', { variables: { name: 'Zoë "x" \\ \n 👋', polite: true, list: [1, 'b', { c: 1 }] } }],
      ['über/grüße', { variables: { name: 1 }, label: 'production' }],
      ['über/grüße', { variables: { name: null }, version: 1 }],
      ['über/grüße', { variables: { name: '' }, label: 'latest' }],
      ['tone', {}],
      ['tone', { variables: {} }],
      ['chat', { variables: { name: 'Ada' } }],
    ];
    for (const [name, body] of bodies) {
      const { isFast: _, ...expected } = await render(client, name, body, viaRoute);
      assert.equal(expected.status, 200, expected.text);
      const { isFast, ...response } = await render(client, name, body);
      assert.deepEqual(response, expected);
      assert.ok(isFast, `${name} ${JSON.stringify(body)}`);
    }
  });

  it('all other requests are left to the route, which sends the same response', async () => {
    const client = await prepare();
    for (const body of [{ variables: { name: 'x' } }, {}]) await render(client, 'über/grüße', body);
    const bodies: [string, unknown, number][] = [
      ['über/grüße', {}, 422],
      ['über/grüße', { variables: [] }, 400],
      ['über/grüße', { variables: null }, 400],
      ['über/grüße', { variables: { name: 'x' }, more: 1 }, 400],
      ['über/grüße', { variables: { name: 'x' }, label: 1 }, 400],
      ['über/grüße', { variables: { name: 'x' }, label: 'A B' }, 400],
      ['über/grüße', { variables: { name: 'x' }, label: '' }, 400],
      ['über/grüße', { variables: { name: 'x' }, label: 'production', version: 1 }, 400],
      ['über/grüße', { variables: { name: 'x' }, version: 1.5 }, 400],
      ['über/grüße', { variables: { name: 'x' }, version: 9 }, 404],
      ['über/grüße', { variables: { name: 'x' }, label: 'nope' }, 404],
      ['nope', { variables: { name: 'x' } }, 404],
      ['über/grüße', [], 400],
      ['über/grüße', 'text', 400],
      ['costly', { variables: { name: 'x' } }, 200],
      ['über/grüße', { variables: { name: 'x'.repeat(40_000) } }, 200],
    ];
    for (const [name, body, status] of bodies) {
      const { isFast: _, ...expected } = await render(client, name, body, viaRoute);
      assert.equal(expected.status, status, `${JSON.stringify(body).slice(0, 99)}: ${expected.text.slice(0, 200)}`);
      const { isFast, ...response } = await render(client, name, body);
      assert.deepEqual(response, expected);
      // An invalid request never reaches a handler.
      if (status !== 400) assert.equal(isFast, false);
    }
    const unknownKey = { ...client, token: `ph_${'0'.repeat(64)}` };
    const stranger = await newClient(service(), unknownKey);
    assert.equal((await render(stranger, 'tone', {})).status, 401);
    const other = await newClient(service());
    assert.equal((await render(other, 'tone', {})).status, 404, 'the prompts of another workspace are not found');
  });

  it('200: a new version, a moved label and a changed included prompt are rendered at once; a reset key is refused at once', async () => {
    const client = await prepare();
    const textOf = async (name: string, body: unknown = { variables: { name: 'A', polite: true } }) =>
      (JSON.parse((await render(client, name, body)).text) as { text: string }).text;
    await textOf('über/grüße');
    assert.equal(await textOf('über/grüße'), 'Grüße A, kindly ☀');
    await client.save('tone', { template: 'gently', labels: ['production'] });
    assert.equal(await textOf('über/grüße'), 'Grüße A, gently ☀');
    assert.equal(await textOf('über/grüße'), 'Grüße A, gently ☀');
    await client.label('tone', 'production', 1);
    assert.equal(await textOf('über/grüße'), 'Grüße A, kindly ☀');
    await client.call('DELETE', pathOf('tone'));
    assert.equal((await render(client, 'über/grüße', { variables: { name: 'A' } })).status, 422);
    assert.equal((await render(client, 'tone', {})).status, 404);
    await client.call('DELETE', '/api/auth/token');
    assert.equal((await render(client, 'chat', { variables: { name: 'A' } })).status, 401);
  });

  it('a body that arrives late is rendered with the state at that time', async () => {
    const client = await prepare();
    for (let count = 0; count < 2; count += 1) await render(client, 'tone', {});
    const { hostname, port } = new URL(service().url);
    const start = () => {
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST ${pathOf('tone', '/render')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\n` +
          'Content-Type: application/json\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{',
      );
      return socket;
    };
    const finish = async (socket: Socket) => {
      socket.write('}');
      let response = '';
      for await (const chunk of socket) response += String(chunk);
      return response;
    };
    const [beforeMove, beforeReset] = [start(), start()];
    await client.save('tone', { template: 'gently', labels: ['production'] });
    assert.match(await finish(beforeMove), /^HTTP\/1\.1 200 .*gently/s);
    await client.call('DELETE', '/api/auth/token');
    assert.match(await finish(beforeReset), /^HTTP\/1\.1 401 /s);
  });

  it('200: each render counts once for the route and the prompt, and has one log line', async () => {
    const client = await prepare();
    for (let count = 0; count < 3; count += 1) await render(client, 'tone', {}, { 'x-request-id': `render-${client.userId}-${count}` });
    await service().ctx.recorder.flush();
    const stats = await client.get<{ byRoute: { route: string; calls: number }[]; byPrompt: { name: string; calls: number }[] }>(
      '/api/stats',
    );
    assert.equal(stats.byRoute.find(({ route }) => route === 'POST /api/prompts/{name}/render')?.calls, 3);
    assert.equal(stats.byPrompt.find(({ name }) => name === 'tone')?.calls, 3);
    const lines = service()
      .logs()
      .split('\n')
      .filter((line) => line.includes(`"id":"render-${client.userId}-`));
    assert.equal(lines.length, 3);
    for (const line of lines) assert.match(line, /"method":"POST","route":"\/api\/prompts\/:name\/render","status":200/);
  });

  it('200: a body in many chunks; 400: an invalid body; a client that disconnects in the middle of its body affects nothing', async () => {
    const client = await prepare();
    await render(client, 'tone', {});
    const { hostname, port } = new URL(service().url);
    const head = `POST ${pathOf('tone', '/render')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\nContent-Type: application/json\r\n`;
    const send = async (length: number, chunks: string[]) => {
      const socket = connect(Number(port), hostname);
      socket.write(`${head}Connection: close\r\nContent-Length: ${length}\r\n\r\n`);
      for (const chunk of chunks) {
        await nextTurn();
        socket.write(chunk);
      }
      let response = '';
      for await (const chunk of socket) response += String(chunk);
      return response;
    };
    assert.match(await send(16, [...'{"variables":{}}']), /^HTTP\/1\.1 200 .*"text":"kindly"/s);
    assert.match(await send(3, ['{"a']), /^HTTP\/1\.1 400 .*invalid_json/s);
    assert.match(await send(0, []), /^HTTP\/1\.1 400 /s);
    const gone = connect(Number(port), hostname).on('error', () => undefined);
    gone.write(`${head}Content-Length: 20\r\n\r\n{"variab`);
    await nextTurn();
    gone.destroy();
    assert.equal((await render(client, 'tone', {})).status, 200);
  });
});
