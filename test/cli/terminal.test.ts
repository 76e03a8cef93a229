import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { formatTable, paint, write } from '../../src/cli/terminal.ts';
import { type CliFolder, cliSettings, createCliFolder } from '../support/cli.ts';
import { connect, startModelService, startRawServer } from '../support/models.ts';
import { type Client, newClient, pathOf } from '../support/prompts.ts';
import type { Service } from '../support/service.ts';

/** The service stores any character in a config. It refuses most of these elsewhere, but a model or another service may send them. */
const directions = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
const hostile = `\u0080\u0084\u0085\u008d\u0090\u009b2J\u009d0;title\u009c\u009f${directions}`;
const moreHostile = `\u0007\u0008\u000b\u000c\u001b[2J\u001b]0;title\u0007\u001b]52;c;AAAA\u001b\\\u007f${hostile}`;
const template = `a\r${directions}b\tc\r\nd\ne`;
const forbidden = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u;
/** Removes the colors and progress bars that the program itself writes. */
const withoutOurs = (text: string) => stripVTControlCharacters(text.replaceAll('\r\u001b[K', ''));

/** Makes the program treat both outputs as terminals, although the test reads them. */
const asTerminal = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent('process.stdout.isTTY = true; process.stderr.isTTY = true;')}`,
  FORCE_COLOR: '1',
};

describe('Text that others wrote, on a terminal', () => {
  let service: Service;
  let client: Client;
  before(async () => {
    service = await startModelService();
    client = await newClient(service);
    const config = { stop: hostile, seed: moreHostile, [hostile]: 1 };
    await client.create({ name: 'evil', template, description: directions, message: directions, config });
    await client.create({ name: 'chat', messages: [{ role: 'user', content: `${directions}\r` }], config });
  });
  after(() => service.close());

  async function assertHarmless(folder: CliFolder, args: string[]): Promise<string> {
    const { stdout, stderr } = await folder.run(args);
    assert.doesNotMatch(withoutOurs(stdout + stderr), forbidden, args.join(' '));
    return stdout;
  }

  it('cannot control a terminal through any command that shows it', async (t) => {
    const folder = await createCliFolder(t, { ...cliSettings(service, client), ...asTerminal });
    const shown = await assertHarmless(folder, ['get', 'evil']);
    assert.match(shown, /\\u009b/, 'it is shown as what it is');
    for (const args of [['get', 'evil', '--json'], ['get', 'chat'], ['list'], ['list', '--json'], ['render', 'evil'], ['render', 'chat']]) {
      await assertHarmless(folder, args);
    }
    assert.match(await assertHarmless(folder, ['render', 'evil']), /b\tc\nd\ne/);
    for (const args of [['init'], ['pull'], ['status'], ['lint'], ['types'], ['types', '--check']]) await assertHarmless(folder, args);
    await folder.runWell(['pull', '--force']).catch(() => undefined);
    for (const file of (await folder.files()).keys()) {
      if (file.endsWith('.prompt.yaml')) await folder.write(file, `${await folder.read(file)}\n# \u009b2J\n`);
    }
    await client.save('evil', { template: `${template} again`, config: { stop: `${hostile} again` }, labels: ['production'] });
    for (const args of [['diff'], ['status'], ['push', '--dry-run'], ['get', `no${hostile}thing`], [`no${hostile}command`]]) {
      await assertHarmless(folder, args);
    }
  });

  it('cannot control a terminal through the output of a model', async (t) => {
    const raw = await startRawServer((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ choices: [{ message: { content: moreHostile }, finish_reason: 'stop' }] }));
    });
    t.after(() => raw.close());
    const { id } = await connect(client, raw.url);
    const checks = [{ kind: 'contains', value: `x${directions}` }];
    const added = await client.call('POST', pathOf('chat', '/cases'), { name: 'A case', variables: {}, checks });
    assert.equal(added.status, 201, added.text);
    await client.call('PUT', pathOf('chat', '/labels/production'), { version: 1 });
    const folder = await createCliFolder(t, { ...cliSettings(service, client), ...asTerminal });
    assert.match(await assertHarmless(folder, ['check', 'chat', '--connection', id]), /failed/);
  });

  it('is written unchanged to files and pipes', async (t) => {
    const folder = await createCliFolder(t, cliSettings(service, client));
    assert.match(await folder.runWell(['get', 'evil', '--version', '1']), /\u009b/);
    assert.equal(await folder.runWell(['render', 'evil', '--version', '1']), `${template}\n`);
    assert.equal(
      (JSON.parse(await folder.runWell(['get', 'evil', '--version', '1', '--json'])) as { config: { seed: string } }).config.seed,
      moreHostile,
    );
  });
});

it('a terminal gets no control characters from text, whatever they imitate; a file gets all of them', () => {
  const written: string[] = [];
  const stream = { isTTY: true, write: (text: string) => written.push(text) > 0 } as unknown as Parameters<typeof write>[0];
  write(stream, `${paint('red', moreHostile)}${moreHostile}\r\n\t\u001b[31m${paint('red', '')}`);
  assert.doesNotMatch(withoutOurs(written.join('')), forbidden);
  assert.match(written.join(''), /\\u001b\[31m/, 'colors of others are none');
  const json = JSON.stringify({ moreHostile });
  write(stream, json);
  assert.deepEqual(JSON.parse(written.at(-1) ?? ''), { moreHostile });
  Object.assign(stream, { isTTY: false });
  write(stream, moreHostile);
  assert.equal(written.at(-1), moreHostile);
  assert.doesNotMatch(formatTable([[moreHostile, 'b']]), forbidden);
});

it('commands write only through one function', () => {
  const root = fileURLToPath(new URL('../../src', import.meta.url));
  const found = ['main.ts', ...globSync('cli/**/*.ts', { cwd: root })].filter((file) =>
    /std(out|err)\.write\(|console\./.test(readFileSync(join(root, file), 'utf8')),
  );
  // Only the questions write to the terminal directly, because the terminal's line editing shows what a person types.
  assert.deepEqual(found, [join('cli', 'questions.ts')]);
});
