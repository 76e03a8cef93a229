import type { Warning } from '../../contract/warnings.ts';
import type { WithStore } from '../../store/store.ts';
import { resolveIncludes } from '../prompts/includes/resolve-includes.ts';
import { toWarning } from '../prompts/labels/move-warnings.ts';
import { parseStoredAnalysis } from '../prompts/versions/version-content.ts';
import type { Copy } from './copy.ts';

/** Finds the reasons why the newest and the labeled versions cannot be rendered in the workspace of the copy. */
export async function findIncludeWarnings(ctx: WithStore, { source, actor, target, name }: Copy, stagedId: string): Promise<Warning[]> {
  const labels = await ctx.store.labels.list(actor.workspaceId, source.id);
  const found = await ctx.store.readSnapshot(target.workspaceId, async (stores) => {
    const warnings: Warning[] = [];
    for (const version of new Set([source.latestVersion, ...labels.values()])) {
      const record = await stores.versions.find(target.workspaceId, stagedId, version);
      if (!record || record.partials === '[]') continue;
      const analysis = parseStoredAnalysis(record);
      const { problems } = await resolveIncludes(stores, target, { name, syntax: record.syntax, analysis });
      warnings.push(...problems.map(toWarning));
    }
    return warnings;
  });
  return [...new Map(found.map((warning) => [warning.message, warning])).values()];
}
