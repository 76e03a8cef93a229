import { EventEmitter } from 'node:events';
import { type Kysely, sql, type Transaction } from 'kysely';
import { AppError } from '../errors.ts';
import { createAccountStore } from './accounts/accounts.ts';
import { createActivityStore } from './accounts/activity.ts';
import { type Credential, changeWithCredential, holdCredential } from './accounts/credentials.ts';
import { deleteAccount } from './accounts/delete-account.ts';
import { endEarlierAccess, type FirstProof } from './accounts/earlier-access.ts';
import { createKeyStore } from './accounts/keys.ts';
import { createMailedLinkStore } from './accounts/mailed-links.ts';
import { countChanges, raiseRevision } from './accounts/revision.ts';
import { createSessionStore, insertSession, type NewSessionRecord } from './accounts/sessions.ts';
import { createSignInAddressStore } from './accounts/sign-in-addresses.ts';
import { createThrottleStore } from './accounts/throttles.ts';
import { createTwoFactorStore } from './accounts/two-factor.ts';
import { createCipherStore } from './ciphers.ts';
import { type AgingTable, deleteBefore } from './delete-batch.ts';
import { type CopyCounts, type CopyProgress, copyDatabase } from './engine/copy.ts';
import { type DatabaseSettings, openDatabase } from './engine/open.ts';
import { statisticsFileIn } from './engine/sqlite-statistics-file.ts';
import { createEventStore, createOutbox, type EventWriter } from './events/events.ts';
import { createExcessRowStore } from './excess-rows.ts';
import { createMetaStore } from './meta.ts';
import type { StoreMetric } from './metrics.ts';
import { migrate } from './migrate.ts';
import { createConnectionStore } from './models/connections.ts';
import { createModelUsageStore } from './models/model-usage.ts';
import { createRunStore } from './models/runs.ts';
import { createExportStore } from './prompts/export.ts';
import { bindPromptStores, createPromptChanges } from './prompts/prompt-transaction.ts';
import { type Quotas, unlimited } from './prompts/quota-usage.ts';
import { findExpiredPrompts, removePrompts } from './prompts/remove-prompts.ts';
import { createPromptStatisticsStore } from './statistics/prompt-statistics.ts';
import { createRetentionStore } from './statistics/retention.ts';
import { createStatisticsStore } from './statistics/statistics.ts';
import { createUsageCountStore } from './statistics/usage-counts.ts';
import type { Database } from './tables.ts';
import { runTransaction } from './transaction.ts';
import { createDeliveryStore } from './webhooks/deliveries.ts';
import { createFanOutStore } from './webhooks/fan-out.ts';
import { createWebhookQueueStore } from './webhooks/queues.ts';
import { createWebhookStore } from './webhooks/webhooks.ts';
import { createInvitationStore } from './workspaces/invitations.ts';
import { createMembershipStore } from './workspaces/memberships.ts';
import { assertMemberQuota, assertWebhookQuota } from './workspaces/quotas.ts';
import { createServiceAccountStore } from './workspaces/service-accounts.ts';
import { insertTeam, type NewTeam } from './workspaces/teams.ts';
import { createWorkspaceSettingsStore } from './workspaces/workspace-settings.ts';

export { hasEmbeddedDatabase } from './engine/open.ts';
export { assertNoLogAlone, assertNotLost } from './engine/sqlite-file.ts';
export type { BackupContent } from './engine/sqlite-verify.ts';

export interface WithStore {
  store: Store;
}

export type Store = Awaited<ReturnType<typeof openStore>>;

/**
 * The maximum duration of a snapshot, enough for a slow client of a full workspace. While a snapshot is open, the database keeps what was
 * deleted since.
 */
const maxStreamMs = 15 * 60 * 1000;

/** Opens the database and applies missing migrations, unless the schema must stay unchanged. */
export async function openStore({
  quotas = unlimited,
  migrates = true,
  movesStatistics = migrates,
  ...settings
}: DatabaseSettings & { quotas?: Quotas; migrates?: boolean; movesStatistics?: boolean }) {
  const { dataDir } = settings;
  const database = await openDatabase(settings);
  try {
    if (migrates) await database.runLong(migrate);
    if (movesStatistics) await database.prepareStatistics();
  } catch (err) {
    await database.close();
    throw err;
  }
  const { db, statistics } = database;
  const changes = new EventEmitter<{ change: [accountId: string]; deliveries: [accountId: string] }>();

  return {
    accounts: createAccountStore(db),
    keys: createKeyStore(db, database.createKeyLookup()),
    sessions: createSessionStore(db),
    signInAddresses: createSignInAddressStore(db),
    throttles: createThrottleStore(db),
    twoFactor: createTwoFactorStore(db),
    mailedLinks: createMailedLinkStore(db, (accountId) => void changes.emit('change', accountId)),
    ...bindPromptStores(db),
    ...bindWorkspaceStores(db),
    statistics: {
      ...createUsageCountStore(statistics),
      ...createStatisticsStore(db, statistics),
      ...createPromptStatisticsStore(statistics),
      ...createRetentionStore(statistics),
    },
    activity: createActivityStore(db),
    events: createEventStore(db),
    webhookQueues: createWebhookQueueStore(db),
    fanOuts: createFanOutStore(db),
    modelUsage: createModelUsageStore(db),
    runs: createRunStore(db),
    excessRows: createExcessRowStore(db, database.reader('housekeeping')),
    meta: createMetaStore(db),
    ciphers: createCipherStore(db),

    /** Adds the counts that instances of an earlier version have written in another form. */
    prepareStatistics: (): Promise<void> => database.prepareStatistics(),

    /** Deletes a batch of rows that are older than a time, and returns its size. */
    deleteBefore: (table: AgingTable, time: Date): Promise<number> => deleteBefore(db, table, time),

    quotas,

    /** Throws `quota_exceeded` if the workspace cannot have another webhook. The insert checks this again. */
    assertWebhookQuota: (workspaceId: string): Promise<void> => assertWebhookQuota(db, workspaceId, quotas.webhooks),

    /** Metrics of the connection pools and key lookups, or of the embedded engine's cache of keys. */
    metrics: (): StoreMetric[] => database.metrics(),

    changePrompts: createPromptChanges(db, {
      quotas,
      onChange(accountId, hasDeliveries) {
        changes.emit('change', accountId);
        if (hasDeliveries) changes.emit('deliveries', accountId);
      },
    }),

    /**
     * Returns stores for queries that may visit many rows of a workspace. They do not delay other requests. Each query sees the last
     * commit.
     */
    read: (workspaceId: string): ReadingStores => bindReadingStores(database.reader(workspaceId)),

    /** Runs several queries that see the same snapshot, whatever is written meanwhile. `read` must use no other stores. */
    async readSnapshot<T>(workspaceId: string, read: (stores: ReadingStores) => Promise<T>): Promise<T> {
      const snapshot = database.reader(workspaceId).transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
      return snapshot.execute((transaction) => read(bindReadingStores(transaction)));
    },

    /** Yields batches from a snapshot that a client reads over time. At most as many are open as exports are allowed. */
    async *streamSnapshot<T>(workspaceId: string, read: (stores: ReadingStores) => AsyncGenerator<T>): AsyncGenerator<T> {
      const endsAt = performance.now() + maxStreamMs;
      const reader = database.streamReader(workspaceId);
      const snapshot = await reader.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
      try {
        for await (const batch of read(bindReadingStores(snapshot))) {
          if (performance.now() > endsAt) throw new AppError('database_unavailable', { cause: new Error('Reading took too long') });
          yield batch;
        }
      } finally {
        await snapshot.rollback().execute();
      }
    },

    /** Calls the listener after each write to a workspace by this process. Returns a function that removes the listener. */
    onChange(listener: (accountId: string) => void): () => void {
      changes.on('change', listener);
      return () => changes.off('change', listener);
    },

    /** Calls the listener after each write by this process that creates deliveries. Returns a function that removes the listener. */
    onDeliveries(listener: (accountId: string) => void): () => void {
      changes.on('deliveries', listener);
      return () => changes.off('deliveries', listener);
    },

    /** Adds a team workspace that the credential's account owns. Throws `unauthorized` if the credential is not valid. */
    insertTeam: (team: NewTeam, credential: Credential): Promise<void> =>
      changeWithCredential(db, credential, (transaction) => insertTeam(transaction, { ...team, ownerId: credential.accountId })),

    /**
     * Changes the members, invitations, webhooks, model connections or settings of a workspace in one transaction. Like every write to its
     * prompts, it raises the revision first. So changes of one workspace run one after the other, and what a change has read is still true
     * when it commits. A given credential must be valid until the commit; otherwise this throws `unauthorized`.
     */
    async changeWorkspace<T>(workspaceId: string, change: (stores: WorkspaceStores) => Promise<T>, credential?: Credential): Promise<T> {
      return runTransaction(db, async (transaction) => {
        // Rows are locked in the order of their ids, so that two members who change each other's workspace do not deadlock.
        const isHeldFirst = credential !== undefined && credential.accountId < workspaceId;
        if (isHeldFirst) await holdCredential(transaction, credential);
        const current = await raiseRevision(transaction, workspaceId);
        if (credential && !isHeldFirst) await holdCredential(transaction, credential);
        if (!current) throw new AppError('workspace_not_found');
        const events = createOutbox(workspaceId, current);
        const result = await change({ ...bindChangingStores(transaction, workspaceId, quotas), events });
        await events.finish(transaction);
        return result;
      }).finally(() => {
        changes.emit('change', workspaceId);
        changes.emit('deliveries', workspaceId);
        // The first proof of an address also changes the account's own workspace.
        if (credential && credential.accountId !== workspaceId) changes.emit('change', credential.accountId);
      });
    },

    /** Permanently removes a batch of prompts that were deleted before a time. Returns false if there are none. */
    async removeExpiredPrompts(deletedBefore: Date): Promise<boolean> {
      const expired = await findExpiredPrompts(db, deletedBefore);
      if (!expired) return false;
      await runTransaction(db, async (transaction) => {
        await raiseRevision(transaction, expired.accountId);
        await removePrompts(transaction, expired);
      });
      return true;
    },

    /** Copies all rows to an empty database of another engine. */
    async copyTo(settings: DatabaseSettings, onProgress: (progress: CopyProgress) => void): Promise<CopyCounts> {
      const target = await openDatabase(settings);
      try {
        await target.runLong(migrate);
        await target.prepareStatistics();
        const source = { source: db, statisticsFile: statisticsFileIn(dataDir) };
        return await target.runLong((targetDb) => copyDatabase(source, targetDb, onProgress));
      } finally {
        await target.close();
      }
    },

    /** Makes a verified copy at `draft`, or leaves nothing behind. Undefined with PostgreSQL, which has its own tools. */
    backUp: database.backUp,

    /** Rejects if the database does not respond. */
    async ping(): Promise<void> {
      await sql`select 1`.execute(db);
    },

    close: (): Promise<void> => database.close(),
  };
}

/** The stores that `read` and `readSnapshot` bind. */
export type ReadingStores = ReturnType<typeof bindReadingStores>;

function bindReadingStores(db: Kysely<Database>) {
  return {
    ...bindPromptStores(db),
    exports: createExportStore(db),
    events: createEventStore(db),
    webhooks: createWebhookStore(db),
    deliveries: createDeliveryStore(db),
    runs: createRunStore(db),
    countChanges: (workspaceId: string) => countChanges(db, workspaceId),
  };
}

/** The stores that `changeWorkspace` binds to its transaction. */
export type WorkspaceStores = ReturnType<typeof bindChangingStores> & { events: EventWriter };

function bindChangingStores(db: Transaction<Database>, workspaceId: string, quotas: Quotas) {
  return {
    ...bindWorkspaceStores(db),
    quotas,
    /** Throws `quota_exceeded` if there is no room for one more member or invitation. */
    assertMemberQuota: () => assertMemberQuota(db, workspaceId, quotas.members),
    /** Throws `quota_exceeded` if there is no room for one more webhook. */
    assertWebhookQuota: () => assertWebhookQuota(db, workspaceId, quotas.webhooks),
    /** Revokes all earlier access to the account whose credential makes the change, if this is its first proof. */
    endEarlierAccess: (proof: FirstProof) => endEarlierAccess(db, proof),
    /** Starts a session of the account whose credential makes the change. */
    startSession: (session: NewSessionRecord) => insertSession(db, session),
    /** Deletes the workspace with everything in it. Returns the ids whose rows remain to be removed. */
    deleteWorkspace: () => deleteAccount(db, workspaceId),
  };
}

function bindWorkspaceStores(db: Kysely<Database>) {
  return {
    memberships: createMembershipStore(db),
    invitations: createInvitationStore(db),
    serviceAccounts: createServiceAccountStore(db),
    workspaceSettings: createWorkspaceSettingsStore(db),
    webhooks: createWebhookStore(db),
    deliveries: createDeliveryStore(db),
    connections: createConnectionStore(db),
  };
}
