import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { choosePaths, isPathOf, nameOfPath } from '../../../src/cli/files/file-names.ts';
import { randomPrompts } from '../../support/random-prompts.ts';

const pathOf = (name: string) => choosePaths([name], new Map()).get(name) ?? '';

describe('Paths of prompts', () => {
  it('are the same as the name if a file can have this name', () => {
    assert.equal(pathOf('support/reply'), 'support/reply.prompt.yaml');
    assert.equal(pathOf('Größe 語/v1.2 (old)'), 'Größe 語/v1.2 (old).prompt.yaml');
  });

  it('escape characters and names that a file system refuses, hides or reads as something else', () => {
    const paths = {
      'a:b?c*d': 'a%3Ab%3Fc%2Ad',
      '100%': '100%25',
      '.git/hooks': '%2Egit/hooks',
      'a./b': 'a%2E/b',
      con: '%63on',
      'NUL.txt': '%4EUL.txt',
      'aux/Lpt1': '%61ux/%4Cpt1',
      console: 'console',
      'x.prompt.yaml/y': 'x.prompt.yam%6C/y',
      '../up': '%2E%2E/up',
      'a//b': 'a/%/b',
    };
    for (const [name, path] of Object.entries(paths)) assert.equal(pathOf(name), `${path}.prompt.yaml`);
  });

  it('names that differ only in case, even inside a folder, get paths that differ on every disk', () => {
    const names = ['Reply', 'reply', 'REPLY', 'Support/a', 'support/b', 'straße', 'strasse'];
    const paths = choosePaths(names, new Map());
    assert.equal(paths.get('reply'), 'reply.prompt.yaml');
    assert.equal(paths.get('Reply'), '%52eply.prompt.yaml');
    assert.equal(paths.get('support/b'), 'support/b.prompt.yaml');
    assert.equal(paths.get('Support/a'), '%53upport/a.prompt.yaml');
    assert.equal(paths.get('straße'), 'stra%C3%9Fe.prompt.yaml');
  });

  it('a file that exists stays where it is, and a new one goes elsewhere', () => {
    const paths = choosePaths(['Reply', 'reply'], new Map([['Reply', 'Reply.prompt.yaml']]));
    assert.deepEqual([...paths], [['reply', '%72%65%70%6C%79.prompt.yaml']]);
  });

  it('a name that is too long keeps its beginning, and the file contains the whole name', () => {
    const path = pathOf('語'.repeat(200));
    assert.ok(Buffer.byteLength(path) < 200);
    assert.match(path, /^語{33}%~[0-9a-f]{16}\.prompt\.yaml$/);
    assert.equal(nameOfPath(path), undefined);
    assert.ok(isPathOf(path, '語'.repeat(200)));
    assert.ok(!isPathOf(path, '語'.repeat(199)));
  });

  it('can be converted back to the name, even for many random names together', () => {
    const names = randomPrompts(500).map(({ name }) => name);
    const paths = choosePaths(names, new Map());
    const folded = new Set([...paths.values()].map((path) => path.toLowerCase()));
    assert.equal(folded.size, names.length, 'all differ, whatever the case');
    for (const [name, path] of paths) {
      assert.ok(isPathOf(path, name), path);
      assert.ok([name, undefined].includes(nameOfPath(path)), path);
      for (const part of path.split('/')) {
        assert.ok(Buffer.byteLength(part) <= 220, part);
        assert.doesNotMatch(part, /^[. ]|[. ]$|[:?*"<>|\\\p{Cc}]|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu);
      }
    }
  });
});
