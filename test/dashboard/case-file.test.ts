import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatCsvCases } from '../../dashboard/src/cases/case-csv.ts';
import { formatJsonCases, parseCaseFile } from '../../dashboard/src/cases/case-file.ts';
import type { NewCase } from '../../src/contract/cases.ts';

const cases: Required<NewCase>[] = [
  {
    name: '=HYPERLINK("http://example.com")',
    variables: {
      name: 'Ada, "the first"\r\nof her kind',
      count: 42,
      text: '42',
      code: '007',
      empty: '',
      flag: false,
      nothing: null,
      case: 'a variable called like a column',
      quoted: '"yes"',
      formula: '-1+2',
      negative: -3,
      spaced: ' a ',
      list: [{ role: 'user', content: 'Hi' }],
    },
    checks: [{ kind: 'contains', on: 'output', value: 'a,b;c' }],
  },
  { name: 'Without anything', variables: {}, checks: [] },
];

const problemsOf = (text: string) => parseCaseFile(text).problems.map(({ place, message }) => `${place}: ${message}`);

describe('Files of test cases', () => {
  it('reads CSV and JSON as they were written, and writes no cell as a formula', () => {
    const csv = formatCsvCases(cases);
    for (const text of [csv, `\uFEFF${csv}`, formatJsonCases(cases), JSON.stringify(cases)]) {
      const { cases: read, problems } = parseCaseFile(text);
      assert.deepEqual(problems, []);
      assert.deepEqual(
        read.map(({ input }) => input),
        cases,
      );
    }
    assert.doesNotMatch(csv, /(^|,)"?[=+@]/m);
  });

  it('reads a spreadsheet with semicolons and columns for checks', () => {
    const { cases: read, problems } = parseCaseFile(
      'customer;request;check:contains;check:prompt:maxTokens\nAda;Where is it?;order;50\n\nBob;Hi;;\n',
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(read, [
      {
        place: 'Line 2',
        input: {
          name: 'Test case 1',
          variables: { customer: 'Ada', request: 'Where is it?' },
          checks: [
            { kind: 'contains', on: 'output', value: 'order' },
            { kind: 'maxTokens', on: 'prompt', value: 50 },
          ],
        },
      },
      { place: 'Line 4', input: { name: 'Test case 2', variables: { customer: 'Bob', request: 'Hi' }, checks: [] } },
    ]);
  });

  it('says for each line what is wrong with it', () => {
    assert.deepEqual(problemsOf('case,a,check:maxTokens,checks\nOne,"two\nlines",ten,\n,x,,\nThree,x,5,contains\nFour,1,2,,5\n'), [
      'Line 2: check:maxTokens: Enter a whole number, 0 or more.',
      'Line 4: The column case is empty. Enter a name.',
      'Line 5: The column checks must be a JSON array, such as [{"kind":"contains","value":"order"}].',
      'Line 6: 5 cells for 4 named columns. Put values that contain commas in quotes.',
    ]);
    assert.match(problemsOf('a,a,check:has\n1,2,3')[0] ?? '', /^Line 1: The column a appears twice/);
    assert.match(problemsOf('a,check:has\n1,2')[0] ?? '', /^Line 1: check:has is not a check\. Use one of check:contains, /);
    assert.deepEqual(problemsOf('a,b\n1,"x\ny'), ['Line 2: The quote that opens here is never closed.']);
    assert.match(problemsOf('a,b')[0] ?? '', /^File: The file has no test cases/);
    assert.match(problemsOf('[{]')[0] ?? '', /^File: Not valid JSON/);
    assert.match(problemsOf('{"data": {}}')[0] ?? '', /^File: Expected an array of test cases/);
    assert.deepEqual(problemsOf('[{"name":"One"}, 2]'), ['Test case 2: Expected an object with a name.']);
    assert.match(problemsOf(`a\n${'x\n'.repeat(501)}`)[0] ?? '', /^File: The file has more than 500 test cases/);
  });
});
