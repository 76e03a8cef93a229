import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { commands } from '../../src/cli/commands.ts';

const isInGroup = (name: string) => ['import ', 'release ', 'proposals '].some((group) => name.startsWith(group));

it('docs/cli.md lists the commands that have --json', () => {
  const text = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');
  const [, list = ''] = /^(`whoami`.*?), and all `proposals`, `release` and `import`\ncommands have `--json`/ms.exec(text) ?? [];
  const named = [...list.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
  const withJson = commands.filter(({ options = {} }) => 'json' in options).map(({ name }) => name);
  assert.deepEqual(
    named,
    withJson.filter((name) => !isInGroup(name)),
  );
  assert.ok(commands.every(({ name, options = {} }) => !isInGroup(name) || 'json' in options));
});
