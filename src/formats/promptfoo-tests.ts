import type { CaseCheck, NewCase } from '../contract/cases.ts';
import { maxCaseChecks, maxPromptCases } from '../contract/limits.ts';
import { isPlainObject } from './json-values.ts';
import type { Path, Report } from './report.ts';

/** A test case, and the labels of its prompts. If the labels are undefined, the test case applies to all prompts. */
export interface ConvertedCase {
  case: NewCase;
  prompts: string[] | undefined;
}

/**
 * Converts tests to test cases. Assertions that a test case cannot express are reported and left out, not replaced with weaker checks.
 * `path` is the path of the tests in the config.
 */
export function convertTests(
  tests: unknown,
  { defaultTest, path, report }: { defaultTest: unknown; path: Path; report: Report },
): ConvertedCase[] {
  if (tests === undefined || tests === null) return [];
  if (!Array.isArray(tests)) {
    const message = 'Only tests in the config, or in a YAML or JSON file next to it, are imported';
    report.warn(`tests: ${typeof tests === 'string' ? tests : ''}`, message, report.lineOf(...path));
    return [];
  }
  const common = isPlainObject(defaultTest) ? defaultTest : {};
  const names = new Set<string>();
  const cases = tests.flatMap((test: unknown, index): ConvertedCase[] => {
    if (!isPlainObject(test)) {
      report.warn(`test ${index + 1}`, 'The config does not contain the test itself; skipped', report.lineOf(...path, index));
      return [];
    }
    const name = chooseName(test.description, index, names);
    const converted = convertTest({ test, common, name, path: [...path, index] }, report);
    return converted ? [{ case: converted, prompts: readPromptFilter(test.prompts) }] : [];
  });
  if (cases.length > maxPromptCases) report.warn('tests', `Only the first ${maxPromptCases} are imported, the most a prompt can have`);
  return cases.slice(0, maxPromptCases);
}

function chooseName(description: unknown, index: number, names: Set<string>): string {
  const printable = typeof description === 'string' ? description.replaceAll(/[\s\p{C}]+/gu, ' ').trim() : '';
  const base = printable.slice(0, 180).toWellFormed() || `test ${index + 1}`;
  let name = base;
  for (let number = 2; names.has(name); number += 1) name = `${base} (${number})`;
  names.add(name);
  return name;
}

function readPromptFilter(prompts: unknown): string[] | undefined {
  const given = typeof prompts === 'string' ? [prompts] : prompts;
  return Array.isArray(given) ? given.filter((label) => typeof label === 'string') : undefined;
}

interface Test {
  test: Record<string, unknown>;
  common: Record<string, unknown>;
  name: string;
  path: Path;
}

const knownKeys = ['description', 'vars', 'assert', 'prompts', 'threshold'];

function convertTest({ test, common, name, path }: Test, report: Report): NewCase | undefined {
  const lineOf = (...rest: Path) => report.lineOf(...path, ...rest);
  for (const key of Object.keys(test).filter((each) => !knownKeys.includes(each))) {
    report.warn(`${key} of "${name}"`, 'Not supported; skipped', lineOf(key));
  }
  const variables = { ...(isPlainObject(common.vars) && common.vars), ...(isPlainObject(test.vars) && test.vars) };
  if (typeof test.vars === 'string') {
    report.warn(`vars: ${test.vars}`, `The values are in a file; test case "${name}" skipped`, lineOf('vars'));
    return undefined;
  }
  for (const [variable, value] of Object.entries(variables)) {
    const problem = findVariableProblem(value);
    if (problem === undefined) continue;
    report.warn(`vars.${variable}`, `${problem}; test case "${name}" skipped`, lineOf('vars', variable));
    return undefined;
  }
  return { name, variables, checks: convertAsserts({ test, common, name, path }, report) };
}

function findVariableProblem(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'promptfoo expands the list into several tests';
  if (typeof value !== 'string') return undefined;
  if (value.startsWith('file://')) return 'The value is in a file';
  return isTemplate(value) ? 'The value is a template' : undefined;
}

function isTemplate(value: string): boolean {
  return value.includes('{{') || value.includes('{%');
}

function convertAsserts({ test, common, name, path }: Test, report: Report): CaseCheck[] {
  const lineOf = (...rest: Path) => report.lineOf(...path, ...rest);
  const own = Array.isArray(test.assert) ? test.assert : [];
  const shared = Array.isArray(common.assert) ? common.assert : [];
  if (own.length + shared.length === 0) return [];
  if (test.threshold !== undefined || common.threshold !== undefined) {
    report.warn(
      `threshold of "${name}"`,
      'Not supported, because all checks must pass; the test case is imported without checks',
      lineOf('threshold'),
    );
    return [];
  }
  const checks = [...own, ...shared].flatMap((assertion: unknown, index): CaseCheck[] => {
    const line = index < own.length ? lineOf('assert', index) : lineOf();
    const converted = isPlainObject(assertion) ? convertAssert(assertion) : undefined;
    if (converted) return converted;
    const type = isPlainObject(assertion) ? String(assertion.type) : 'assert';
    report.warn(`${type} of "${name}"`, 'Not supported; the test case is imported without it', line);
    return [];
  });
  if (checks.length > maxCaseChecks)
    report.warn(`assert of "${name}"`, `Only the first ${maxCaseChecks} checks are imported`, lineOf('assert'));
  return checks.slice(0, maxCaseChecks);
}

const plainKeys = ['type', 'value', 'threshold', 'metric', 'description'];

/** Converts an assertion. Returns undefined if there is no check with exactly the same meaning. */
function convertAssert(assertion: Record<string, unknown>): CaseCheck[] | undefined {
  const { type, value, threshold } = assertion;
  if (Object.keys(assertion).some((key) => !plainKeys.includes(key))) return undefined;
  if (type === 'latency')
    return typeof threshold === 'number' && value === undefined ? [check('maxLatencyMs', Math.floor(threshold))] : undefined;
  if (threshold !== undefined) return undefined;
  if (type === 'llm-rubric') return isPlainText(value) ? [{ kind: 'judge', on: 'output', rubric: value }] : undefined;
  if (type === 'is-json') {
    if (value === undefined) return [check('json')];
    return isPlainObject(value) ? [check('jsonSchema', value)] : undefined;
  }
  if (type === 'contains-all') {
    return Array.isArray(value) && value.length > 0 && value.every(isPlainText) ? value.map((text) => check('contains', text)) : undefined;
  }
  if (!isPlainText(value)) return undefined;
  switch (type) {
    case 'contains':
      return [check('contains', value)];
    case 'not-contains':
      return [check('notContains', value)];
    case 'equals':
      return [check('equals', value)];
    case 'icontains':
      return [check('matches', `(?i)${escapePattern(value)}`)];
    case 'starts-with':
      return [check('matches', `^${escapePattern(value)}`)];
    case 'regex':
      return hasRe2(value) ? [check('matches', value)] : undefined;
    default:
      return undefined;
  }
}

function check(kind: CaseCheck['kind'], value?: unknown): CaseCheck {
  return { kind, on: 'output', ...(value !== undefined && { value }) };
}

/** Returns whether promptfoo uses this text literally. */
function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 900 && !isTemplate(value) && !/^(?:file|package):\/\//.test(value);
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Returns whether RE2 supports the pattern. Checks use RE2, which has neither look-around nor back-references. */
function hasRe2(pattern: string): boolean {
  try {
    new RegExp(pattern);
  } catch {
    return false;
  }
  return !/\(\?[=!<]|\\[1-9]|\\k</.test(pattern);
}
