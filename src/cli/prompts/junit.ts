import type { CaseResult } from '../../contract/checks.ts';
import { type CheckedPrompt, describeCheck } from './check-report.ts';

/** Formats the results as JUnit XML for CI systems. The test cases of `unchecked` prompts could not run. */
export function formatJunit(checked: CheckedPrompt[], unchecked: { name: string; problem: string }[] = []): string {
  const suites = [...checked.map(toSuite), ...unchecked.map(toBrokenSuite)];
  const sum = (of: (suite: Suite) => number) => suites.reduce((total, suite) => total + of(suite), 0);
  const totals = {
    name: 'promptharbor check',
    tests: sum(({ tests }) => tests),
    failures: sum(({ failures }) => failures),
    errors: sum(({ errors }) => errors),
    skipped: 0,
    time: seconds(sum(({ durationMs }) => durationMs)),
  };
  return ['<?xml version="1.0" encoding="UTF-8"?>', open('testsuites', totals), ...suites.map(({ xml }) => xml), '</testsuites>', ''].join(
    '\n',
  );
}

interface Suite {
  tests: number;
  failures: number;
  errors: number;
  durationMs: number;
  xml: string;
}

function toSuite({ name, check, cases }: CheckedPrompt): Suite {
  const errors = cases.filter(({ error }) => error !== null).length;
  const counts = { tests: cases.length, failures: cases.filter(({ passed }) => !passed).length - errors, errors };
  const attributes = { name, ...counts, skipped: 0, time: seconds(check.durationMs), timestamp: check.createdAt.slice(0, 19) };
  const { version, candidate, model, connection, cost } = check;
  const properties = Object.entries({
    version,
    candidate: candidate?.id ?? null,
    model,
    connection: connection?.name ?? null,
    cost,
  }).filter(([, value]) => value !== null);
  const lines = [
    `  ${open('testsuite', attributes)}`,
    '    <properties>',
    ...properties.map(([property, value]) => `      ${open('property', { name: property, value: String(value) }, '/')}`),
    '    </properties>',
    ...nameApart(cases).map(([title, result]) => formatCase(name, title, result)),
    '  </testsuite>',
  ];
  return { ...counts, durationMs: check.durationMs, xml: lines.join('\n') };
}

function toBrokenSuite({ name, problem }: { name: string; problem: string }): Suite {
  const counts = { tests: 1, failures: 0, errors: 1 };
  const lines = [
    `  ${open('testsuite', { name, ...counts, skipped: 0, time: seconds(0) })}`,
    `    ${open('testcase', { classname: name, name: 'run the test cases', time: seconds(0) })}`,
    `      ${element('error', { message: problem, type: 'error' }, problem)}`,
    '    </testcase>',
    '  </testsuite>',
  ];
  return { ...counts, durationMs: 0, xml: lines.join('\n') };
}

function formatCase(classname: string, name: string, { passed, error, checks, output, durationMs }: CaseResult): string {
  const failed = checks.filter((check) => !check.passed);
  const problems = failed.map((check) => `${describeCheck(check)}: ${check.message}`);
  const [first = 'The test case failed'] = problems;
  const outcome = error
    ? [element('error', { message: error.message, type: error.code }, error.message)]
    : passed
      ? []
      : [element('failure', { message: first, type: failed[0]?.kind ?? 'check' }, problems.join('\n'))];
  const lines = [...outcome, ...(output === null ? [] : [element('system-out', {}, output)])];
  const attributes = { classname, name, time: seconds(durationMs ?? 0) };
  if (lines.length === 0) return `    ${open('testcase', attributes, '/')}`;
  return [`    ${open('testcase', attributes)}`, ...lines.map((line) => `      ${line}`), '    </testcase>'].join('\n');
}

/** Makes titles unique, because programs that read the report treat two test cases with the same name as one test case that ran twice. */
function nameApart(cases: CaseResult[]): [title: string, result: CaseResult][] {
  const taken = new Set<string>();
  return cases.map((result) => {
    let title = result.name;
    for (let number = 2; taken.has(title); number += 1) title = `${result.name} (${number})`;
    taken.add(title);
    return [title, result];
  });
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}

type Attributes = Record<string, string | number>;

function open(tag: string, attributes: Attributes, end = ''): string {
  const formatted = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`);
  return `<${tag}${formatted.join('')}${end}>`;
}

function element(tag: string, attributes: Attributes, text: string): string {
  return `${open(tag, attributes)}${escapeXml(text)}</${tag}>`;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Escapes attributes and text. XML cannot represent most control characters, lone surrogates, U+FFFE and U+FFFF. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[&<>"'\t\n\r]/g, (character) => entities[character] ?? character)
    .replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, '\uFFFD');
}
