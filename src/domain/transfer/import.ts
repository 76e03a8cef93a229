import { mergeImportResults } from '../../contract/import-results.ts';
import type { ImportedPrompt, ImportedPrompts, PromptLine, PromptLines } from '../../contract/transfer.ts';
import type { WithStore } from '../../store/store.ts';
import type { WithAudit } from '../accounts/audit.ts';
import type { Actor, Client } from '../actor.ts';
import { changePrompts, type PromptChangeStores, type WithChanges, type WithLargeChanges } from '../prompts/change-prompts.ts';
import type { WithTemplates } from '../templates/templates.ts';
import { assertRole, recordInWorkspace } from '../workspaces/change-workspace.ts';
import { applyPlan } from './apply-plan.ts';
import { batchDrafts } from './batch-drafts.ts';
import { type ImportDraft, prepareImport } from './import-draft.ts';
import { type ImportPlan, planImport } from './plan-import.ts';

/** The result for each prompt, by the line of the prompt. A prompt with many lines is stored in several transactions. */
type Results = Map<PromptLine, ImportedPrompt>;

interface ImportOptions {
  /** Whether existing prompts in conflict are moved to the bin. */
  isReplacing: boolean;
}

/**
 * Restores prompts as they are in an export, with their version numbers, dates, authors, labels and history. An existing prompt is
 * completed if nobody has changed it in this workspace, and is left unchanged otherwise. Importing the same export again changes nothing.
 * Prompts that were imported before an error stay, and repeating the request imports the remaining prompts.
 */
export async function importPrompts(
  ctx: WithTemplates & WithChanges & WithLargeChanges & WithAudit,
  actor: Actor,
  { batches, isTrial, isReplacing, client }: ImportOptions & { batches: AsyncIterable<PromptLines[]>; isTrial: boolean; client: Client },
): Promise<ImportedPrompts> {
  const prompts: PromptLine[] = [];
  const results: Results = new Map();
  try {
    for await (const batch of batches) {
      prompts.push(...batch.map(({ prompt }) => prompt));
      const drafts: ImportDraft[] = [];
      for (const lines of batch) {
        const prepared = await prepareImport(ctx, actor, lines);
        if ('conflict' in prepared) results.set(lines.prompt, prepared.conflict);
        else drafts.push(prepared);
      }
      if (isTrial) await tryBatch(ctx, actor, { batch: drafts, results, isReplacing });
      else for (const batch of batchDrafts(drafts)) await importBatch(ctx, actor, { batch, results, isReplacing });
    }
  } finally {
    if (!isTrial) recordImport(ctx, actor, { results, client });
  }
  return { data: prompts.flatMap((prompt) => results.get(prompt) ?? []) };
}

interface BatchWork extends ImportOptions {
  batch: ImportDraft[];
  results: Results;
}

/**
 * Imports a batch. Plans are made before the transaction, because they may read a long history. They are made again if the workspace has
 * changed in the meantime.
 */
async function importBatch(ctx: WithStore & WithChanges & WithLargeChanges, actor: Actor, work: BatchWork): Promise<void> {
  const { results } = work;
  const stored = await ctx.largeChanges.run(actor.workspaceId, async () => {
    for (;;) {
      const plans = await planBatch(ctx, actor, work);
      const isStored = await changePrompts(ctx, actor, (stores, actor) => storeBatch(stores, actor, plans));
      if (isStored) return plans.planned;
    }
  });
  for (const { draft, plan } of stored) {
    results.set(draft.prompt, mergeImportResults(results.get(draft.prompt), toResult(draft, plan)));
  }
}

/** Plans a batch without changing anything, for a dry run. */
async function tryBatch(ctx: WithStore, actor: Actor, work: BatchWork): Promise<void> {
  const { planned } = await planBatch(ctx, actor, work);
  for (const { draft, plan } of planned) work.results.set(draft.prompt, toResult(draft, plan));
}

type PlannedBatch = Awaited<ReturnType<typeof planBatch>>;

/** Plans a batch. `changeCount` is the number of changes to the workspace before the plan was made. */
function planBatch(ctx: WithStore, actor: Actor, { batch, results, isReplacing }: BatchWork) {
  return ctx.store.readSnapshot(actor.workspaceId, async (stores) => {
    const planned: { draft: ImportDraft; plan: ImportPlan }[] = [];
    for (const draft of batch) {
      if (results.get(draft.prompt)?.status === 'conflict') continue;
      planned.push({ draft, plan: await planImport(stores, actor, draft, { isReplacing }) });
    }
    return { planned, changeCount: await stores.countChanges(actor.workspaceId) };
  });
}

/** Stores a batch. Returns false if the workspace has changed since the plans were made. */
async function storeBatch(stores: PromptChangeStores, actor: Actor, { planned, changeCount }: PlannedBatch): Promise<boolean> {
  assertRole(actor.role, 'admin');
  if (stores.changeCount !== changeCount) return false;
  for (const { draft, plan } of planned) {
    if (plan.status !== 'unchanged' && plan.status !== 'conflict') await applyPlan(stores, actor, draft, plan);
  }
  return true;
}

function toResult({ prompt }: ImportDraft, { status, reason, replaceable }: ImportPlan): ImportedPrompt {
  return { name: prompt.name, status, ...(reason !== undefined && { reason }), ...(replaceable !== undefined && { replaceable }) };
}

function recordImport(ctx: WithAudit, actor: Actor, { results, client }: { results: Results; client: Client }): void {
  const count = (status: ImportedPrompt['status']) => [...results.values()].filter((item) => item.status === status).length;
  const prompts = { created: count('created'), completed: count('completed'), replaced: count('replaced') };
  if (prompts.created + prompts.completed + prompts.replaced === 0) return;
  recordInWorkspace(ctx, actor, { type: 'prompts_imported', detail: { prompts }, client });
}
