import { RE2JS } from 're2js';
import { Errors } from 'typebox/schema';
import { tryTo } from '../../platform/try-to.ts';
import type { CheckJob, CheckJobResult } from './template-types.ts';
import { checkText } from './text-checks.ts';

const maxMessages = 3;

/** Matches text against a user's rule. Matching may take any amount of time, so this function runs in a child process. */
export function runCheckJob({ rule, text }: CheckJob): CheckJobResult {
  try {
    if (rule.kind === 'matches') return match(rule.value, text);
    return rule.kind === 'jsonSchema' ? validate(rule.value, text) : checkText(rule, text);
  } catch (err) {
    // The schema refers to itself, which overflows the stack.
    if (err instanceof RangeError) return { ok: false, problem: 'it refers to itself endlessly or is nested too deeply' };
    return { ok: false, problem: err instanceof Error ? err.message : String(err) };
  }
}

function match(pattern: string, text: string | undefined): CheckJobResult {
  const compiled = RE2JS.compile(pattern);
  return { ok: true, problems: text === undefined || compiled.matcher(text).find() ? [] : [`does not match ${pattern}`] };
}

function validate(schema: object | boolean, text: string | undefined): CheckJobResult {
  if (text === undefined) return { ok: true, problems: [] };
  const value = tryTo((): unknown => JSON.parse(text));
  if (value === undefined) return { ok: true, problems: ['is not JSON'] };
  const [isValid, errors] = Errors(schema, value);
  if (isValid) return { ok: true, problems: [] };
  const problems = errors.slice(0, maxMessages).map(({ instancePath, message }) => `${instancePath && `at ${instancePath} `}${message}`);
  return { ok: true, problems };
}
