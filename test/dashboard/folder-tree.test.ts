import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Prompt } from '../../dashboard/src/lib/types.ts';
import { buildFolders, buildTree, findParent, type Row, toTreeRows } from '../../dashboard/src/prompts/folder-tree.ts';
import { findCommonFolder, toMovedName } from '../../dashboard/src/prompts/moved-names.ts';

const prompt = (name: string): Prompt => ({
  id: name,
  name,
  type: 'text',
  description: '',
  tags: [],
  latestVersion: 1,
  labels: {},
  createdAt: '',
  updatedAt: '',
});
const names = ['a', 'support/triage', 'support/mail/reply', 'support/mail/old/x', 'support.x', 'zeta/y'];
const show = (rows: Row[]) =>
  rows.map((row) => {
    const indent = '  '.repeat(row.depth);
    if (row.kind === 'folder') return `${indent}${row.isOpen ? '-' : '+'} ${row.name} (${row.count})`;
    return row.kind === 'more' ? `${indent}… ${row.remaining}` : indent + row.prompt.name;
  });

describe('the tree of folders', () => {
  it('shows prompts without a folder first, so that they do not follow the content of a folder', () => {
    const rows = toTreeRows(buildTree(names.map(prompt)), { isOpen: () => true });
    assert.deepEqual(show(rows), [
      'a',
      'support.x',
      '- support (3)',
      '  support/triage',
      '  - mail (2)',
      '    support/mail/reply',
      '    - old (1)',
      '      support/mail/old/x',
      '- zeta (1)',
      '  zeta/y',
    ]);
    assert.equal(findParent(rows, 5), 4);
    assert.equal(findParent(rows, 4), 2);
    assert.equal(findParent(rows, 1), undefined);
  });

  it('hides the content of closed folders, can begin at a folder, and can be reversed', () => {
    const tree = buildTree(names.map(prompt));
    assert.deepEqual(show(toTreeRows(tree, { isOpen: (path) => path === 'zeta', isDescending: true })), [
      'a',
      'support.x',
      '- zeta (1)',
      '  zeta/y',
      '+ support (3)',
    ]);
    const inside = names.filter((name) => name.startsWith('support/'));
    assert.deepEqual(show(toTreeRows(buildTree(inside.map(prompt), 'support'), { isOpen: () => false })), ['support/triage', '+ mail (2)']);
  });

  it('counts prompts that are not loaded, and says how many remain', () => {
    const folders = [
      { path: '', prompts: 1 },
      { path: 'a/b', prompts: 150 },
      { path: 'ab', prompts: 1 },
    ];
    const loaded = (path: string) => (path === 'a/b' ? [prompt('a/b/1')] : []);
    const rows = toTreeRows(buildFolders(folders, loaded), { isOpen: (path) => path !== 'ab' });
    assert.deepEqual(show(rows), ['… 1', '- a (150)', '  - b (150)', '    a/b/1', '    … 149', '+ ab (1)']);
    assert.deepEqual(show(toTreeRows(buildFolders(folders, loaded, 'a'), { isOpen: () => false })), ['+ b (150)']);
  });
});

describe('the names after a move', () => {
  it('keep the folders below the common folder', () => {
    const cases: [string[], string][] = [
      [['a', 'b'], ''],
      [['support/a/x', 'support/b'], 'support'],
      [['support/a/x', 'support/a/y/z'], 'support/a'],
      [['support/a', 'supportive/b'], ''],
      [['support/a'], 'support'],
      [[], ''],
    ];
    for (const [from, common] of cases) assert.equal(findCommonFolder(from), common, from.join());
    assert.equal(toMovedName('support/a/x', { base: 'support', target: 'archive' }), 'archive/a/x');
    assert.equal(toMovedName('support/a/x', { base: '', target: 'archive' }), 'archive/support/a/x');
    assert.equal(toMovedName('support/a/x', { base: 'support', target: '' }), 'a/x');
    assert.equal(toMovedName('x', { base: '', target: '' }), 'x');
  });
});
