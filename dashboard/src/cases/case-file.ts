import { maxPromptCases } from '../../../src/contract/limits.ts';
import { isObject } from '../editor/preview/preview-values.ts';
import type { NewCase } from '../lib/types.ts';
import { parseCsvCases } from './case-csv.ts';
import type { CaseFile } from './case-file-types.ts';

/** Reads test cases from CSV, or from JSON in the format in which the API exports them. */
export function parseCaseFile(text: string): CaseFile {
  const file = /^\uFEFF?\s*[[{]/.test(text) ? parseJsonCases(text) : parseCsvCases(text);
  if (file.cases.length <= maxPromptCases) return file;
  return {
    ...file,
    problems: [{ place: 'File', message: `The file has more than ${maxPromptCases} test cases, the most that a prompt can have.` }],
  };
}

export function formatJsonCases(cases: Required<NewCase>[]): string {
  return `${JSON.stringify({ data: cases.map(({ name, variables, checks }) => ({ name, variables, checks })) }, null, 2)}\n`;
}

function parseJsonCases(text: string): CaseFile {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (err) {
    return { cases: [], problems: [{ place: 'File', message: `Not valid JSON: ${err instanceof Error ? err.message : ''}` }] };
  }
  const items = isObject(parsed) ? parsed.data : parsed;
  if (!Array.isArray(items) || items.length === 0) {
    return {
      cases: [],
      problems: [{ place: 'File', message: 'Expected an array of test cases, or an object with such an array as data.' }],
    };
  }
  const places = items.map((_, index) => `Test case ${index + 1}`);
  return {
    // The server validates the test cases.
    cases: items.map((item, index) => ({ place: places[index] ?? '', input: item as NewCase })),
    problems: items.flatMap((item, index) =>
      isObject(item) ? [] : [{ place: places[index] ?? '', message: 'Expected an object with a name.' }],
    ),
  };
}
