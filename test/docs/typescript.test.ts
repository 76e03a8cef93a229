import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));

it('docs/prompts.md: its TypeScript compiles under strict, without types of a browser', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'promptharbor-docs-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const text = await readFile(join(root, 'docs/prompts.md'), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
  assert.ok(blocks.length > 0);
  const files = blocks.map((_code, index) => join(folder, `example-${index}.mts`));
  await Promise.all(blocks.map((code, index) => writeFile(files[index] ?? '', code)));
  const options = ['--noEmit', '--strict', '--target', 'es2024', '--lib', 'es2024', '--module', 'nodenext', '--ignoreConfig'];
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
  const { stdout } = await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), [...options, ...types, ...files]).catch(
    (err: { stdout: string }) => err,
  );
  assert.equal(stdout, '');
});
