import { type CheckKind, checkValueTypes } from '../../../src/contract/check-kinds.ts';
import type { CaseCheck } from '../lib/types.ts';

/** A check in the form in which it is edited. `text` is the value as the user typed it, which may not be valid yet. */
export interface CheckDraft {
  key: number;
  kind: CheckKind;
  on: 'output' | 'prompt';
  text: string;
  /** Whether a judge decides by a rubric or is itself a prompt. In the second case, the text is the name of the prompt. */
  judgesBy: 'rubric' | 'prompt';
  rubric: string;
  /** Like the settings below, the label applies only to judges. An empty string selects the default. */
  label: string;
  connection: string;
  model: string;
}

let lastKey = 0;

export function newCheckDraft(): CheckDraft {
  lastKey += 1;
  return { key: lastKey, kind: 'contains', on: 'output', text: '', judgesBy: 'rubric', rubric: '', label: '', connection: '', model: '' };
}

export function draftOfCheck({ kind, on = 'output', value, rubric = '', label = '', connection = '', model = '' }: CaseCheck): CheckDraft {
  const judgesBy = value === undefined ? 'rubric' : 'prompt';
  return { ...newCheckDraft(), kind, on, text: textOf(kind, value), judgesBy, rubric, label, connection, model };
}

function textOf(kind: CheckKind, value: unknown): string {
  if (value === undefined) return '';
  return checkValueTypes[kind] === 'schema' ? JSON.stringify(value, null, 2) : String(value);
}

type ParsedCheck = { check: CaseCheck; problem?: undefined } | { check?: undefined; problem: string };

/** Returns the check in the format of the API, or an error message about its value. */
export function parseCheckDraft({ kind, on, text, judgesBy, rubric, label, connection, model }: CheckDraft): ParsedCheck {
  const isJudge = kind === 'judge';
  const hasRubric = isJudge && judgesBy === 'rubric';
  if (hasRubric && rubric.trim() === '') return { problem: 'Enter a rubric that describes a good output.' };
  const value = hasRubric ? {} : parseValue(kind, text);
  if (value.problem !== undefined) return { problem: value.problem };
  return {
    check: {
      kind,
      on: kind === 'maxLatencyMs' ? 'output' : on,
      ...('value' in value && { value: value.value }),
      ...(hasRubric && { rubric: rubric.trim() }),
      ...(isJudge && !hasRubric && label !== '' && { label }),
      ...(isJudge && connection !== '' && { connection }),
      ...(isJudge && model !== '' && { model }),
    },
  };
}

type ParsedValue = { value?: unknown; problem?: undefined } | { problem: string };

function parseValue(kind: CheckKind, text: string): ParsedValue {
  switch (checkValueTypes[kind]) {
    case 'none':
      return {};
    case 'number':
      return /^\d+$/.test(text.trim()) ? { value: Number(text) } : { problem: 'Enter a whole number, 0 or more.' };
    case 'schema':
      return parseSchema(text);
    case 'prompt':
      return text.trim() === '' ? { problem: 'Enter the name of a prompt.' } : { value: text.trim() };
    case 'pattern':
      return text === '' ? { problem: 'Enter a regular expression.' } : { value: text };
    case 'text':
      return text === '' ? { problem: 'Enter text.' } : { value: text };
  }
}

function parseSchema(text: string): ParsedValue {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (err) {
    return { problem: text.trim() === '' ? 'Enter a JSON Schema.' : `Not valid JSON: ${err instanceof Error ? err.message : ''}` };
  }
}
