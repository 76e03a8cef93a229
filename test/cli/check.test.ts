import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { after, before, describe, it, type TestContext } from 'node:test';
import { formatJunit } from '../../src/cli/prompts/junit.ts';
import type { CaseResult } from '../../src/contract/checks.ts';
import { type CliFolder, cliSettings, createCliFolder } from '../support/cli.ts';
import { connect, type RawServer, startModelService, startRawServer } from '../support/models.ts';
import { type Client, newClient, pathOf } from '../support/prompts.ts';
import type { Service } from '../support/service.ts';
import { newMember } from '../support/workspaces.ts';

/** Characters that must not reach a terminal or XML unescaped. */
const hostileOutput = ']]> <b a="\'">&amp; \u0000\u0007\u001b[31m \uffff 𝒜';

describe('promptharbor check', () => {
  let service: Service;
  let server: RawServer;
  let respond: (res: ServerResponse, text: string) => void;
  const write = (res: ServerResponse, content: string) =>
    void res
      .writeHead(200, { 'content-type': 'application/json' })
      .end(
        JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }], usage: { prompt_tokens: 10, completion_tokens: 5 } }),
      );
  before(async () => {
    service = await startModelService();
    server = await startRawServer((_req, res, body) => respond(res, body));
    respond = (res) => write(res, hostileOutput);
  });
  after(async () => {
    await service.close();
    await server.close();
  });

  /** Creates a project with test cases that need no model. Version 1 passes them, and version 2 does not. */
  async function newProject(t: TestContext): Promise<{ client: Client; folder: CliFolder }> {
    const client = await newClient(service);
    await client.create({ name: 'support/reply', template: 'Hello {{ name }}' });
    const checks = [{ kind: 'contains', value: 'Hello', on: 'prompt' }];
    const data = ['Ada', 'Bob'].map((name) => ({ name: `Greets ${name}`, variables: { name }, checks }));
    assert.equal((await client.call('POST', pathOf('support/reply', '/cases/import'), { data })).status, 201);
    await client.save('support/reply', { template: 'Bye {{ name }}' });
    return { client, folder: await createCliFolder(t, cliSettings(service, client)) };
  }

  it('exit 0 and 1: shows what failed and why; the results are kept, and open a gated label', async (t) => {
    const { client, folder } = await newProject(t);
    const passed = await folder.run(['check', 'support/reply']);
    assert.deepEqual([passed.code, passed.stdout], [0, 'passed  support/reply  version 1, 2 test cases\n']);
    assert.match(passed.stderr, /1 prompt checked, 2 of 2 test cases passed\.\n$/);
    const failed = await folder.run(['check', 'support/reply', '--label', 'latest']);
    assert.equal(failed.code, 1);
    assert.match(
      failed.stdout,
      /^failed {2}support\/reply {2}version 2, 2 of 2 test cases\n {2}CASE +CHECK +REASON\n {2}Greets Ada +contains "Hello" in the prompt +The prompt /,
    );
    await client.call('PATCH', '/api/workspace', { gatedLabels: ['staging'] });
    assert.equal((await folder.run(['deploy', 'support/reply', '2', '--label', 'staging'])).code, 1);
    await folder.runWell(['deploy', 'support/reply', '1', '--label', 'staging']);
  });

  it('--all and folders skip prompts without test cases or the label; prompts selected by name must have both', async (t) => {
    const { client, folder } = await newProject(t);
    await client.create({ name: 'support/empty', template: 'x' });
    await client.create({ name: 'other', template: 'x', labels: [] });
    for (const args of [['--all'], ['support'], ['support/', 'other'], ['support/reply', 'support']]) {
      const { code, stdout } = await folder.run(['check', ...args, '--label', 'production', '--json']);
      const { passed, failed, prompts, skipped } = JSON.parse(stdout || '{}');
      if (args.includes('other')) assert.equal(code, 4, 'it has no such label');
      else {
        assert.deepEqual([code, passed, failed, prompts[0].name, prompts[0].cases.length], [0, 2, 0, 'support/reply', 2]);
        assert.ok(skipped.includes('support/empty') && !skipped.includes('support/reply'));
      }
    }
    const empty = await folder.run(['check', 'support/empty']);
    assert.equal(empty.code, 1);
    assert.match(empty.stderr, /support\/empty: The prompt has no test cases yet/);
  });

  it('runs on a model and shows the cost; the model’s output neither controls a terminal nor breaks the report', async (t) => {
    const { client, folder } = await newProject(t);
    const { name: connection } = await connect(client, server.url, { prices: { 'some-model': { input: 1000, output: 1000 } } });
    const data = [
      {
        name: 'Twice <&">',
        variables: { name: 'x' },
        checks: [
          { kind: 'contains', value: ']]>' },
          { kind: 'equals', value: '\t<no>' },
        ],
      },
      { name: 'Twice <&">', variables: { name: 'x' } },
      { name: 'Cannot be rendered' },
    ];
    await client.call('POST', pathOf('support/reply', '/cases/import'), { data });
    const args = ['check', 'support/reply', '--version', '1', '--connection', connection, '--parallel', '1'];
    const { code, stdout, stderr } = await folder.run([...args, '--junit', 'reports/checks.xml']);
    assert.equal(code, 1, stderr);
    assert.match(stdout, /^failed {2}support\/reply {2}version 1 on some-model, 2 of 5 test cases, \$0\.0300\n/);
    assert.match(stdout, /Twice <&"> +equals " <no>" +The output is not/);
    assert.match(stdout, /Cannot be rendered +could not be run +Variables are missing/);
    assert.doesNotMatch(stdout, /[^\P{Cc}\n]/u);
    assert.match(stderr, /3 of 5 test cases passed, \$0\.0300\.\n$/);
    const xml = await folder.read('reports/checks.xml');
    assert.match(xml, /<testsuites name="promptharbor check" tests="5" failures="1" errors="1" skipped="0" time="\d+\.\d{3}">/);
    assert.match(
      xml,
      /<testsuite name="support\/reply" tests="5" failures="1" errors="1" skipped="0" time="\d+\.\d{3}" timestamp="[\dT:-]{19}">/,
    );
    assert.match(xml, /<property name="model" value="some-model"\/>/);
    assert.match(xml, /<testcase classname="support\/reply" name="Greets Ada" time="0\.000"\/>/);
    assert.match(xml, /name="Twice &lt;&amp;&quot;&gt; \(2\)"/);
    assert.match(xml, /<error message="Variables are missing[^"]*" type="missing_variables">/);
    assert.ok(xml.includes('<system-out>]]&gt; &lt;b a=&quot;&apos;&quot;&gt;&amp;amp; \ufffd\ufffd\ufffd[31m \ufffd 𝒜</system-out>'), xml);
    assertWellFormed(xml);
  });

  it('exit codes: 2 usage, 3 role, 4 not found, 5 no service; the report says so too', async (t) => {
    const { client, folder } = await newProject(t);
    const codeOf = async (...args: string[]) => (await folder.run(['check', ...args])).code;
    assert.equal(await codeOf(), 2);
    assert.equal(await codeOf('support/reply', '--all'), 2);
    assert.equal(await codeOf('a', 'b', '--version', '1'), 2);
    assert.equal(await codeOf('support/reply', '--label', 'Bad!'), 2);
    assert.equal(await codeOf('support/reply', '--parallel', '9'), 2);
    assert.equal(await codeOf('support/reply', '--connection', 'nothing'), 2);
    await client.create({ name: 'model', template: 'Hello' });
    await client.call('POST', pathOf('model', '/cases'), { name: 'Sample', variables: {} });
    const withoutModel = await folder.run(['check', 'model']);
    assert.equal(withoutModel.code, 2);
    assert.match(withoutModel.stderr, /model: --connection: Required because the test case “Sample” needs the output of a model$/m);
    assert.equal(await codeOf('nothing'), 4);
    assert.equal(await codeOf('--all', '--label', 'stagign', '--junit', 'none.xml'), 4, 'nothing was checked');
    assert.match(await folder.read('none.xml'), /errors="1".*No prompt has the label &quot;stagign&quot;/s);
    assert.equal(await codeOf('support/reply', '--version', '9', '--junit', 'checks.xml'), 4);
    const xml = await folder.read('checks.xml');
    assert.match(xml, /tests="1" failures="0" errors="1".*The prompt has no version 9/s);
    assertWellFormed(xml);
    await folder.write('taken', '');
    const unwritable = await folder.run(['check', 'support/reply', '--junit', 'taken/checks.xml']);
    assert.deepEqual([unwritable.code, unwritable.stdout], [1, ''], 'nothing was run');
    const viewer = await newMember(service, client, 'viewer');
    const watching = await createCliFolder(t, cliSettings(service, viewer));
    assert.equal((await watching.run(['check', 'support/reply', '--workspace', client.userId])).code, 3);
    const nowhere = await createCliFolder(t, cliSettings({ url: 'http://127.0.0.1:1' }, client));
    assert.equal((await nowhere.run(['check', 'support/reply'])).code, 5);
  });

  it('Ctrl+C cancels the request to the model, keeps no result, and exits with 130', async (t) => {
    const { client, folder } = await newProject(t);
    const { name: connection } = await connect(client, server.url);
    await client.call('POST', pathOf('support/reply', '/cases'), { name: 'Long', variables: { name: 'Ada' } });
    const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>();
    const usual = respond;
    t.after(() => {
      respond = usual;
    });
    respond = resolve;
    const running = folder.start(['check', 'support/reply', '--connection', connection, '--junit', 'checks.xml']);
    const upstream = await asked;
    const closed = once(upstream, 'close');
    running.child.kill('SIGINT');
    const { code, stdout, stderr } = await running.finished;
    assert.deepEqual([code, stdout], [130, '']);
    assert.match(stderr, /support\/reply: The check run was canceled\.\n$/);
    assert.match(await folder.read('checks.xml'), /errors="1"/);
    await closed;
    assert.deepEqual(await client.get(pathOf('support/reply', '/checks')), { data: [], nextCursor: null });
  });
});

describe('formatJunit', () => {
  it('is well-formed for any names, reasons and outputs', () => {
    const controls = Array.from({ length: 0x300 }, (_, code) => String.fromCharCode(code)).join('');
    const everything = `${controls}${hostileOutput}\ud800 \udc00`;
    const result: CaseResult = {
      id: 'c_1',
      name: everything,
      passed: false,
      checks: [{ kind: 'equals', on: 'output', value: everything, passed: false, message: everything }],
      output: everything,
      error: null,
      usage: null,
      cost: null,
      firstTokenMs: null,
      durationMs: 1234,
    };
    const by = { userId: 'u_1', name: 'Ada', via: 'api' } as const;
    const counts = { passed: 0, failed: 2, current: true, cost: null, durationMs: 5, createdAt: '2026-11-15T08:30:00.000Z' };
    const check = { id: 'k_1', version: 1, connection: { id: 'm_1', name: everything }, model: everything, ...counts, by };
    const xml = formatJunit([{ name: everything, check, cases: [result, result] }], [{ name: everything, problem: everything }]);
    assertWellFormed(xml);
    assert.match(xml, /tests="3" failures="2" errors="1"/);
    assertWellFormed(formatJunit([]));
  });
});

/** Asserts that every element is closed, and that everything outside of elements is escaped text. */
function assertWellFormed(xml: string): void {
  assert.ok(xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites '));
  assert.ok(xml.isWellFormed());
  assert.doesNotMatch(xml, /[^\P{Cc}\n]|[\ufffe\uffff]/u);
  const open: string[] = [];
  const rest = xml
    .slice(xml.indexOf('\n'))
    .replaceAll(/<(\/?)([\w-]+)((?: \w+="[^"<>]*")*)(\/?)>/g, (_all, end, tag, _attributes, empty) => {
      if (end) assert.equal(open.pop(), tag);
      else if (!empty) open.push(tag);
      return '';
    });
  assert.deepEqual(open, []);
  assert.doesNotMatch(rest, /[<>"']/);
  assert.doesNotMatch(xml.replaceAll(/&(?:amp|lt|gt|quot|apos|#9|#10|#13);/g, ''), /&/);
}
