import { isLabel } from '../../contract/label-names.ts';
import { type Input, textOf, textsOf } from '../command.ts';
import { UsageError } from '../errors.ts';

/** Returns the version that `--label` or `--version` names. */
export function choiceOf(input: Input): { label?: string; version?: number } {
  const label = textOf(input, 'label');
  const version = textOf(input, 'version');
  if (label !== undefined && version !== undefined) throw new UsageError('Use either --label or --version, not both.');
  if (version !== undefined) return { version: parseVersion(version) };
  return label === undefined ? {} : { label: parseLabel(label) };
}

/** Returns the caller for whom a version is chosen, from the values of `--key` and `--ctx`. */
export function callerOf(input: Input): { key?: string; context?: Record<string, string> } {
  const key = textOf(input, 'key');
  if (key === '') throw new UsageError('--key must not be empty.');
  const context = textsOf(input, 'ctx').map((pair): [string, string] => {
    const at = pair.indexOf('=');
    if (at < 1) throw new UsageError(`--ctx expects name=value, but got "${pair}".`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return { ...(key !== undefined && { key }), ...(context.length > 0 && { context: Object.fromEntries(context) }) };
}

/** Returns the value of `--label`, or `production`. */
export function labelOf(input: Input): string {
  return parseLabel(textOf(input, 'label') ?? 'production');
}

/** Returns all values of `--label`. Here, the option has no default. */
export function labelsOf(input: Input): string[] {
  return textsOf(input, 'label').map(parseLabel);
}

export function parseVersion(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`"${text}" is not a version number.`);
  return Number(text);
}

export function parseLabel(text: string): string {
  if (!isLabel(text)) {
    throw new UsageError(
      `"${text}" is not a valid label. Use 1 to 50 lowercase letters, digits, dots, dashes and underscores. Start and end with a letter or digit.`,
    );
  }
  return text;
}
