import { hostname } from 'node:os';
import { type Kysely, sql } from 'kysely';
import { StartError } from '../errors.ts';
import { isDuplicate } from './engine/errors.ts';
import * as accounts from './migrations/0001-accounts.ts';
import * as prompts from './migrations/0002-prompts.ts';
import * as statistics from './migrations/0003-statistics.ts';
import * as twoFactor from './migrations/0004-two-factor.ts';
import * as limits from './migrations/0005-limits.ts';
import * as accountSecurity from './migrations/0006-account-security.ts';
import * as workspaces from './migrations/0007-workspaces.ts';
import * as references from './migrations/0008-references.ts';
import * as renderErrors from './migrations/0009-render-errors.ts';
import * as events from './migrations/0010-events.ts';
import * as webhooks from './migrations/0011-webhooks.ts';
import * as langfuse from './migrations/0012-langfuse.ts';
import * as models from './migrations/0013-models.ts';
import * as runs from './migrations/0014-runs.ts';
import * as checks from './migrations/0015-checks.ts';
import * as usageBlocks from './migrations/0016-usage-blocks.ts';
import * as webhookFanOuts from './migrations/0017-webhook-fan-outs.ts';
import * as namesInBin from './migrations/0018-names-in-bin.ts';
import * as referencesByLabel from './migrations/0019-references-by-label.ts';
import * as verifiedEmails from './migrations/0020-verified-emails.ts';
import * as statisticsFile from './migrations/0021-statistics.ts';
import * as teams from './migrations/0022-teams.ts';
import * as search from './migrations/0023-search.ts';
import * as statisticsForPeople from './migrations/0026-statistics-for-people.ts';
import * as notifications from './migrations/0027-notifications.ts';
import * as activity from './migrations/0028-activity.ts';
import * as finding from './migrations/0029-finding.ts';
import * as providers from './migrations/0031-providers.ts';
import * as results from './migrations/0032-results.ts';
import * as resultAlerts from './migrations/0033-result-alerts.ts';
import * as releases from './migrations/0034-releases.ts';
import * as releaseUnits from './migrations/0035-release-units.ts';
import * as releaseReads from './migrations/0036-release-reads.ts';
import * as givenOrder from './migrations/0039-given-order.ts';
import * as candidates from './migrations/0040-candidates.ts';
import * as proposals from './migrations/0041-proposals.ts';
import * as endedProposals from './migrations/0042-ended-proposals.ts';
import * as comments from './migrations/0044-comments.ts';
import * as contentAuthors from './migrations/0045-content-authors.ts';
import * as identities from './migrations/0046-identities.ts';
import * as passkeys from './migrations/0047-passkeys.ts';
import * as cliSignIns from './migrations/0048-cli-sign-ins.ts';
import * as importedAt from './migrations/0049-imported-at.ts';
import * as statisticsReferences from './migrations/0050-statistics-references.ts';
import type { Database } from './tables.ts';
import { runTransaction } from './transaction.ts';

/**
 * A migration is frozen once released, so its database is untyped: `Database` describes today's tables, not the tables at the time of the
 * migration. A migration that moves data declares the tables it needs in its own file.
 */
export interface Migration {
  id: number;
  name: string;
  up(db: Kysely<unknown>): Promise<void>;
}

/**
 * All migrations, in the order in which they are applied. No migration is ever undone. A new migration only adds to the schema, because
 * instances of the previous version keep serving during a rolling update (docs/decisions/0010-postgresql.md).
 */
export const migrations: Migration[] = [
  { id: 1, name: 'accounts', up: accounts.up },
  { id: 2, name: 'prompts', up: prompts.up },
  { id: 3, name: 'statistics', up: statistics.up },
  { id: 4, name: 'two-factor', up: twoFactor.up },
  { id: 5, name: 'limits', up: limits.up },
  { id: 6, name: 'account-security', up: accountSecurity.up },
  { id: 7, name: 'workspaces', up: workspaces.up },
  { id: 8, name: 'references', up: references.up },
  { id: 9, name: 'render-errors', up: renderErrors.up },
  { id: 10, name: 'events', up: events.up },
  { id: 11, name: 'webhooks', up: webhooks.up },
  { id: 12, name: 'langfuse', up: langfuse.up },
  { id: 13, name: 'models', up: models.up },
  { id: 14, name: 'runs', up: runs.up },
  { id: 15, name: 'checks', up: checks.up },
  { id: 16, name: 'usage-blocks', up: usageBlocks.up },
  { id: 17, name: 'webhook-fan-outs', up: webhookFanOuts.up },
  { id: 18, name: 'names-in-bin', up: namesInBin.up },
  { id: 19, name: 'references-by-label', up: referencesByLabel.up },
  { id: 20, name: 'verified-emails', up: verifiedEmails.up },
  { id: 21, name: 'statistics-file', up: statisticsFile.up },
  { id: 22, name: 'teams', up: teams.up },
  { id: 23, name: 'search', up: search.up },
  { id: 26, name: 'statistics-for-people', up: statisticsForPeople.up },
  { id: 27, name: 'notifications', up: notifications.up },
  { id: 28, name: 'activity', up: activity.up },
  { id: 29, name: 'finding', up: finding.up },
  { id: 31, name: 'providers', up: providers.up },
  { id: 32, name: 'results', up: results.up },
  { id: 33, name: 'result-alerts', up: resultAlerts.up },
  { id: 34, name: 'releases', up: releases.up },
  { id: 35, name: 'release-units', up: releaseUnits.up },
  { id: 36, name: 'release-reads', up: releaseReads.up },
  { id: 39, name: 'given-order', up: givenOrder.up },
  { id: 40, name: 'candidates', up: candidates.up },
  { id: 41, name: 'proposals', up: proposals.up },
  { id: 42, name: 'ended-proposals', up: endedProposals.up },
  { id: 44, name: 'comments', up: comments.up },
  { id: 45, name: 'content-authors', up: contentAuthors.up },
  { id: 46, name: 'identities', up: identities.up },
  { id: 47, name: 'passkeys', up: passkeys.up },
  { id: 48, name: 'cli-sign-ins', up: cliSignIns.up },
  { id: 49, name: 'imported-at', up: importedAt.up },
  { id: 50, name: 'statistics-references', up: statisticsReferences.up },
];

/**
 * Applies the missing migrations, each in its own transaction. Several instances may migrate at the same time: an instance that migrates
 * locks the only row of `migration_lock`, and the other instances wait for the lock and then skip the migration. If an instance dies, its
 * connection ends and the lock is released. Throws if the database was migrated by a newer version.
 */
export async function migrate(db: Kysely<Database>, known = migrations): Promise<void> {
  await createMigrationTables(db);
  for (const migration of await listPending(db, known)) await apply(db, migration, known);
}

/** Lists the migrations that the next start applies to a database with tables. Throws if it was migrated by a newer version. */
export async function listPending(db: Kysely<Database>, known = migrations): Promise<Migration[]> {
  const applied = await listApplied(db, known);
  return known.filter(({ id }) => !applied.has(id));
}

async function apply(db: Kysely<Database>, { id, name, up }: Migration, known: Migration[]): Promise<void> {
  await runTransaction(db, async (transaction) => {
    await transaction
      .updateTable('migration_lock')
      .set({ holder: `${hostname()} ${process.pid}` })
      .execute();
    if ((await listApplied(transaction, known)).has(id)) return;
    // The type is erased, because `up` must not use today's table types.
    await up(transaction as unknown as Kysely<unknown>);
    await transaction.insertInto('migrations').values({ id, name, applied_at: new Date().toISOString() }).execute();
  });
}

async function listApplied(db: Kysely<Database>, known: Migration[]): Promise<Set<number>> {
  const applied = new Set((await db.selectFrom('migrations').select('id').execute()).map((row) => row.id));
  const knownIds = new Set(known.map(({ id }) => id));
  if ([...applied].some((id) => !knownIds.has(id))) {
    throw new StartError(
      'The database was written by a newer version of PromptHarbor. Start that version, or restore a backup made before the upgrade.',
    );
  }
  return applied;
}

async function createMigrationTables(db: Kysely<Database>): Promise<void> {
  try {
    await sql`create table if not exists migrations (id integer primary key, name text not null, applied_at text not null)`.execute(db);
    await sql`create table if not exists migration_lock (id integer primary key, holder text not null)`.execute(db);
    await db
      .insertInto('migration_lock')
      .values({ id: 1, holder: '' })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  } catch (err) {
    // "if not exists" is not atomic in PostgreSQL: it fails if another instance creates the table at the same time.
    if (!isDuplicate(err)) throw err;
    await createMigrationTables(db);
  }
}
