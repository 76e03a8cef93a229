import type { Finding } from './draft-types.ts';
import { FileProblem } from './file-problem.ts';

/** The path of a value in YAML or JSON: keys, and indexes of items. */
export type Path = (string | number)[];

/**
 * Collects findings about the parts of a file or prompt that could not be converted. A finding concerns text in the file, or the path of
 * a value.
 */
export interface Report {
  findings: Finding[];
  /** Returns the line of a value. The lines are known only after the file has been parsed. */
  lineOf(...path: Path): number | undefined;
  error(construct: string | Path, message: string, line?: number): void;
  warn(construct: string | Path, message: string, line?: number): void;
  note(construct: string | Path, message: string, line?: number): void;
  /** Adds a warning for each unknown field, because the service cannot store it. */
  warnOthers(fields: Record<string, unknown>, known: string[], path?: Path): void;
  hasErrors(): boolean;
}

/** The maximum number of findings. A longer list would hide the important ones. */
const maxFindings = 50;
const maxConstructLength = 80;

export function createReport(path: string, lineOf: Report['lineOf'] = () => undefined): Report {
  const findings: Finding[] = [];
  const addAs =
    (severity: Finding['severity']): Report['error'] =>
    (about, message, given) => {
      if (findings.length >= maxFindings && (severity !== 'error' || report.hasErrors())) return;
      const [construct, line] = typeof about === 'string' ? [about, given] : [about.join('.'), report.lineOf(...about)];
      findings.push({ path, ...(line !== undefined && { line }), construct: shorten(construct), message, severity });
    };
  const report: Report = {
    findings,
    lineOf,
    error: addAs('error'),
    warn: addAs('warning'),
    note: addAs('note'),
    warnOthers(fields, known, parent = []) {
      for (const key of Object.keys(fields)) if (!known.includes(key)) report.warn([...parent, key], 'Not supported; skipped');
    },
    hasErrors: () => findings.some(({ severity }) => severity === 'error'),
  };
  return report;
}

/** Runs a conversion. A problem with the whole file becomes an error in its report. */
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
