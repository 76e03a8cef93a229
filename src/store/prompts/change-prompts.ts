import type { Kysely, Transaction } from 'kysely';
import { AppError } from '../../errors.ts';
import { findRevision, type LockedWorkspace, raiseRevision, raiseRevisionFrom } from '../accounts/revision.ts';
import type { createChunkRunner } from '../chunked-statements.ts';
import { type CollectedRows, createCollectedRows } from '../collected-rows.ts';
import { isConflict } from '../engine/errors.ts';
import { createOutbox, type EventWriter } from '../events/events.ts';
import { createCaseStore } from '../models/cases.ts';
import { createCheckStore } from '../models/checks.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';
import { createMembershipStore } from '../workspaces/memberships.ts';
import { createHistoryStore, createHistoryWriter, type HistoryWriter } from './history.ts';
import { createImportStore } from './import.ts';
import { createLabelStore } from './labels.ts';
import { createPromptStore, promptRows } from './prompts.ts';
import { createReferenceStore } from './references.ts';
import { createUsageCounter, type Quotas, storeUsage, type UsageCounter } from './usage.ts';
import { versionRows } from './version-rows.ts';
import { createVersionStore } from './versions.ts';

export type PromptStores = ReturnType<typeof bindPromptStores>;

/** What a change of prompts works with. */
export interface PromptTransaction extends Omit<PromptStores, 'history'> {
  /** For many prompts at once: what is written with these is written together at the end, and cannot be read before. */
  collecting: ReturnType<typeof bindVersionStores>;
  history: HistoryWriter;
  memberships: ReturnType<typeof createMembershipStore>;
  /** The labels that only deployers may move. They cannot change before the transaction ends. */
  protectedLabels: readonly string[];
  /** The labels that want passing checks. They cannot change either. */
  gatedLabels: readonly string[];
  events: EventWriter;
  /** Of the workspace before the change, as `readRevision` returns it. */
  revisionBefore: number;
  /** Whether it is made before its transaction, for which others wait. */
  isAhead: boolean;
}

interface Options {
  quotas: Quotas;
  runInChunks: ReturnType<typeof createChunkRunner>;
  /** Called after each change, and after an error too, because it may have been made nevertheless. */
  onChange(accountId: string, hasDeliveries: boolean): void;
}

/** Changes of an account's prompts, each in one transaction. */
export function createPromptChanges(db: Kysely<Database>, { quotas, runInChunks, onChange }: Options) {
  /** `current` has the revision that the change gets. What it collects is stored by `write`. */
  function bindChange(db: Kysely<Database>, accountId: string, current: LockedWorkspace, isAhead: boolean) {
    const usage = createUsageCounter(current, quotas);
    const rows = createCollectedRows(runInChunks, [promptRows, versionRows]);
    const events = createOutbox(accountId, current, rows);
    const stores: PromptTransaction = {
      ...bindPromptStores(db, usage),
      collecting: bindVersionStores(db, usage, rows),
      history: createHistoryWriter(rows),
      memberships: createMembershipStore(db),
      // Both were written from lists of labels.
      protectedLabels: JSON.parse(current.protectedLabels) as string[],
      gatedLabels: JSON.parse(current.gatedLabels) as string[],
      events,
      revisionBefore: current.revision - 1,
      isAhead,
    };
    /** Returns whether webhooks want to know of it. */
    async function write(transaction: Transaction<Database>): Promise<boolean> {
      await storeUsage(transaction, accountId, usage.added);
      const hasDeliveries = await events.finish(transaction);
      await rows.write(transaction);
      return hasDeliveries;
    }
    return { stores, write };
  }

  /** Undefined if someone else has changed the workspace since `change` has read it, or `confirm` fails. Then nothing is stored. */
  async function changeAhead<T>(
    accountId: string,
    change: (stores: PromptTransaction) => Promise<T>,
    confirm: (stores: Pick<PromptTransaction, 'memberships'>) => Promise<boolean>,
  ): Promise<{ result: T; hasDeliveries: boolean } | undefined> {
    const seen = await findRevision(db, accountId);
    if (!seen) throw new AppError('unauthorized');
    const { next, raise } = raiseRevisionFrom(accountId, seen);
    const { stores, write } = bindChange(db, accountId, next, true);
    const result = await change(stores);
    try {
      return await db.transaction().execute(async (transaction) => {
        if (!(await raise(transaction)) || !(await confirm({ memberships: createMembershipStore(transaction) }))) {
          throw new ChangedMeanwhile();
        }
        return { result, hasDeliveries: await write(transaction) };
      });
    } catch (err) {
      if (err instanceof ChangedMeanwhile || isConflict(err)) return undefined;
      throw err;
    }
  }

  /**
   * Raising the revision comes first, because the row lock makes concurrent writers of an account wait for each other instead of failing
   * with a conflict, and lets the usage be counted. Throws `unauthorized` if the account was deleted since the request was authenticated.
   */
  async function changePrompts<T>(accountId: string, change: (stores: PromptTransaction) => Promise<T>): Promise<T> {
    let hasDeliveries = false;
    return runTransaction(db, async (transaction) => {
      const current = await raiseRevision(transaction, accountId);
      if (!current) throw new AppError('unauthorized');
      const { stores, write } = bindChange(transaction, accountId, current, false);
      const result = await change(stores);
      hasDeliveries = await write(transaction);
      return result;
    }).finally(() => onChange(accountId, hasDeliveries));
  }

  return {
    changePrompts,

    /** For what is looked up before a change, which then is told whether it still holds. */
    async readRevision(accountId: string): Promise<number> {
      const current = await findRevision(db, accountId);
      if (!current) throw new AppError('unauthorized');
      return current.revision;
    },

    /**
     * The same for a change that takes long: it is made before the transaction, which then only writes, because on the embedded engine
     * everybody waits for a transaction. If the workspace was changed meanwhile, it is made once more, inside one. So `change` may be called
     * twice, and writes with `collecting` alone. `confirm` tells inside the transaction whether what does not raise the revision still holds.
     */
    async changeManyPrompts<T>(
      accountId: string,
      change: (stores: PromptTransaction) => Promise<T>,
      confirm: (stores: Pick<PromptTransaction, 'memberships'>) => Promise<boolean>,
    ): Promise<T> {
      let hasDeliveries = false;
      try {
        const changed = await changeAhead(accountId, change, confirm);
        if (!changed) return await changePrompts(accountId, change);
        hasDeliveries = changed.hasDeliveries;
        return changed.result;
      } finally {
        onChange(accountId, hasDeliveries);
      }
    },
  };
}

class ChangedMeanwhile extends Error {}

/** The stores that changes of prompts bind to their transaction. */
export function bindPromptStores(db: Kysely<Database>, usage?: UsageCounter) {
  return {
    ...bindVersionStores(db, usage),
    history: createHistoryStore(db),
    cases: createCaseStore(db, usage),
    imports: createImportStore(db, usage),
    checks: createCheckStore(db),
  };
}

function bindVersionStores(db: Kysely<Database>, usage?: UsageCounter, collected?: CollectedRows) {
  return {
    prompts: createPromptStore(db, usage, collected),
    versions: createVersionStore(db, usage, collected),
    references: createReferenceStore(db, collected),
    labels: createLabelStore(db, collected),
  };
}
