import { isLabel, latestLabel, productionLabel } from '../../contract/label-names.ts';
import { maxPageLimit } from '../../contract/limits.ts';
import { findNameProblem } from '../../contract/prompt-names.ts';
import type { Input } from '../command.ts';
import { findConnection } from '../connection.ts';
import { readLock } from '../files/lock-file.ts';
import { findProject } from '../files/project.ts';

/** A person waits for it, so it takes one request that has this long. */
const timeoutMs = 1000;

/** The prompts or labels that begin with a text: what the service and the project have. A service that is away has none. */
export async function findNames(kind: 'prompts' | 'labels', start: string, input: Input): Promise<string[]> {
  const sources = kind === 'prompts' ? [findLockedPrompts(), findPrompts(input, start)] : [findLabels(input)];
  // An error message would end up on the line that the person types.
  const found = await Promise.all(sources.map((source) => source.catch(() => [])));
  const isValid = kind === 'prompts' ? (name: string) => findNameProblem(name) === undefined : isLabel;
  const names = kind === 'prompts' ? found.flat() : [productionLabel, latestLabel, ...found.flat()];
  // Security: a server may send anything, and shells would show it.
  return [...new Set(names)].filter((name) => name.startsWith(start) && isValid(name)).sort();
}

async function findLockedPrompts(): Promise<string[]> {
  return [...(await readLock(findProject().lockFile)).prompts.keys()];
}

async function findPrompts(input: Input, start: string): Promise<string[]> {
  const ph = await findConnection(input, findProject());
  const folder = start.slice(0, Math.max(0, start.lastIndexOf('/')));
  const filter = folder !== '' ? { folder } : start !== '' ? { search: start } : {};
  const page = await ph?.prompts.list({ ...filter, limit: maxPageLimit }, { timeoutMs, retries: 0 });
  return page?.data.map(({ name }) => name) ?? [];
}

async function findLabels(input: Input): Promise<string[]> {
  const ph = await findConnection(input, findProject());
  return (await ph?.prompts.overview({}, { timeoutMs, retries: 0 }))?.labels ?? [];
}
