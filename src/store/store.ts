import { EventEmitter } from 'node:events';
import { sql } from 'kysely';
import { AppError } from '../errors.ts';
import { createAccountStore } from './accounts/accounts.ts';
import { createActivityStore } from './accounts/activity.ts';
import { createCliSignInStore } from './accounts/cli-sign-ins.ts';
import { type Credential, changeWithCredential, holdAccount, holdCredential } from './accounts/credentials.ts';
import { createEmailChangeStore } from './accounts/email-changes.ts';
import { createIdentityStore } from './accounts/identities.ts';
import { createKeyStore } from './accounts/keys.ts';
import { createMailedLinkStore } from './accounts/mailed-links.ts';
import { createPasskeyStore } from './accounts/passkeys.ts';
import { raiseRevision } from './accounts/revision.ts';
import { createSessionStore, defaultSessionTimes, type SessionTimes } from './accounts/sessions.ts';
import { createSignInAddressStore } from './accounts/sign-in-addresses.ts';
import { createThrottleStore } from './accounts/throttles.ts';
import { createTwoFactorStore } from './accounts/two-factor.ts';
import { bindChangingStores, bindReadingStores, bindWorkspaceStores, type ReadingStores, type WorkspaceStores } from './bound-stores.ts';
import { createCipherStore } from './ciphers.ts';
import { type AgingTable, deleteBefore } from './delete-batch.ts';
import { type CopyCounts, type CopyProgress, copyDatabase } from './engine/copy.ts';
import { type DatabaseSettings, openDatabase } from './engine/open.ts';
import { statisticsFileIn } from './engine/sqlite-statistics-file.ts';
import { createEventStore, createOutbox } from './events/events.ts';
import { createExcessRowStore } from './excess-rows.ts';
import { createMetaStore } from './meta.ts';
import type { StoreMetric } from './metrics.ts';
import { migrate } from './migrate.ts';
import { createModelUsageStore } from './models/model-usage.ts';
import { createRunStore } from './models/runs.ts';
import { changePersonal, type PersonalStores } from './prompts/personal.ts';
import { createTextStore, type TextPosition, updateTexts } from './prompts/prompt-texts.ts';
import { bindPromptStores, createPromptChanges } from './prompts/prompt-transaction.ts';
import { type Quotas, unlimited } from './prompts/quota-usage.ts';
import { findExpiredPrompts, removePrompts } from './prompts/remove-prompts.ts';
import { createReportedPromptStore } from './prompts/reported-prompts.ts';
import { createComparedResultStore } from './statistics/compared-results.ts';
import { createCountedCallStore } from './statistics/counted-calls.ts';
import { createMemberStatisticsStore } from './statistics/member-statistics.ts';
import { createPromptKeyStore } from './statistics/prompt-keys.ts';
import { createPromptStatisticsStore } from './statistics/prompt-statistics.ts';
import { createReleaseReadStore } from './statistics/release-reads.ts';
import { createReleaseResultStore } from './statistics/release-results.ts';
import { createReleaseUnitStore } from './statistics/release-units.ts';
import { createResultRowStore } from './statistics/result-rows.ts';
import { createResultStore } from './statistics/results.ts';
import { createRetentionStore } from './statistics/retention.ts';
import { createRunStatisticsStore } from './statistics/run-statistics.ts';
import { createStatisticsStore } from './statistics/statistics.ts';
import { createUsageCountStore } from './statistics/usage-counts.ts';
import { runTransaction } from './transaction.ts';
import { createFanOutStore } from './webhooks/fan-out.ts';
import { createWebhookQueueStore } from './webhooks/queues.ts';
import { assertWebhookQuota } from './workspaces/quotas.ts';
import { createTeamStore, insertTeam, type NewTeam } from './workspaces/teams.ts';

export { hasEmbeddedDatabase } from './engine/open.ts';
export { assertNotLost } from './engine/sqlite-file.ts';
export type { BackupContent } from './engine/sqlite-verify.ts';

export interface WithStore {
  store: Store;
}

export type Store = Awaited<ReturnType<typeof openStore>>;

/**
 * The maximum duration of a snapshot. It is enough for a slow client that exports a full workspace. It is limited because the database
 * cannot discard old rows while a snapshot is open.
 */
const maxStreamMs = 15 * 60 * 1000;

/** Opens the database and applies missing migrations, unless the schema must stay unchanged. */
export async function openStore({
  quotas = unlimited,
  sessionTimes = defaultSessionTimes,
  migrates = true,
  movesStatistics = migrates,
  ...settings
}: DatabaseSettings & { quotas?: Quotas; sessionTimes?: SessionTimes; migrates?: boolean; movesStatistics?: boolean }) {
  const { dataDir } = settings;
  const database = await openDatabase(settings);
  try {
    if (migrates) await database.runLong(migrate);
    if (movesStatistics) database.prepareStatistics();
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
    identities: createIdentityStore(db),
    signInAddresses: createSignInAddressStore(db),
    throttles: createThrottleStore(db),
    passkeys: createPasskeyStore(db),
    cliSignIns: createCliSignInStore(db),
    twoFactor: createTwoFactorStore(db),
    mailedLinks: createMailedLinkStore(db, (accountId) => void changes.emit('change', accountId)),
    emailChanges: createEmailChangeStore(db, (accountId) => void changes.emit('change', accountId)),
    ...bindPromptStores(db),
    reportedPrompts: createReportedPromptStore(db),
    ...bindWorkspaceStores(db),
    statistics: {
      ...createUsageCountStore(statistics),
      ...createStatisticsStore(db, statistics),
      ...createPromptStatisticsStore(statistics),
      ...createMemberStatisticsStore(statistics),
      ...createRunStatisticsStore(statistics),
      ...createReleaseReadStore(statistics),
      ...createPromptKeyStore(statistics),
      ...createCountedCallStore(statistics),
      ...createResultRowStore(statistics),
      ...createResultStore(statistics),
      ...createReleaseUnitStore(statistics),
      ...createReleaseResultStore(statistics),
      ...createComparedResultStore(statistics),
      ...createRetentionStore(statistics),
    },
    activity: createActivityStore(db),
    teams: createTeamStore(db),
    events: createEventStore(db),
    webhookQueues: createWebhookQueueStore(db),
    fanOuts: createFanOutStore(db),
    modelUsage: createModelUsageStore(db),
    runs: createRunStore(db),
    excessRows: createExcessRowStore(db, database.reader('housekeeping')),
    meta: createMetaStore(db),
    ciphers: createCipherStore(db),

    /** Deletes a batch of rows that are older than a time. Returns the number of deleted rows. */
    deleteBefore: (table: AgingTable, time: Date): Promise<number> => deleteBefore(db, table, time),

    quotas,
    sessionTimes,

    /** Throws `quota_exceeded` if the workspace cannot have another webhook. The insert checks the quota again. */
    assertWebhookQuota: (workspaceId: string): Promise<void> => assertWebhookQuota(db, workspaceId, quotas.webhooks),

    /** Metrics of the connection pools and key lookups, or of the embedded engine's cache of keys. */
    metrics: (): StoreMetric[] => database.metrics(),

    ...createPromptChanges(db, {
      quotas,
      onChange(accountId, hasDeliveries) {
        changes.emit('change', accountId);
        if (hasDeliveries) changes.emit('deliveries', accountId);
      },
    }),

    /**
     * Returns stores for queries that may visit many rows of a workspace. These queries do not delay other requests. Each query sees the
     * last commit.
     */
    read: (workspaceId: string): ReadingStores => bindReadingStores(database.reader(workspaceId)),

    /**
     * Runs several queries that see the same snapshot, even if data is written in the meantime. `read` must use only the stores that it
     * receives.
     */
    async readSnapshot<T>(workspaceId: string, read: (stores: ReadingStores) => Promise<T>): Promise<T> {
      const snapshot = database.reader(workspaceId).transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
      return snapshot.execute((transaction) => read(bindReadingStores(transaction)));
    },

    /** Yields batches from a snapshot that a client reads over time. There are never more open snapshots than allowed exports. */
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
     * Changes the members, invitations, webhooks, model connections or settings of a workspace in one transaction. Like every write to
     * prompts, the transaction first raises the revision. Changes to one workspace therefore run one at a time, and the data that a
     * change has read is still current when it commits. If a credential is given, it must be valid until the commit. Otherwise, throws
     * `unauthorized`. To enforce a limit of an account, lock its row too, either with the credential or by listing the account in `held`.
     */
    async changeWorkspace<T>(
      workspaceId: string,
      change: (stores: WorkspaceStores) => Promise<T>,
      credential?: Credential,
      held: string[] = [],
    ): Promise<T> {
      return runTransaction(db, async (transaction) => {
        let current: Awaited<ReturnType<typeof raiseRevision>>;
        // Rows are locked in the order of their ids, so that two members who change each other's workspace do not deadlock.
        for (const id of [...new Set([workspaceId, ...(credential ? [credential.accountId] : []), ...held])].sort()) {
          if (id === workspaceId) current = await raiseRevision(transaction, id);
          if (id === credential?.accountId) await holdCredential(transaction, credential);
          else if (id !== workspaceId) await holdAccount(transaction, id);
        }
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

    /** Changes the favorites or views of the credential's account in a workspace. Throws if the account is not a member. */
    changePersonal: <T>(workspaceId: string, credential: Credential, change: (stores: PersonalStores) => Promise<T>): Promise<T> =>
      changePersonal(db, { workspaceId, credential }, change),

    /** Permanently removes a prompt that was never visible. */
    async removeStagedPrompt(accountId: string, id: string): Promise<void> {
      const removeBatch = () =>
        runTransaction(db, async (transaction) => {
          await raiseRevision(transaction, accountId);
          return removePrompts(transaction, { accountId, promptIds: [id] });
        });
      while (!(await removeBatch()));
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

    /** Lists prompts of all workspaces after a position, and whether their search texts are up to date. */
    listTexts: (after: TextPosition, limit: number) => createTextStore(database.reader('housekeeping')).listAfter(after, limit),

    /**
     * Updates the search texts of the given prompts. Raises the revision, because the responses of searches change. Returns false if more
     * texts have to be added.
     */
    async updateTexts(accountId: string, promptIds: string[]): Promise<boolean> {
      return runTransaction(db, async (transaction) => {
        if (!(await raiseRevision(transaction, accountId))) return true;
        return updateTexts(transaction, accountId, promptIds);
      });
    },

    /** Copies all rows to an empty database of another engine. */
    async copyTo(settings: DatabaseSettings, onProgress: (progress: CopyProgress) => void): Promise<CopyCounts> {
      const target = await openDatabase(settings);
      try {
        await target.runLong(migrate);
        target.prepareStatistics();
        const source = { source: db, statisticsFile: statisticsFileIn(dataDir) };
        return await target.runLong((targetDb) => copyDatabase(source, targetDb, onProgress));
      } finally {
        await target.close();
      }
    },

    /**
     * Makes and verifies a copy at `draft`. A failed attempt leaves no files behind. Undefined with PostgreSQL, which has its own tools.
     */
    backUp: database.backUp,

    /** Rejects if the database does not respond. */
    async ping(): Promise<void> {
      await sql`select 1`.execute(db);
    },

    close: (): Promise<void> => database.close(),
  };
}
