import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listVersionTexts, toSearchText } from '../../../src/contract/searched-texts.ts';
import { findMatches } from '../../../src/domain/prompts/find-matches.ts';

/** Returns the lines that are found, with the match in brackets. */
function find(text: string, search: string): string[] {
  return findMatches([{ path: '/template', text }], search, 5).map(
    ({ line, text: shown, start, end }) => `${line}: ${shown.slice(0, start)}[${shown.slice(start, end)}]${shown.slice(end)}`,
  );
}

describe('findMatches', () => {
  it('finds each line once, with its number, whatever the case', () => {
    assert.deepEqual(find('First\n  Never promise a Refund, refund\n\nno REFUNDS', 'refund'), [
      '2: Never promise a [Refund], refund',
      '4: no [REFUND]S',
    ]);
    assert.deepEqual(find('a\r\nb refund\r\n', 'REFUND'), ['2: b [refund]']);
  });

  it('finds at most as many lines as asked for', () => {
    const texts = ['/a', '/b'].map((path) => ({ path, text: 'x\nx\nx' }));
    assert.deepEqual(
      findMatches(texts, 'x', 5).map(({ path, line }) => `${path} ${line}`),
      ['/a 1', '/a 2', '/a 3', '/b 1', '/b 2'],
    );
  });

  it('shows the first line of a match that spans several', () => {
    assert.deepEqual(find('one\ntwo three\nfour', 'Three\nFo'), ['2: two [three]']);
    assert.deepEqual(find('one\ntwo', '\nt'), ['1: one[]']);
  });

  it('shortens long lines around the match, without cutting a character in half', () => {
    const long = `${'a'.repeat(100)} refund ${'b'.repeat(300)}`;
    const [found = ''] = find(long, 'refund');
    assert.match(found, /^1: …a{39} \[refund\] b{113}…$/);
    for (let count = 90; count < 110; count += 1) {
      const [line = ''] = find(`${'😀'.repeat(count)}refund${'😀'.repeat(count)}`, 'refund');
      assert.ok(line.isWellFormed() && line.includes('😀[refund]😀'), line);
    }
    assert.deepEqual(find('x'.repeat(200), 'x'.repeat(200)), [`1: [${'x'.repeat(200)}]`]);
  });

  it('marks the match in any language, even where folding changes the length', () => {
    assert.deepEqual(find('Grüße AN ALLE', 'grüsse'), []);
    assert.deepEqual(find('GRÜSSE an alle', 'grüsse'), ['1: [GRÜSSE] an alle']);
    assert.deepEqual(find('Ein Cafe\u0301 hier', 'café'), ['1: Ein [Café] hier']);
    assert.deepEqual(find('İİİ DİYARBAKIR', 'dİyarbakir'), ['1: İİİ [DİYARBAKIR]']);
    assert.deepEqual(find('İstanbul', 'stan'), ['1: İ[stan]bul']);
    assert.deepEqual(find('ısı ISI', 'isi'), ['1: ısı [ISI]']);
    assert.deepEqual(find('請寄退款給客戶', '退款'), ['1: 請寄[退款]給客戶']);
    assert.deepEqual(find('Верни ДЕНЬГИ', 'деньги'), ['1: Верни [ДЕНЬГИ]']);
    assert.deepEqual(find('مرحبا بالعالم', 'بالعالم'), ['1: مرحبا [بالعالم]']);
  });

  it('survives lone surrogates and NUL, which only a config can contain', () => {
    assert.deepEqual(find('a\ud800b\0c refund', 'refund'), ['1: a\ufffdb\u0001c [refund]']);
  });
});

describe('listVersionTexts', () => {
  const list = (content: unknown, config: unknown = {}) =>
    listVersionTexts({ content: JSON.stringify(content), config: JSON.stringify(config) }).map(({ path, text }) => `${path} ${text}`);

  it('lists the template, or the messages without their roles', () => {
    assert.deepEqual(list('Hello'), ['/template Hello']);
    assert.deepEqual(list([{ role: 'system', content: 'Be brief' }, { placeholder: 'history' }]), [
      '/messages/0/content Be brief',
      '/messages/1/placeholder history',
    ]);
  });

  it('lists settings with their names', () => {
    assert.deepEqual(list('x', { model: 'gpt-5', temperature: 0.2, stop: ['END'], a: { 'b/~': null }, on: true }), [
      '/template x',
      '/config/model model: gpt-5',
      '/config/temperature temperature: 0.2',
      '/config/stop stop',
      '/config/stop/0 END',
      '/config/a a',
      '/config/a/b~1~0 b/~: null',
      '/config/on on: true',
    ]);
    assert.deepEqual(list('x', 'plain'), ['/template x', '/config plain']);
    assert.deepEqual(list('x', null), ['/template x', '/config null']);
  });

  it('does not need a stack for deep settings', () => {
    const depth = 30_000;
    const config = `${'['.repeat(depth)}"deep"${']'.repeat(depth)}`;
    assert.ok(toSearchText({ content: '"x"', config }).endsWith('deep'));
  });

  it('separates texts, so that no search spans two', () => {
    assert.equal(
      toSearchText({ content: '[{"role":"user","content":"One"},{"role":"user","content":"Two"}]', config: '{}' }),
      'one\u0001two',
    );
    assert.equal(toSearchText({ content: '"x"', config: '{"a":"\\u0000\\ud800"}' }), 'x\u0001a: \u0001\ufffd');
  });
});
