import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatCsv } from '../../src/platform/csv.ts';

describe('formatCsv', () => {
  it('quotes text that would end a cell, and leaves numbers and empty values unchanged', () => {
    assert.equal(
      formatCsv([
        ['a', 1, -2.5, null],
        ['x,y', 'a "b"', 'two\nlines', ' padded '],
      ]),
      'a,1,-2.5,\r\n"x,y","a ""b""","two\nlines"," padded "\r\n',
    );
    assert.equal(formatCsv([['日本語', 'a;b', '']]), '日本語,"a;b",\r\n');
  });

  it('disarms text that a spreadsheet would run', () => {
    for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1+1', '\0=1', '\n@x']) {
      const [cell = ''] = formatCsv([[formula]]).split('\r\n');
      assert.ok(/^"?'/.test(cell), JSON.stringify(formula));
    }
    assert.equal(formatCsv([['=HYPERLINK("http://x")']]), `"'=HYPERLINK(""http://x"")"\r\n`);
    assert.equal(formatCsv([['a=1', 'support/triage', 'x@y']]), 'a=1,support/triage,x@y\r\n');
  });
});
