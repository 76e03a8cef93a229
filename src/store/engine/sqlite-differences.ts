import type { DatabaseSync } from 'node:sqlite';
import { isTeam, teamPrefix } from '../accounts/team-ids.ts';

/** An account in a comparison of two databases. */
export interface ComparedAccount {
  id: string;
  email: string;
}

/** The changes that restoring a backup would undo. */
export interface BackupDifferences {
  /** Accounts whose key was reset since the backup. Their old key would be valid again. */
  resetKeys: ComparedAccount[];
  /** Accounts that were deleted since the backup and would exist again. */
  deleted: ComparedAccount[];
  /** Accounts that were created since the backup and would be lost. */
  created: ComparedAccount[];
  /** The names of team workspaces that were deleted or created since the backup. A team has no key and no email address. */
  teams: { deleted: string[]; created: string[] };
  /** The number of prompts and versions that would be lost. */
  lost: { prompts: number; versions: number };
  changedPasswords: ComparedAccount[];
  /** Accounts that enabled two-factor authentication since the backup. */
  twoFactor: ComparedAccount[];
  /** Members who left a workspace or got a different role there since the backup. */
  memberships: (ComparedAccount & { workspace: string; role: string })[];
}

/** Compares a database with the backup that is attached to it as `backup`. */
export function compareWithBackup(sqlite: DatabaseSync): BackupDifferences {
  // node:sqlite declares rows as records of any values, but each row has the columns of its query.
  const list = <T = ComparedAccount>(query: string) => sqlite.prepare(query).all() as unknown as T[];
  const countLost = (table: string, columns: string[]) => {
    const isSame = columns.map((column) => `old.${column} = new.${column}`).join(' and ');
    return (
      list<{ count: number }>(
        `select count(*) as count from main.${table} as new where not exists (select 1 from backup.${table} as old where ${isSame})`,
      )[0]?.count ?? 0
    );
  };
  const accounts = 'backup.accounts as old join main.accounts as new on new.id = old.id';
  const exist = 'old.deleted_at is null and new.deleted_at is null';
  const listChanged = (change: string) => list(`select old.id, old.email from ${accounts} where ${exist} and ${change} order by old.email`);
  const hasTwoFactor = (database: string) =>
    `exists (select 1 from ${database}.two_factors where account_id = old.id and confirmed_at is not null)`;
  const listDeleted = () =>
    list<ComparedRow>(
      `select old.id, old.email, old.name from backup.accounts as old left join main.accounts as new on new.id = old.id
      where old.deleted_at is null and (new.id is null or new.deleted_at is not null) order by old.email`,
    );
  const listCreated = () =>
    list<ComparedRow>(
      `select id, email, name from main.accounts where deleted_at is null and id not in (select id from backup.accounts) order by email`,
    );
  const [deleted, created] = [splitTeams(listDeleted()), splitTeams(listCreated())];
  return {
    resetKeys: listChanged('new.key_digest <> old.key_digest'),
    deleted: deleted.accounts,
    created: created.accounts,
    teams: { deleted: deleted.teams, created: created.teams },
    lost: {
      prompts: countLost('prompts', ['account_id', 'id']),
      versions: countLost('prompt_versions', ['account_id', 'prompt_id', 'version', 'created_at']),
    },
    changedPasswords: listChanged('new.password_hash <> old.password_hash'),
    twoFactor: listChanged(`${hasTwoFactor('main')} and not ${hasTwoFactor('backup')}`),
    memberships: list(
      `select old.id, old.email, membership.role,
        case when workspace.id >= '${teamPrefix}' then workspace.name else workspace.email end as workspace from ${accounts}
      join backup.memberships as membership on membership.account_id = old.id
      join backup.accounts as workspace on workspace.id = membership.workspace_id
      left join main.memberships as present on present.account_id = old.id and present.workspace_id = membership.workspace_id
      where ${exist} and (present.role is null or present.role <> membership.role) order by old.email`,
    ),
  };
}

interface ComparedRow extends ComparedAccount {
  name: string;
}

function splitTeams(rows: ComparedRow[]): { accounts: ComparedAccount[]; teams: string[] } {
  return {
    accounts: rows.filter(({ id }) => !isTeam(id)).map(({ id, email }) => ({ id, email })),
    teams: rows.filter(({ id }) => isTeam(id)).map(({ name }) => name),
  };
}
