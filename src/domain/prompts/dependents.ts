import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dependent } from '../../contract/dependents.ts';
import { defaultPageLimit, type Page, type PageQuery } from '../../contract/lists.ts';
import type { PromptUsage } from '../../contract/prompts.ts';
import type { LiveReference } from '../../store/prompts/references.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { decodeCursor, encodeCursor } from '../cursors.ts';
import { getPromptRecord } from './prompt-records.ts';
import { readUsage } from './usage.ts';

/** How many prompts one request looks at. Only those that stopped including the prompt, or are in the bin, do not count as found. */
const batchPrompts = 100;
const maxBatches = 10;

/** A page of the prompts that include this one from a version that a label or `latest` points at, oldest first. */
export async function listDependents(ctx: Context, actor: Actor, name: string, query: PageQuery): Promise<Page<Dependent>> {
  const { limit = defaultPageLimit, cursor } = query;
  const prompt = await getPromptRecord(ctx.store, actor, name);
  const [after = ''] = cursor === undefined ? [] : decodeCursor('dependents', 1, cursor);
  const { found, last } = await findDependents(ctx, actor, prompt.name, { after, limit });
  const usage = await readUsage(ctx, actor, [...found.keys()]);
  return {
    data: [...found.values()].flatMap((references) => toDependent(references, usage)),
    nextCursor: last === undefined ? null : encodeCursor('dependents', [last]),
  };
}

/** `last` is where the next page continues, if there may be more. */
async function findDependents(
  { store }: Context,
  { workspaceId }: Actor,
  name: string,
  page: { after: string; limit: number },
): Promise<{ found: Map<string, LiveReference[]>; last: string | undefined }> {
  const found = new Map<string, LiveReference[]>();
  let last = page.after;
  for (let batches = 0; batches < maxBatches; batches += 1) {
    if (batches > 0) await nextTurn();
    const ids = await store.references.listIncluding(workspaceId, name, { after: last, limit: batchPrompts });
    const byPrompt = Map.groupBy(await store.references.listLive(workspaceId, name, ids), ({ promptId }) => promptId);
    for (const id of ids) {
      const references = byPrompt.get(id);
      // One more is found: this page is full and there is a next one.
      if (references && found.size === page.limit) return { found, last };
      if (references) found.set(id, references);
      last = id;
    }
    if (ids.length < batchPrompts) return { found, last: undefined };
  }
  return { found, last };
}

function toDependent(references: LiveReference[], usage: ReadonlyMap<string, PromptUsage>): Dependent[] {
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
  return [{ id, name, type, includes: sorted, callsLast24Hours: usage.get(id)?.callsLast24Hours ?? 0 }];
}
