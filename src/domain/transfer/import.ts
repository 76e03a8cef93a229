import type { ImportedPrompt, ImportedPrompts, PromptLine, PromptLines } from '../../contract/transfer.ts';
import { mergeImportResults } from '../../contract/transfer-format.ts';
import type { WithStore } from '../../store/store.ts';
import type { WithAudit } from '../accounts/audit.ts';
import type { Actor, Client } from '../actor.ts';
import type { WithChanges, WithLargeChanges } from '../prompts/change-prompts.ts';
import { changePrompts, type PromptChangeStores } from '../prompts/change-prompts.ts';
import type { WithTemplates } from '../templates/templates.ts';
import { assertRole, recordInWorkspace } from '../workspaces/change-workspace.ts';
import { applyPlan } from './apply-plan.ts';
import { type ImportDraft, prepareImport } from './import-draft.ts';
import { planImport } from './plan-import.ts';
import { splitDrafts } from './split-drafts.ts';

/** Prompts and lines that are prepared before they are stored. */
const batchPrompts = 25;
const batchLines = 1000;

type Prepared = ImportDraft | { conflict: ImportedPrompt };

/** What became of each prompt, by its line. One with many lines is stored in several transactions. */
type Results = Map<PromptLine, ImportedPrompt>;

/**
 * Restores prompts as an export has them: with numbers, dates, names of authors, labels and history. A prompt that is there already is
 * completed if nobody has changed it here, and otherwise left alone. Importing the same again changes nothing. What was imported before
 * an error stays, and the same request goes on from there.
 */
export async function importPrompts(
  ctx: WithStore & WithTemplates & WithChanges & WithLargeChanges & WithAudit,
  actor: Actor,
  { batches, isTrial, client }: { batches: AsyncIterable<PromptLines[]>; isTrial: boolean; client: Client },
): Promise<ImportedPrompts> {
  const prompts: PromptLine[] = [];
  const results: Results = new Map();
  try {
    for await (const batch of splitBatches(batches)) {
      prompts.push(...batch.map(({ prompt }) => prompt));
      const drafts: ImportDraft[] = [];
      for (const lines of batch) {
        const prepared: Prepared = await prepareImport(ctx, actor, lines);
        if ('conflict' in prepared) results.set(lines.prompt, prepared.conflict);
        else drafts.push(prepared);
      }
      if (isTrial) await tryBatch(ctx, actor, drafts, results);
      else for (const parts of splitDrafts(drafts)) await importBatch(ctx, actor, parts, results);
    }
  } finally {
    if (!isTrial) recordImport(ctx, actor, { results, client });
  }
  return { data: prompts.flatMap((prompt) => results.get(prompt) ?? []) };
}

async function importBatch(
  ctx: WithStore & WithChanges & WithLargeChanges,
  actor: Actor,
  batch: ImportDraft[],
  results: Results,
): Promise<void> {
  const change = async (stores: PromptChangeStores, actor: Actor) => {
    assertRole(actor.role, 'admin');
    const merged: Results = new Map();
    for (const draft of batch) {
      const before = merged.get(draft.prompt) ?? results.get(draft.prompt);
      if (before?.status === 'conflict') continue;
      const plan = await planImport(stores, actor, draft);
      if (plan.status === 'created' || plan.status === 'completed') await applyPlan(stores, actor, draft, plan);
      merged.set(draft.prompt, mergeImportResults(before, toResult(draft, plan)));
    }
    return merged;
  };
  const stored = await ctx.largeChanges.run(actor.workspaceId, () => changePrompts(ctx, actor, change));
  for (const [prompt, result] of stored) results.set(prompt, result);
}

/** The same without a change. */
async function tryBatch(ctx: WithStore, actor: Actor, batch: ImportDraft[], results: Results): Promise<void> {
  for (const draft of batch) results.set(draft.prompt, toResult(draft, await planImport(ctx.store.read(actor.workspaceId), actor, draft)));
}

function toResult({ prompt }: ImportDraft, { status, reason }: Awaited<ReturnType<typeof planImport>>): ImportedPrompt {
  return { name: prompt.name, status, ...(reason !== undefined && { reason }) };
}

async function* splitBatches(batches: AsyncIterable<PromptLines[]>): AsyncGenerator<PromptLines[]> {
  for await (const prompts of batches) {
    let batch: PromptLines[] = [];
    let lineCount = 0;
    for (const prompt of prompts) {
      batch.push(prompt);
      lineCount += countLines(prompt);
      if (batch.length < batchPrompts && lineCount < batchLines) continue;
      yield batch;
      batch = [];
      lineCount = 0;
    }
    if (batch.length > 0) yield batch;
  }
}

function countLines({ versions, deletedVersions, cases, events }: PromptLines): number {
  return 1 + versions.length + deletedVersions.length + cases.length + events.length;
}

function recordImport(ctx: WithAudit, actor: Actor, { results, client }: { results: Results; client: Client }): void {
  const count = (status: ImportedPrompt['status']) => [...results.values()].filter((item) => item.status === status).length;
  const prompts = { created: count('created'), completed: count('completed') };
  if (prompts.created + prompts.completed === 0) return;
  recordInWorkspace(ctx, actor, { type: 'prompts_imported', detail: { prompts }, client });
}
