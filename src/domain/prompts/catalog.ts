import { productionLabel } from '../../contract/label-names.ts';
import type { Page } from '../../contract/lists.ts';
import type { PromptType, Variable } from '../../contract/versions.ts';
import { versionNotFound } from '../../errors.ts';
import { mapInTurns } from '../../platform/event-loop.ts';
import type { CatalogDetails, CatalogRecord } from '../../store/prompts/catalog.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { decodeCursor, encodeCursor } from '../cursors.ts';
import { parseStoredAnalysis } from './content.ts';
import { mergeVariablesOfPage } from './present-version.ts';
import { readVariableNotes, type VariableNotes } from './variable-notes.ts';

/** What a caller needs to know to use a prompt. */
export interface CatalogEntry {
  name: string;
  type: PromptType;
  description: string;
  version: number;
  variables: Variable[];
  notes: VariableNotes;
}

const pageSize = 200;

/** The prompts that have a label, with their variables. */
export async function listCatalog(
  ctx: Context,
  actor: Actor,
  { label = productionLabel, cursor }: { label?: string | undefined; cursor?: string | undefined },
): Promise<Page<CatalogEntry>> {
  const [after] = cursor === undefined ? [] : decodeCursor('catalog', 1, cursor);
  const position = after === undefined ? undefined : { value: after, id: '' };
  const positions = await ctx.store.prompts.listPositions(actor.workspaceId, { sort: 'name', label, after: position, limit: pageSize + 1 });
  const ids = positions.map(({ id }) => id);
  const found = await ctx.store.catalog.list(actor.workspaceId, ids, label);
  const page = found.slice(0, endOf(found));
  const details = await Promise.all(page.map((record) => record.details ?? readDetails(ctx, actor, record)));
  const merged = await mergeVariablesOfPage(ctx, actor, await mapInTurns(details, parseStoredAnalysis));
  const indexes = [...merged.keys()];
  const data = await mapInTurns(indexes, (index) => toEntry(page[index], details[index], merged[index] ?? []));
  // Some may have lost the label since they were found, or were renamed.
  const hasMore = positions.length > pageSize || data.length < found.length;
  const lastId = page[data.length - 1]?.id ?? ids.at(-1);
  const last = positions.find(({ id }) => id === lastId);
  return { data, nextCursor: last && hasMore ? encodeCursor('catalog', [last.value]) : null };
}

/** A prompt with large details has a page of its own. */
function endOf(found: CatalogRecord[]): number {
  if (found[0]?.details === null) return 1;
  const large = found.findIndex(({ details }) => details === null);
  return Math.min(pageSize, large === -1 ? found.length : large);
}

async function readDetails(ctx: Context, { workspaceId }: Actor, { id, version }: CatalogRecord): Promise<CatalogDetails> {
  const record = await ctx.store.versions.find(workspaceId, id, version);
  // Versions are never changed, so it is gone only if the prompt was removed since the list was read.
  if (!record) throw versionNotFound(version);
  return record;
}

function toEntry(record: CatalogRecord | undefined, details: CatalogDetails | undefined, variables: Variable[]): CatalogEntry {
  if (!record || !details) throw new Error('There are more results than prompts');
  const { name, type, description, version } = record;
  return { name, type, description, version, variables, notes: readVariableNotes(JSON.parse(details.config)) };
}
