import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { commands } from '../../src/cli/commands.ts';

it('docs/cli.md lists the commands that have --json', () => {
  const text = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  const [, list = ''] = /^(`whoami`.*?) and all `import`\ncommands have `--json`/ms.exec(text) ?? [];
  const named = [...list.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
  const withJson = commands.filter(({ options = {} }) => 'json' in options).map(({ name }) => name);
  assert.deepEqual(
    named,
    withJson.filter((name) => !name.startsWith('import ')),
  );
  assert.ok(commands.every(({ name, options = {} }) => !name.startsWith('import ') || 'json' in options));
});
