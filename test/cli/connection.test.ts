import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { createCliFolder } from '../support/cli.ts';
import { startHttpsServer, withoutHttps } from '../support/https-server.ts';

const key = `ph_${'a'.repeat(64)}`;

describe('promptharbor: connections', { concurrency: false }, () => {
  it('states the cause of a TLS failure and the remedy, and the remedy works', { skip: withoutHttps }, async (t) => {
    const { port, certificate } = await startHttpsServer(t);
    const newFolder = (url: string, env = {}) => createCliFolder(t, { PROMPTHARBOR_URL: url, PROMPTHARBOR_API_KEY: key, ...env });
    const untrusted = await newFolder(`https://localhost:${port}`);
    const langfuse = { LANGFUSE_PUBLIC_KEY: 'pk', LANGFUSE_SECRET_KEY: 'sk' };
    for (const [folder, args] of [
      [untrusted, ['list']],
      [untrusted, ['login', '--email', 'ada@example.com']],
      [untrusted, ['watch']],
      [await newFolder('http://127.0.0.1:1', langfuse), ['import', 'langfuse', `https://localhost:${port}`]],
    ] as const) {
      const { code, stderr } = await folder.run([...args], 'password\n');
      assert.equal(code, 5, stderr);
      assert.match(
        stderr,
        /^promptharbor: The certificate of https:\/\/localhost:\d+ is not trusted \(self-signed certificate\)\. .*set NODE_EXTRA_CA_CERTS to a PEM file/,
      );
      assert.doesNotMatch(stderr, /cannot be reached|Is the service running|\n\s+at /);
    }
    const trusted = await newFolder(`https://localhost:${port}`, { NODE_EXTRA_CA_CERTS: certificate });
    assert.equal((await trusted.run(['list'])).stderr, 'No prompts found.\n');
    const other = await newFolder(`https://127.0.0.1:${port}`, { NODE_EXTRA_CA_CERTS: certificate });
    assert.match((await other.run(['list'])).stderr, /The certificate of https:\/\/127\.0\.0\.1:\d+ is for another name \(.*127\.0\.0\.1/);
  });

  it('https to a service that uses http says so', async (t) => {
    const url = await startServer(t, '{}');
    const folder = await createCliFolder(t, { PROMPTHARBOR_URL: url.replace('http:', 'https:'), PROMPTHARBOR_API_KEY: key });
    const { code, stderr } = await folder.run(['list']);
    assert.equal(code, 5);
    assert.match(stderr, /^promptharbor: The TLS connection to .* failed \(.*\)\. Does the service use http instead of https\?\n$/);
  });

  it('a response with only some of the fields is explained in a sentence, without a stack', async (t) => {
    const partial = { id: 'x', name: 'a', type: 'text', version: 1, label: 'production', state: 'running', from: 'a', to: 'b', now: 'c' };
    const url = await startServer(t, JSON.stringify(partial));
    const folder = await createCliFolder(t, { PROMPTHARBOR_URL: url, PROMPTHARBOR_API_KEY: key });
    for (const args of [
      ['get', 'a'],
      ['release', 'show', 'a'],
      ['release', 'pause', 'a'],
      ['results', 'a'],
    ]) {
      const { code, stderr } = await folder.run(args);
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr, /^promptharbor: A response lacks something that this command needs \(.*\)\. Is this/, args.join(' '));
      assert.doesNotMatch(stderr, /\n\s+at /);
    }
  });

  for (const body of ['{}', 'null', '{"data":{}}', '{"data":[{}]}', '{"data":[null]}']) {
    it(`a response with the body ${body} is explained in a sentence, without a stack`, async (t) => {
      const folder = await createCliFolder(t, { PROMPTHARBOR_URL: await startServer(t, body), PROMPTHARBOR_API_KEY: key });
      await folder.write('promptharbor.json', '{}');
      await folder.write('prompts/a.prompt.yaml', 'template: "{% render \'b\' %}"\n');
      await folder.write('empty.jsonl', '{"format":"promptharbor","version":1}\n');
      await folder.write('a.prompt', '---\nmodel: x\n---\nHi');
      for (const args of [
        ['whoami'],
        ['list'],
        ['get', 'a'],
        ['render', 'a'],
        ['pull'],
        ['watch'],
        ['push'],
        ['status'],
        ['diff'],
        ['lint'],
        ['types'],
        ['check', 'a'],
        ['check', '--all'],
        ['deploy', 'a', '1'],
        ['deploy', 'a', 'latest'],
        ['rollback', 'a'],
        ['release', 'start', 'a', '--arm', '2=5%'],
        ['release', 'show', 'a'],
        ['release', 'pause', 'a'],
        ['results', 'a'],
        ['results'],
        ['propose', 'a', '1'],
        ['proposals', 'list'],
        ['proposals', 'show', 'prop_1'],
        ['activity'],
        ['workspaces'],
        ['export'],
        ['export', '--format', 'files', '-o', 'out'],
        ['import', 'dotprompt', 'a.prompt'],
        ['login', '--email', 'ada@example.com'],
      ]) {
        const { code, stderr } = await folder.run(args, 'password\n');
        assert.ok(code !== null && code > 0, `${args.join(' ')}: exit ${code}`);
        assert.match(stderr, /^promptharbor: .*Is this the address of a PromptHarbor service\?\n$/s, args.join(' '));
        assert.doesNotMatch(stderr, /\n\s+at |Error:/, args.join(' '));
      }
    });
  }
});

async function startServer(t: TestContext, body: string): Promise<string> {
  const server = createServer((_req, res) => res.setHeader('content-type', 'application/json').end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
