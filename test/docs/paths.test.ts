import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

const root = new URL('../../', import.meta.url);
/** The folders to which paths in the documentation are relative. */
const folders = ['', 'src/', 'src/http/', 'dashboard/src/', 'client/'];

it('every source file that a document names exists', () => {
  for (const document of [...globSync('docs/**/*.md', { cwd: root }), 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md']) {
    const text = readFileSync(new URL(document, root), 'utf8');
    for (const [, path = ''] of text.matchAll(/`([\w.-]+\/[\w./-]+\.tsx?)`/g)) {
      assert.ok(
        folders.some((folder) => existsSync(new URL(folder + path, root))),
        `${document}: ${path}`,
      );
    }
  }
});
