import type { Kysely } from 'kysely';
import { AppError } from '../../errors.ts';
import { raiseRevision } from '../accounts/revision.ts';
import { createOutbox, type EventWriter } from '../events/events.ts';
import { createCaseStore } from '../models/cases.ts';
import { createCheckStore } from '../models/checks.ts';
import { collectRows, type WriteRows } from '../row-writes.ts';
import type { Database } from '../tables.ts';
import { runTransaction } from '../transaction.ts';
import { createMembershipStore } from '../workspaces/memberships.ts';
import { createHistoryStore, createHistoryWriter, type HistoryWriter } from './history.ts';
import { createImportStore } from './import.ts';
import { createLabelStore } from './labels.ts';
import { createPromptStore } from './prompts.ts';
import { createUsageCounter, type Quotas, storeUsage, type UsageCounter } from './quota-usage.ts';
import { createReferenceStore } from './references.ts';
import { insertVersions } from './version-rows.ts';
import { createVersionStore } from './versions.ts';

export type PromptStores = ReturnType<typeof bindPromptStores>;

/** The stores that a change of prompts uses. */
export interface PromptTransaction extends Omit<PromptStores, 'history'> {
  /** Stores for many prompts at once. Their writes run together at the end, and cannot be read before. */
  collecting: ReturnType<typeof bindVersionStores>;
  history: HistoryWriter & Pick<PromptStores['history'], 'listMoves'>;
  memberships: ReturnType<typeof createMembershipStore>;
  /** How often the workspace was written to before. */
  changeCount: number;
  /** The protected labels. They cannot change before the transaction ends. */
  protectedLabels: readonly string[];
  /** The gated labels. They cannot change before the transaction ends either. */
  gatedLabels: readonly string[];
  events: EventWriter;
}

interface Options {
  quotas: Quotas;
  /** Called after each change, and also after an error, because the change may have been committed nevertheless. */
  onChange(accountId: string, hasDeliveries: boolean): void;
}

/**
 * Returns a function that changes an account's prompts in one transaction. Raising the revision comes first, because the row lock makes
 * concurrent writers of an account wait for each other instead of failing with a conflict, and lets the usage be counted. Throws
 * `unauthorized` if the account was deleted since the request was authenticated.
 */
export function createPromptChanges(db: Kysely<Database>, { quotas, onChange }: Options) {
  return async function changePrompts<T>(accountId: string, change: (stores: PromptTransaction) => Promise<T>): Promise<T> {
    let hasDeliveries = false;
    return runTransaction(db, async (transaction) => {
      const current = await raiseRevision(transaction, accountId);
      if (!current) throw new AppError('unauthorized');
      const usage = createUsageCounter(current, quotas);
      const rows = collectRows([insertVersions]);
      const events = createOutbox(accountId, current);
      const history = createHistoryWriter();
      const stores = bindPromptStores(transaction, usage);
      const result = await change({
        ...stores,
        collecting: bindVersionStores(transaction, usage, rows.collect),
        history: { ...history, listMoves: stores.history.listMoves },
        memberships: createMembershipStore(transaction),
        changeCount: current.revision - 1,
        // Both were written from lists of labels.
        protectedLabels: JSON.parse(current.protectedLabels) as string[],
        gatedLabels: JSON.parse(current.gatedLabels) as string[],
        events,
      });
      await storeUsage(transaction, accountId, usage.added);
      await rows.write(transaction);
      await history.finish(transaction);
      hasDeliveries = await events.finish(transaction);
      return result;
    }).finally(() => onChange(accountId, hasDeliveries));
  };
}

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

function bindVersionStores(db: Kysely<Database>, usage?: UsageCounter, write?: WriteRows) {
  return {
    prompts: createPromptStore(db, usage, write),
    versions: createVersionStore(db, usage, write),
    references: createReferenceStore(db, write),
    labels: createLabelStore(db, write),
  };
}
