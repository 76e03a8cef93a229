import { findPinnedVersion } from '../../contract/label-names.ts';
import type { CandidateFacts } from '../../store/prompts/candidates.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import { toStoredName } from '../prompts/prompt-records.ts';
import { includeKey } from '../templates/template-types.ts';

/** The maximum number of includes that are read for a set of proposals. A version with more than 100 includes cannot be rendered. */
const maxPins = 5000;

interface Contents {
  versions: { promptId: string; version: number }[];
  candidates: Iterable<Pick<CandidateFacts, 'id' | 'partials'>>;
}

/**
 * Lists the versions that contents include by number, each with the id of the prompt that has the included name now. Returns undefined if
 * there are too many to read.
 */
export type ListPins = (contents: (string | { promptId: string; version: number })[]) => unknown[] | undefined;

const keyOf = (content: string | { promptId: string; version: number }) =>
  typeof content === 'string' ? content : `${content.promptId} ${content.version}`;

/**
 * Finds which prompts the versions and candidates include by version number, directly or indirectly. A version never changes, but a version
 * with the included number may be saved later, and another prompt can get the name of a deleted prompt.
 */
export async function findPins(
  { references }: Pick<PromptStores, 'references'>,
  accountId: string,
  { versions, candidates }: Contents,
): Promise<ListPins> {
  const included = new Map<string, Set<string>>();
  const pins = new Map<string, { name: string; version: number }>();
  const resolved = new Map<string, { promptId: string; version: number }>();
  const add = (content: string, { name, label }: { name: string; label: string }) => {
    const version = findPinnedVersion(label);
    // A template may contain names that no prompt can have.
    if (version === undefined || toStoredName(name) === undefined) return;
    const pin = includeKey({ name, label });
    included.set(content, (included.get(content) ?? new Set()).add(pin));
    pins.set(pin, { name, version });
  };
  for (const { id, partials } of candidates) for (const include of partials) add(id, include);
  let pending = versions;
  const read = new Set<string>();
  for (let known = -1; pending.length > 0 || known < pins.size; ) {
    const found = await references.listPins(accountId, pending, maxPins + 1);
    for (const { promptId, version, ...include } of found) add(keyOf({ promptId, version }), include);
    if (found.length > maxPins || pins.size > maxPins) return () => undefined;
    for (const version of pending) read.add(keyOf(version));
    const fresh = [...pins].slice(Math.max(known, 0));
    known = pins.size;
    const byPin = await references.resolvePins(
      accountId,
      fresh.map(([, pin]) => pin),
    );
    for (const { name, ...version } of byPin) resolved.set(includeKey({ name, label: `@${version.version}` }), version);
    pending = byPin.filter((version) => !read.has(keyOf(version)));
  }
  return (contents) => {
    const reached = new Set(contents.flatMap((content) => [...(included.get(keyOf(content)) ?? [])]));
    // The loop also visits the includes that it adds.
    for (const pin of reached) {
      const version = resolved.get(pin);
      for (const next of (version && included.get(keyOf(version))) ?? []) reached.add(next);
    }
    return [...reached].sort().map((pin) => [pin, resolved.get(pin)?.promptId ?? null]);
  };
}
