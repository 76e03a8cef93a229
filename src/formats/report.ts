import type { Finding } from './draft-types.ts';
import { FileProblem } from './file-problem.ts';

/** Collects what could not be carried over from one file or prompt. */
export interface Report {
  findings: Finding[];
  error(construct: string, message: string, line?: number): void;
  warn(construct: string, message: string, line?: number): void;
  note(construct: string, message: string, line?: number): void;
  hasErrors(): boolean;
}

/** More would hide what matters. */
const maxFindings = 50;
const maxConstructLength = 80;

export function createReport(path: string): Report {
  const findings: Finding[] = [];
  const add = (severity: Finding['severity'], construct: string, message: string, line: number | undefined) => {
    if (findings.length >= maxFindings && (severity !== 'error' || findings.some((finding) => finding.severity === 'error'))) return;
    findings.push({ path, ...(line !== undefined && { line }), construct: shorten(construct), message, severity });
  };
  return {
    findings,
    error: (construct, message, line) => add('error', construct, message, line),
    warn: (construct, message, line) => add('warning', construct, message, line),
    note: (construct, message, line) => add('note', construct, message, line),
    hasErrors: () => findings.some(({ severity }) => severity === 'error'),
  };
}

/** Runs a conversion; what is wrong with the whole file becomes an error of its report. */
export function catchProblem<T>(report: Report, convert: () => T): T | undefined {
  try {
    return convert();
  } catch (err) {
    if (!(err instanceof FileProblem)) throw err;
    report.error('the file', err.message, err.line);
    return undefined;
  }
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > maxConstructLength ? `${line.slice(0, maxConstructLength - 1)}…` : line;
}
