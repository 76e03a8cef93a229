import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const folder = new URL('../../docs/decisions/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

describe('docs/decisions', () => {
  it('has an index with the title and status of every page', () => {
    const index = read('README.md');
    for (const name of readdirSync(folder).filter((file) => /^\d{4}-/.test(file))) {
      const number = name.slice(0, 4);
      const [, title, status = ''] = /^# \d{4} (.+)\n\n\*\*Status\.\*\* ([^.:]+)/.exec(read(name)) ?? [];
      const row = index.split('\n').find((line) => line.startsWith(`| [${number}](${name}) | `)) ?? '';
      assert.ok(title !== undefined && row.includes(` | ${title} | `), `${name} has a number, a title and a status, and is in the index`);
      assert.ok(row.includes(` | ${status.split(' [')[0]}`), `the status of ${name} in the index: ${status}`);
    }
  });
});
