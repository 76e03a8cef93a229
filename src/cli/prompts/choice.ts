import { type Input, textOf } from '../command.ts';
import { UsageError } from '../errors.ts';

/** The version that `--label` or `--version` names. */
export function choiceOf(input: Input): { label?: string; version?: number } {
  const label = textOf(input, 'label');
  const version = textOf(input, 'version');
  if (label !== undefined && version !== undefined) throw new UsageError('Give either --label or --version.');
  if (version !== undefined) return { version: parseVersion(version) };
  return label === undefined ? {} : { label };
}

export function parseVersion(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`"${text}" is not the number of a version.`);
  return Number(text);
}
