import { isLabel, latestLabel, productionLabel } from '../../contract/label-names.ts';
import { maxPageLimit } from '../../contract/limits.ts';
import { findNameProblem } from '../../contract/prompt-names.ts';
import type { Input } from '../command.ts';
import { findConnection } from '../connection.ts';
import { readLock } from '../files/lock-file.ts';
import { findProject } from '../files/project.ts';

/** The timeout of the request. It is shorter than the timeout of commands, because the shell accepts no input while it waits. */
const timeoutMs = 5000;

/**
 * Finds the prompts or labels that begin with the given text, in the service and in the project. If the service is unavailable, only names
 * in the project are found.
 */
export async function findNames(kind: 'prompts' | 'labels', start: string, input: Input): Promise<string[]> {
  const sources = kind === 'prompts' ? [findLockedPrompts(), findPrompts(input, start)] : [findLabels(input)];
  // Errors are ignored, because their message would appear on the line that the person types.
  const found = await Promise.all(sources.map((source) => source.catch(() => [])));
  const isValid = kind === 'prompts' ? (name: string) => findNameProblem(name) === undefined : isLabel;
  const names = kind === 'prompts' ? found.flat() : [productionLabel, latestLabel, ...found.flat()];
  // Names are validated, because a server may send any text and the shell would show it.
  return [...new Set(names)].filter((name) => name.startsWith(start) && isValid(name)).sort();
}

async function findLockedPrompts(): Promise<string[]> {
  return [...(await readLock(findProject().lockFile)).prompts.keys()];
}

async function findPrompts(input: Input, start: string): Promise<string[]> {
  const ph = await findConnection(input, findProject());
  const folder = start.slice(0, Math.max(0, start.lastIndexOf('/')));
  const filter = folder !== '' ? { folder } : start !== '' ? { search: start, searchIn: 'name' as const } : {};
  const page = await ph?.prompts.list({ ...filter, limit: maxPageLimit }, { timeoutMs, retries: 0 });
  return page?.data.map(({ name }) => name) ?? [];
}

async function findLabels(input: Input): Promise<string[]> {
  const ph = await findConnection(input, findProject());
  return (await ph?.prompts.overview({}, { timeoutMs, retries: 0 }))?.labels ?? [];
}
