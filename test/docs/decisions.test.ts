import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const folder = new URL('../../docs/decisions/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

describe('docs/decisions', () => {
  it('has an index with the title, status and date of every page', () => {
    const index = read('README.md');
    for (const name of readdirSync(folder).filter((file) => /^\d{4}-/.test(file))) {
      const [, number, title, status, date] =
        /^# (\d{4}) (.+)\n\n\*\*Status:\*\* ((?:accepted|(?:partly )?replaced by \[).*) {2}\n\*\*Date:\*\* (\d{4}-\d\d-\d\d)\n\n/.exec(
          read(name),
        ) ?? [];
      assert.ok(number, `${name} has a title, a status and a date`);
      assert.ok(index.includes(`\n| [${number}](${name}) | ${title} | ${status} | ${date} |\n`), `${name} is in the index`);
    }
  });
});
