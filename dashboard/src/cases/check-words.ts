import { type CheckKind, checkValueTypes } from '../../../src/contract/check-kinds.ts';
import type { CaseCheck } from '../lib/types.ts';

/** Describes what a check requires, worded to follow "Output" or "Prompt". */
export const kindTexts: Record<CheckKind, string> = {
  contains: 'contains',
  notContains: 'does not contain',
  equals: 'equals',
  matches: 'matches the regular expression',
  json: 'is JSON',
  jsonSchema: 'matches the JSON Schema',
  maxCharacters: 'has at most … characters',
  maxTokens: 'has at most … tokens',
  maxLatencyMs: 'takes at most … ms',
  judge: 'passes the judge',
};

const maxQuoted = 80;

/** Describes a check in one line, such as: Output contains “order”. */
export function describeCheck({ kind, on, value, rubric, label }: CaseCheck): string {
  const subject = on === 'prompt' ? 'Prompt' : 'Output';
  const text = kindTexts[kind];
  if (rubric !== undefined) return `${subject} meets the rubric “${shorten(rubric)}”`;
  // Results that are too long are stored without the values of their checks.
  if (value === undefined) return `${subject} ${text}`;
  switch (checkValueTypes[kind]) {
    case 'none':
    case 'schema':
      return `${subject} ${text}`;
    case 'number':
      return `${subject} ${text.replace('…', String(value))}`;
    case 'prompt':
      return `${subject} ${text} ${String(value)}${label === undefined ? '' : ` (${label})`}`;
    case 'pattern':
      return `${subject} ${text} ${shorten(String(value))}`;
    case 'text':
      return `${subject} ${text} “${shorten(String(value))}”`;
  }
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > maxQuoted ? `${line.slice(0, maxQuoted).toWellFormed()}…` : line;
}
