import type { Kysely, Transaction } from 'kysely';
import type { LabelRules } from '../../contract/label-rules.ts';
import { AppError } from '../../errors.ts';
import { createActivityWriter } from '../accounts/activity.ts';
import { type Credential, holdAccount, holdCredential } from '../accounts/credentials.ts';
import { createNotificationStore } from '../accounts/notifications.ts';
import { raiseRevision } from '../accounts/revision.ts';
import { createOutbox, type EventWriter } from '../events/events.ts';
import { createCaseStore } from '../models/cases.ts';
import { createCheckStore } from '../models/checks.ts';
import { collectRows, type WriteRows } from '../row-writes.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';
import { createMembershipStore } from '../workspaces/memberships.ts';
import { createAuthorStore } from './authors.ts';
import { createCandidateStore } from './candidates.ts';
import { createCommentStore } from './comments.ts';
import { createCopyStore } from './copy.ts';
import { createHistoryStore, createHistoryWriter, type HistoryWriter } from './history.ts';
import { createImportStore } from './import.ts';
import { createLabelStore } from './labels.ts';
import { createTextStore, updateTexts } from './prompt-texts.ts';
import { createPromptStore } from './prompts.ts';
import { createProposalStore } from './proposals.ts';
import { createUsageCounter, type Quotas, storeUsage, type UsageCounter } from './quota-usage.ts';
import { createReferenceStore } from './references.ts';
import { createReleaseStore } from './releases.ts';
import { insertVersions } from './version-rows.ts';
import { createVersionStore } from './versions.ts';

export type PromptStores = ReturnType<typeof bindPromptStores>;

/** The stores that a change to prompts uses. */
export interface PromptTransaction extends Omit<PromptStores, 'history'> {
  /** Stores for changes to many prompts. Their rows are written together at the end of the transaction, and cannot be read until then. */
  collecting: ReturnType<typeof bindVersionStores>;
  history: HistoryWriter & Pick<PromptStores['history'], 'listMoves' | 'haveChanged'>;
  memberships: ReturnType<typeof createMembershipStore>;
  notifications: ReturnType<typeof createNotificationStore>;
  activity: Pick<ReturnType<typeof createActivityWriter>, 'add'>;
  /** The number of earlier writes to the workspace. */
  changeCount: number;
  /** The protected labels. They cannot change before the transaction ends. */
  protectedLabels: readonly string[];
  /** The gated labels. They cannot change before the transaction ends. */
  gatedLabels: readonly string[];
  /** The rules of labels that require proposals. They cannot change before the transaction ends. */
  labelRules: LabelRules;
  events: EventWriter;
}

interface Options {
  quotas: Quotas;
  /** Called after each change. Also called after an error, because the change may have been committed nevertheless. */
  onChange(accountId: string, hasDeliveries: boolean): void;
}

/** The two workspaces of a copy. */
interface CopyWorkspaces {
  sourceId: string;
  targetId: string;
  /** Whether the source changes too. */
  isMove: boolean;
  /** The credential that must be valid until the commit. */
  credential: Credential;
}

/** The stores of a copy. `leaving` changes the source of a move, and is undefined otherwise. */
export interface CopyStores {
  source: Pick<PromptTransaction, 'prompts' | 'labels' | 'copies' | 'memberships' | 'releases' | 'candidates'>;
  target: PromptTransaction;
  leaving: PromptTransaction | undefined;
}

/**
 * Returns functions that change the prompts of one workspace, or of two, in one transaction. Each change first raises the revision, which
 * locks the workspace's row. The lock makes concurrent writers of a workspace wait for each other instead of failing with a conflict. It
 * also keeps the workspace's usage unchanged while the change adds to it.
 */
export function createPromptChanges(db: Kysely<Database>, { quotas, onChange }: Options) {
  return {
    /** Throws `unauthorized` if the account was deleted since the request was authenticated. */
    async changePrompts<T>(accountId: string, change: (stores: PromptTransaction) => Promise<T>): Promise<T> {
      let hasDeliveries = false;
      return runTransaction(db, async (transaction) => {
        const started = await startChange(transaction, accountId, quotas);
        if (!started) throw new AppError('unauthorized');
        const result = await change(started.stores);
        hasDeliveries = await started.finish();
        return result;
      }).finally(() => onChange(accountId, hasDeliveries));
    },

    /**
     * Runs a copy between two workspaces, which may be the same, in one transaction. The members, roles and prompts of both workspaces
     * cannot change before the commit. Rows are locked in the order of their ids, so that two copies in opposite directions do not
     * deadlock.
     */
    async copyPrompts<T>(
      { sourceId, targetId, isMove, credential }: CopyWorkspaces,
      change: (stores: CopyStores) => Promise<T>,
    ): Promise<T> {
      const changed = isMove ? [sourceId, targetId] : [targetId];
      let withDeliveries: string[] = [];
      return runTransaction(db, async (transaction) => {
        const changes = new Map<string, Awaited<ReturnType<typeof startChange>>>();
        for (const id of [...new Set([sourceId, targetId, credential.accountId])].sort()) {
          if (changed.includes(id)) changes.set(id, await startChange(transaction, id, quotas));
          else if (id === sourceId && !(await holdAccount(transaction, id))) throw new AppError('workspace_not_found');
          if (id === credential.accountId) await holdCredential(transaction, credential);
        }
        const target = changes.get(targetId)?.stores;
        const leaving = changes.get(sourceId)?.stores;
        if (!target || (isMove && !leaving)) throw new AppError('workspace_not_found');
        const source = { ...bindPromptStores(transaction), memberships: createMembershipStore(transaction) };
        const result = await change({ source, target, leaving: isMove ? leaving : undefined });
        withDeliveries = [];
        for (const [id, started] of changes) if (await started?.finish()) withDeliveries.push(id);
        return result;
      }).finally(() => {
        for (const id of changed) onChange(id, withDeliveries.includes(id));
      });
    },
  };
}

/** Raises the revision of a workspace and binds the stores of a change. Returns undefined if the workspace is deleted. */
async function startChange(transaction: Transaction<Database>, accountId: string, quotas: Quotas) {
  const current = await raiseRevision(transaction, accountId);
  if (!current) return undefined;
  const usage = createUsageCounter(current, quotas);
  const rows = collectRows([insertVersions]);
  const events = createOutbox(accountId, current);
  const history = createHistoryWriter();
  const activity = createActivityWriter(accountId);
  const searched = new Set<string>();
  const bound = bindPromptStores(transaction, usage, searched);
  const stores: PromptTransaction = {
    ...bound,
    collecting: bindVersionStores(transaction, usage, searched, rows.collect),
    history: { ...history, listMoves: bound.history.listMoves, haveChanged: bound.history.haveChanged },
    memberships: createMembershipStore(transaction),
    notifications: createNotificationStore(transaction),
    activity,
    changeCount: current.revision - 1,
    // The function `update` in workspace-settings.ts wrote these columns.
    protectedLabels: JSON.parse(current.protectedLabels) as string[],
    gatedLabels: JSON.parse(current.gatedLabels) as string[],
    labelRules: JSON.parse(current.labelRules) as LabelRules,
    events,
  };
  return {
    stores,
    /**
     * Stores the history, events and usage that the change added. Call this before the commit. Returns whether any webhook is subscribed to
     * the events.
     */
    async finish(): Promise<boolean> {
      await storeUsage(transaction, accountId, usage.added);
      await rows.write(transaction);
      await updateTexts(transaction, accountId, searched);
      await history.finish(transaction);
      await activity.finish(transaction);
      return events.finish(transaction);
    },
  };
}

/**
 * Binds the stores that a change to prompts uses to its transaction. `searched` gets the ids of prompts whose newest or labeled versions
 * change, so that their search texts are updated.
 */
export function bindPromptStores(db: Kysely<Database>, usage?: UsageCounter, searched?: Set<string>) {
  return {
    ...bindVersionStores(db, usage, searched),
    history: createHistoryStore(db),
    cases: createCaseStore(db, usage),
    imports: createImportStore(db, usage, searched),
    copies: createCopyStore(db, usage, searched),
    checks: createCheckStore(db),
    texts: createTextStore(db),
    authors: createAuthorStore(db),
    releases: createReleaseStore(db),
    candidates: createCandidateStore(db, usage),
    proposals: createProposalStore(db),
    comments: createCommentStore(db),
  };
}

function bindVersionStores(db: Kysely<Database>, usage?: UsageCounter, searched?: Set<string>, write?: WriteRows) {
  return {
    prompts: createPromptStore(db, usage, write, searched),
    versions: createVersionStore(db, usage, write, searched),
    references: createReferenceStore(db, write),
    labels: createLabelStore(db, write, searched),
  };
}
