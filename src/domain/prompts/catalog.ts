import { productionLabel } from '../../contract/label-names.ts';
import { maxPageLimit } from '../../contract/limits.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { listPrompts } from './list-prompts.ts';
import { readVariableNotes } from './variable-notes.ts';

/** The data that a caller needs to use a prompt. */
export type CatalogEntry = Awaited<ReturnType<typeof listCatalog>>['data'][number];

/** Lists the prompts that have a label, with the variables of their labeled versions. */
export async function listCatalog(
  ctx: WithStore,
  actor: Actor,
  { label = productionLabel, cursor }: { label?: string | undefined; cursor?: string | undefined },
) {
  const page = await listPrompts(ctx, actor, { include: 'content', label, limit: maxPageLimit, ...(cursor !== undefined && { cursor }) });
  const data = page.data.flatMap(({ name, description, version }) =>
    version ? [{ name, description, variables: version.variables, notes: readVariableNotes(version.config) }] : [],
  );
  return { data, nextCursor: page.nextCursor };
}
