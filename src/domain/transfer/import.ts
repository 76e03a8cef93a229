import type { ImportedPrompt, ImportedPrompts, PromptLines } from '../../contract/transfer.ts';
import { yieldIfLong } from '../../event-loop.ts';
import type { Actor, Client } from '../actor.ts';
import type { Context } from '../context.ts';
import { changePrompts } from '../prompts/change-prompts.ts';
import { assertRole, recordInWorkspace } from '../workspaces/change-workspace.ts';
import { applyPlan } from './apply-plan.ts';
import { type ImportDraft, prepareImport } from './import-draft.ts';
import { planImport } from './plan-import.ts';

/** Prompts and lines that one transaction imports. Other writers of the workspace wait for it. */
const batchPrompts = 25;
const batchLines = 1000;

type Prepared = ImportDraft | { conflict: ImportedPrompt };

/**
 * Restores prompts as an export has them: with numbers, dates, names of authors, labels and history. A prompt that is there already is
 * completed if nobody has changed it here, and otherwise left alone. Importing the same again changes nothing. What was imported before
 * an error stays, and the same request goes on from there.
 */
export async function importPrompts(
  ctx: Context,
  actor: Actor,
  { prompts, isTrial, client }: { prompts: PromptLines[]; isTrial: boolean; client: Client },
): Promise<ImportedPrompts> {
  const data: ImportedPrompt[] = [];
  try {
    for (const batch of batchesOf(prompts)) {
      const prepared: Prepared[] = [];
      for (const lines of batch) prepared.push(await prepareImport(ctx, actor, lines));
      data.push(...(isTrial ? await tryBatch(ctx, actor, prepared) : await importBatch(ctx, actor, prepared)));
    }
  } finally {
    if (!isTrial) recordImport(ctx, actor, { data, client });
  }
  return { data };
}

async function importBatch(ctx: Context, actor: Actor, batch: Prepared[]): Promise<ImportedPrompt[]> {
  return changePrompts(ctx, actor, async (stores, actor) => {
    assertRole(actor.role, 'admin');
    const results: ImportedPrompt[] = [];
    for (const draft of batch) {
      await yieldIfLong();
      if ('conflict' in draft) {
        results.push(draft.conflict);
        continue;
      }
      const plan = await planImport(stores, actor, draft);
      if (plan.status === 'created' || plan.status === 'completed') await applyPlan(stores, actor, draft, plan);
      results.push(toResult(draft, plan));
    }
    return results;
  });
}

/** The same without a change. */
async function tryBatch(ctx: Context, actor: Actor, batch: Prepared[]): Promise<ImportedPrompt[]> {
  const results: ImportedPrompt[] = [];
  for (const draft of batch) {
    results.push('conflict' in draft ? draft.conflict : toResult(draft, await planImport(ctx.store, actor, draft)));
  }
  return results;
}

function toResult({ prompt }: ImportDraft, { status, reason }: Awaited<ReturnType<typeof planImport>>): ImportedPrompt {
  return { name: prompt.name, status, ...(reason !== undefined && { reason }) };
}

function* batchesOf(prompts: PromptLines[]): Generator<PromptLines[]> {
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

function countLines({ versions, deletedVersions, cases, events }: PromptLines): number {
  return 1 + versions.length + deletedVersions.length + cases.length + events.length;
}

function recordImport(ctx: Context, actor: Actor, { data, client }: { data: ImportedPrompt[]; client: Client }): void {
  const count = (status: ImportedPrompt['status']) => data.filter((item) => item.status === status).length;
  const prompts = { created: count('created'), completed: count('completed') };
  if (prompts.created + prompts.completed === 0) return;
  recordInWorkspace(ctx, actor, { type: 'prompts_imported', detail: { prompts }, client });
}
