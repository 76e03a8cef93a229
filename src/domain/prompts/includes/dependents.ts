import type { Dependent } from '../../../contract/dependents.ts';
import { defaultPageLimit, type Page, type PageQuery } from '../../../contract/lists.ts';
import type { PromptUsage } from '../../../contract/prompts.ts';
import type { ReadingStores } from '../../../store/bound-stores.ts';
import type { LiveReference } from '../../../store/prompts/references.ts';
import type { WithStore } from '../../../store/store.ts';
import type { Actor } from '../../actor.ts';
import { decodeCursor, encodeCursor } from '../../cursors.ts';
import { getPromptRecord } from '../prompt-records.ts';
import { readUsage } from '../usage.ts';
import { findIndirectDependents, type IndirectDependent } from './indirect-dependents.ts';

/**
 * The maximum number of prompts that one query reads. Prompts that no longer include the requested prompt, or are in the bin, are read but
 * not returned.
 */
const batchPrompts = 100;
const maxBatches = 10;

/**
 * Lists a page of the prompts that include the given prompt in a version that a label or `latest` points at, oldest first. Prompts that
 * include it indirectly follow.
 */
export async function listDependents(ctx: WithStore, actor: Actor, name: string, query: PageQuery): Promise<Page<Dependent>> {
  const { limit = defaultPageLimit, cursor } = query;
  const [part, after = ''] = cursor === undefined ? ['direct'] : decodeCursor('dependents', 2, cursor);
  const { direct, indirect } = await ctx.store.readSnapshot(actor.workspaceId, async (stores) => {
    const prompt = await getPromptRecord(stores, actor, name);
    const none = { found: new Map<string, LiveReference[]>(), last: undefined };
    const direct = part === 'indirect' ? none : await findDependents(stores, actor, prompt.name, { after, limit });
    const rest = { after: part === 'indirect' ? after : '', limit: limit - direct.found.size };
    const indirect = direct.last === undefined ? await pageIndirect(stores, actor, prompt.name, rest) : { shown: [], last: undefined };
    return { direct, indirect };
  });
  const usage = await readUsage(ctx, actor, [...direct.found.keys(), ...indirect.shown.map(([id]) => id)]);
  const position =
    direct.last !== undefined ? ['direct', direct.last] : indirect.last !== undefined ? ['indirect', indirect.last] : undefined;
  return {
    data: [
      ...[...direct.found.values()].flatMap((references) => toDependent({ via: null, references }, usage)),
      ...indirect.shown.flatMap(([, dependent]) => toDependent(dependent, usage)),
    ],
    nextCursor: position ? encodeCursor('dependents', position) : null,
  };
}

/** Reads a page of indirect dependents. If there are more, `last` is the position at which the next page continues. */
async function pageIndirect(
  stores: ReadingStores,
  actor: Actor,
  name: string,
  page: { after: string; limit: number },
): Promise<{ shown: [string, IndirectDependent][]; last: string | undefined }> {
  const found = await findIndirectDependents(stores, actor, name);
  const left = [...found].filter(([id]) => id > page.after).sort(([a], [b]) => (a < b ? -1 : 1));
  const shown = left.slice(0, page.limit);
  return { shown, last: left.length > shown.length ? (shown.at(-1)?.[0] ?? page.after) : undefined };
}

/** Reads a page of direct dependents. If there may be more, `last` is the position at which the next page continues. */
async function findDependents(
  { references: store }: ReadingStores,
  { workspaceId }: Actor,
  name: string,
  page: { after: string; limit: number },
): Promise<{ found: Map<string, LiveReference[]>; last: string | undefined }> {
  const target = { name, label: undefined };
  const found = new Map<string, LiveReference[]>();
  let last = page.after;
  for (let batches = 0; batches < maxBatches; batches += 1) {
    const ids = await store.listIncluding(workspaceId, target, { after: last, limit: batchPrompts });
    const byPrompt = Map.groupBy(await store.listLive(workspaceId, target, ids), ({ promptId }) => promptId);
    for (const id of ids) {
      const references = byPrompt.get(id);
      // This prompt no longer fits on the page, so there is a next page.
      if (references && found.size === page.limit) return { found, last };
      if (references) found.set(id, references);
      last = id;
    }
    if (ids.length < batchPrompts) return { found, last: undefined };
  }
  return { found, last };
}

function toDependent(
  { via, references }: { via: string | null; references: LiveReference[] },
  usage: ReadonlyMap<string, PromptUsage>,
): Dependent[] {
  const [first] = references;
  if (!first) return [];
  const { promptId: id, name, type } = first;
  const includes = new Map<string, Dependent['includes'][number]>();
  for (const { label, version, pointer } of references) {
    const include = includes.get(`${version} ${label}`) ?? { label, version, labels: [] };
    include.labels.push(pointer);
    includes.set(`${version} ${label}`, include);
  }
  for (const { labels } of includes.values()) labels.sort();
  const sorted = [...includes.values()].sort((a, b) => b.version - a.version || (a.label < b.label ? -1 : 1));
  return [{ id, name, type, via, includes: sorted, callsLast24Hours: usage.get(id)?.callsLast24Hours ?? 0 }];
}
