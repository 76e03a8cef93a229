import { join, relative } from 'node:path';
import { hasOption, type Input, textOf } from '../command.ts';
import { type ExitCode, exitCodes, UsageError } from '../errors.ts';
import { type LocalProblem, showPath, showPlace } from '../files/folder.ts';
import { count, note, paint, print, printJson } from '../terminal.ts';

export type Finding = LocalProblem;

interface Findings {
  /** The folder to which the paths are relative. */
  folder: string;
  findings: Finding[];
  /** The number of files that were checked. */
  checked: number;
}

const formats = {
  text({ folder, findings, checked }: Findings) {
    for (const finding of findings) print(`${paint('bold', showPlace(folder, finding))}: ${finding.message}`);
    note(`${count(checked, 'file')} checked, ${count(findings.length, 'finding')}.`);
  },
  json({ folder, findings, checked }: Findings) {
    printJson({ checked, findings: findings.map(({ path, ...finding }) => ({ path: showPath(folder, path), ...finding })) });
  },
  /** Prints commands that GitHub Actions turns into annotations of the changed lines. */
  github({ folder, findings, checked }: Findings) {
    // GitHub identifies files by their path in the repository, not by the directory in which the job runs.
    const root = process.env.GITHUB_WORKSPACE || process.cwd();
    for (const { path, line, message } of findings) {
      const file = relative(root, join(folder, ...path.split('/'))).replaceAll('\\', '/');
      print(`::error file=${escapeProperty(file)}${line === undefined ? '' : `,line=${line}`}::${escapeData(message)}`);
    }
    note(`${count(checked, 'file')} checked, ${count(findings.length, 'finding')}.`);
  },
};

type Format = keyof typeof formats;

/** Returns the value of `--format`. `--json` means `--format json`. */
export function formatOf(input: Input): Format {
  const format = textOf(input, 'format') ?? (hasOption(input, 'json') ? 'json' : 'text');
  if (!Object.hasOwn(formats, format)) throw new UsageError(`Unknown format "${format}". Use one of: ${Object.keys(formats).join(', ')}.`);
  return format as Format;
}

export function reportFindings(format: Format, findings: Findings): ExitCode {
  formats[format](findings);
  return findings.findings.length > 0 ? exitCodes.failed : exitCodes.ok;
}

/** Escapes a message. A line break could start another command, and commands can set variables for later steps. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
