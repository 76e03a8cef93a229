import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { Kysely } from 'kysely';
import { contains } from '../../../src/store/contains.ts';
import { EmbeddedDialect } from '../../../src/store/engine/sqlite-compiler.ts';
import { adaptSqlite } from '../../../src/store/engine/sqlite-statements.ts';

describe('contains, on SQLite', () => {
  /** Searches texts, and counts the calls of the function that takes the time of a search. */
  async function search(texts: string[], text: string) {
    const sqlite = new DatabaseSync(':memory:');
    let calls = 0;
    sqlite.function('instr', (haystack, needle) => {
      calls += 1;
      return Buffer.from(haystack as Uint8Array).indexOf(needle as Uint8Array) + 1;
    });
    sqlite.exec('create table texts (text text)');
    for (const each of texts) sqlite.prepare('insert into texts values (?)').run(each);
    const db = new Kysely<{ texts: { text: string } }>({ dialect: new EmbeddedDialect({ database: adaptSqlite(sqlite) }) });
    const rows = await db.selectFrom('texts').select('text').where(contains('text', text)).execute();
    await db.destroy();
    return { found: rows.map((row) => row.text), calls };
  }

  it('finds texts in any script, from any of their bytes on', async () => {
    const texts = ['one fox', 'naïve café', 'один кот', '日本語のテキスト', '😀 and 😃', '100% [a-z]* _?'];
    for (const [text, expected] of [
      ['fox', 'one fox'],
      ['e f', 'one fox'],
      ['x', 'one fox'],
      ['é', 'naïve café'],
      ['кот', 'один кот'],
      ['本語', '日本語のテキスト'],
      ['😃', '😀 and 😃'],
      ['% [a-z]* _?', '100% [a-z]* _?'],
    ] as const) {
      assert.deepEqual((await search(texts, text)).found, [expected], text);
    }
    assert.deepEqual((await search(texts, 'кит')).found, []);
  });

  it('searches a text a second time only if the rarest part was found', async () => {
    const texts = ['the answer', 'the question', 'the quarry'];
    const { found, calls } = await search(texts, 'the question');
    assert.deepEqual(found, ['the question']);
    assert.equal(calls, texts.length + 1, 'only one of them contains "question"');
  });
});
