import { productionLabel } from '../../contract/label-names.ts';
import { maxPageLimit } from '../../contract/limits.ts';
import type { Page } from '../../contract/lists.ts';
import type { Variable } from '../../contract/versions.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { listPrompts } from './prompts.ts';
import { readVariableNotes, type VariableNotes } from './variable-notes.ts';

/** What a caller needs to know to use a prompt. */
export interface CatalogEntry {
  name: string;
  description: string;
  variables: Variable[];
  notes: VariableNotes;
}

/** The prompts that have a label, with the variables of their labeled versions. */
export async function listCatalog(
  ctx: WithStore,
  actor: Actor,
  { label = productionLabel, cursor }: { label?: string | undefined; cursor?: string | undefined },
): Promise<Page<CatalogEntry>> {
  const page = await listPrompts(ctx, actor, { include: 'content', label, limit: maxPageLimit, ...(cursor !== undefined && { cursor }) });
  const data = page.data.flatMap(({ name, description, version }) =>
    version ? [{ name, description, variables: version.variables, notes: readVariableNotes(version.config) }] : [],
  );
  return { data, nextCursor: page.nextCursor };
}
