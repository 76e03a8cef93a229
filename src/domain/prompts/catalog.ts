import { productionLabel } from '../../contract/label-names.ts';
import type { Page } from '../../contract/lists.ts';
import type { PromptType, Variable } from '../../contract/versions.ts';
import type { CatalogDetails, CatalogRecord } from '../../store/prompts/catalog.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { decodeCursor, encodeCursor } from '../cursors.ts';
import type { VersionReader } from './includes/partials.ts';
import { readVariableNotes, type VariableNotes } from './variable-notes.ts';
import { mergeVariablesOfPage } from './versions/present-version.ts';
import { parseStoredAnalysis } from './versions/version-content.ts';

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
  ctx: WithStore,
  actor: Actor,
  { label = productionLabel, cursor }: { label?: string | undefined; cursor?: string | undefined },
): Promise<Page<CatalogEntry>> {
  const [after] = cursor === undefined ? [] : decodeCursor('catalog', 1, cursor);
  const position = after === undefined ? undefined : { value: after, id: '' };
  const { workspaceId } = actor;
  return ctx.store.readSnapshot(workspaceId, async (stores) => {
    const prompts = await stores.prompts.list(workspaceId, { sort: 'name', label, after: position, limit: pageSize + 1 });
    const found = await stores.catalog.list(workspaceId, prompts, label);
    const page = found.slice(0, endOf(found));
    const details: CatalogDetails[] = [];
    for (const record of page) details.push(record.details ?? (await readDetails(stores, actor, record)));
    const merged = await mergeVariablesOfPage(stores, actor, details.map(parseStoredAnalysis));
    const data = merged.map((variables, index) => toEntry(page[index], details[index], variables));
    const last = data.length < found.length ? data.at(-1) : undefined;
    return { data, nextCursor: last ? encodeCursor('catalog', [last.name]) : null };
  });
}

/** A prompt with large details has a page of its own. */
function endOf(found: CatalogRecord[]): number {
  if (found[0]?.details === null) return 1;
  const large = found.findIndex(({ details }) => details === null);
  return Math.min(pageSize, large === -1 ? found.length : large);
}

async function readDetails({ versions }: VersionReader, { workspaceId }: Actor, { id, version }: CatalogRecord): Promise<CatalogDetails> {
  const record = await versions.find(workspaceId, id, version);
  if (!record) throw new Error(`The prompt ${id} has no version ${version}`);
  return record;
}

function toEntry(record: CatalogRecord | undefined, details: CatalogDetails | undefined, variables: Variable[]): CatalogEntry {
  if (!record || !details) throw new Error('There are more results than prompts');
  const { name, type, description, version } = record;
  return { name, type, description, version, variables, notes: readVariableNotes(JSON.parse(details.config)) };
}
