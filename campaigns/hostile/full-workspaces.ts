import { DatabaseSync } from 'node:sqlite';
import { maxWorkspaceEvents } from '../../src/contract/limits.ts';
import { saltRange } from '../../src/store/accounts/revision.ts';
import { sqliteFileIn } from '../../src/store/engine/sqlite-file.ts';
import { statisticsFileIn } from '../../src/store/engine/sqlite-statistics-file.ts';

/** Workspaces that hold as much as the quotas allow, each in a different way. */
export const fullWorkspaces = ['prompts', 'versions', 'bin', 'calls', 'includes', 'levels'] as const;
export type FullWorkspace = (typeof fullWorkspaces)[number];

/** The revision of the oldest event. */
export const firstRevision = saltRange;

const now = new Date().toISOString();
/** The hours of one day in which the counted calls were made. Each hour has the maximum number of counters. */
const callHour = `strftime('%Y-%m-%dT%H', 'now', '-' || (i % 24) || ' hours')`;
const entryId = "'e_' || printf('%08x', i) || '_0000000000000000000'";
const promptId = "'p_' || printf('%08x', i) || '_0000000000000000000'";
const hubId = "'p_hub_0000000000000000000'";
const content = `'"Hello {{ x }}. {% render \\"hub\\" %}"'`;
const variables = `'[{"name":"x","required":true,"kind":"text"}]'`;
const partials = `'[{"name":"hub","label":"production","bound":[],"conditional":false}]'`;
const description = `replace(printf('%2000s', ''), ' ', 'd')`;

/** Fills a workspace in the database of a stopped service, because requests would take hours. */
export function fillWorkspace(dataDir: string, workspace: FullWorkspace, accountId: string): void {
  const db = new DatabaseSync(sqliteFileIn(dataDir), { enableForeignKeyConstraints: false });
  db.prepare('attach ? as statistics').run(statisticsFileIn(dataDir));
  db.exec('pragma synchronous = off; begin');
  for (const statement of listStatements(workspace, accountId)) db.exec(statement);
  db.exec('commit');
  db.close();
}

/** Returns the statements that fill a workspace. */
export function listStatements(workspace: FullWorkspace, accountId: string): string[] {
  const account = `'${accountId}'`;
  return [...insertHub(account), ...fills[workspace](account), ...insertTexts(account), countUsage(account)];
}

const fills: Record<FullWorkspace, (account: string) => string[]> = {
  prompts: (account) => [
    insertPrompts(account, { count: 19_900, name: "'f' || (i % 50) || '/p' || printf('%05d', i)", text: description, latest: 5 }),
    insertVersions(account, { count: 19_900, versions: 5 }),
    insertEach(account, 'prompt_tags (account_id, prompt_id, tag)', 19_900, { count: 19, values: "'tag' || j" }),
    insertEach(account, 'prompt_labels (account_id, prompt_id, label, version)', 19_900, { count: 19, values: "'l' || j, 1 + j % 5" }),
    insertEach(account, 'prompt_references (account_id, prompt_id, version, name, label)', 19_900, {
      count: 5,
      values: "j, 'hub', 'production'",
    }),
    `insert into prompt_tags (account_id, prompt_id, tag) select account_id, id, 'rare' from prompts where account_id = ${account} and name > 'f9/p198'`,
    `insert into prompt_labels (account_id, prompt_id, label, version) select account_id, id, 'rare', 1 from prompts where account_id = ${account} and name > 'f9/p198'`,
  ],

  versions: (account) => [
    insertPrompts(account, { count: 1, name: "'big'", text: "''", latest: 199_000 }),
    insertVersions(account, { count: 1, versions: 199_000, isDeleted: 'j > 900 and j < 199000' }),
    `${numbers('i', 900_000)} insert into prompt_events (account_id, prompt_id, id, type, detail, "by", at, by_account_id, by_name)
       select ${account}, (select id from prompts where account_id = ${account} and name = 'big'), ${entryId}, 'described', '{}', 'api',
       '${now}', '', 'Elsewhere' from i`,
    `${numbers('i', maxWorkspaceEvents)} insert into events (account_id, revision, type, at, by_account_id, by_name, by_via, prompt_id, prompt_name, detail)
       select ${account}, i * ${saltRange}, 'label.moved', '${now}', ${account}, 'Test', 'api', ${hubId}, 'hub',
       '{"label":"production","from":1,"to":2}' from i`,
    `update accounts set revision = ${maxWorkspaceEvents} where id = ${account}`,
  ],

  bin: (account) => [
    insertPrompts(account, { count: 19_900, name: "'p' || printf('%05d', i)", text: description, latest: 1, deletedAt: `'${now}'` }),
    insertVersions(account, { count: 19_900, versions: 1 }),
    insertEach(account, 'prompt_tags (account_id, prompt_id, tag)', 19_900, { count: 19, values: "'tag' || j" }),
  ],

  calls: (account) => [
    insertPrompts(account, { count: 19_900, name: "'p' || printf('%05d', i)", text: "''", latest: 1 }),
    insertVersions(account, { count: 19_900, versions: 1 }),
    insertEach(account, 'prompt_statistics (account_id, prompt_id, version, label, status, calls, time)', 19_900, {
      count: 5,
      values: `1, 'l' || j, 200, 3, ${callHour}`,
    }),
    `${numbers('i', 20_000)} insert into prompt_statistics (account_id, prompt_id, version, label, status, calls, time)
       select ${account}, ${hubId}, i, '', 200, 1, ${callHour} from i`,
  ],

  includes: (account) => [
    insertPrompts(account, { count: 2000, name: "'p' || printf('%05d', i)", text: "''", latest: 1 }),
    insertVersions(account, { count: 2000, versions: 1 }),
    insertEach(account, 'prompt_labels (account_id, prompt_id, label, version)', 2000, { count: 20, values: "'l' || j, 1" }),
    insertEach(account, 'prompt_references (account_id, prompt_id, version, name, label)', 2000, {
      count: 100,
      values: "1, 'hub', 'l' || j",
    }),
  ],

  // The first hundred prompts include the hub. Each prompt of the second hundred includes all of the first hundred, but at a label that
  // none of the first hundred has.
  levels: (account) => [
    insertPrompts(account, { count: 200, name: "'p' || printf('%05d', i)", text: "''", latest: 20 }),
    insertVersions(account, { count: 200, versions: 20 }),
    insertEach(account, 'prompt_labels (account_id, prompt_id, label, version)', 200, { count: 20, values: "'l' || j, j" }),
    insertEach(account, 'prompt_references (account_id, prompt_id, version, name, label)', 100, {
      count: 20,
      values: "j, 'hub', 'production'",
    }),
    `${numbers('i', 200)}, ${numbersAs('j', 20)}, ${numbersAs('k', 100)}
       insert into prompt_references (account_id, prompt_id, version, name, label)
       select ${account}, ${promptId}, j, 'p' || printf('%05d', k), 'zz' from i, j, k where i > 100`,
  ],
};

/** Inserts the prompt that other prompts include. */
function insertHub(account: string): string[] {
  return [
    `insert into prompts (account_id, id, name, search_name, type, description, search_description, latest_version, created_at, updated_at)
       values (${account}, ${hubId}, 'hub', 'hub', 'text', '', '', 3, '${now}', '${now}')`,
    `${numbers('j', 3)} insert into prompt_versions ${versionColumns} select ${account}, ${hubId}, j, '"Hub {{ x }}"', '{}', ${variables}, '[]', '',
       '${now}', null, ${account}, 'Test', 'api', 'liquid' from j`,
    `insert into prompt_labels (account_id, prompt_id, label, version) values (${account}, ${hubId}, 'production', 1)`,
  ];
}

const versionColumns =
  '(account_id, prompt_id, version, content, config, variables, partials, message, created_at, deleted_at, by_account_id, by_name, by_via, syntax)';

interface Prompts {
  count: number;
  /** An SQL expression with `i` as the number of the prompt. */
  name: string;
  text: string;
  latest: number;
  deletedAt?: string;
}

function insertPrompts(account: string, { count, name, text, latest, deletedAt = 'null' }: Prompts): string {
  return `${numbers('i', count)} insert into prompts
    (account_id, id, name, search_name, type, description, search_description, latest_version, created_at, updated_at, deleted_at)
    select ${account}, ${promptId}, ${name}, ${name}, 'text', ${text}, ${text}, ${latest}, '${now}',
    strftime('%Y-%m-%dT%H:%M:%fZ', '2026-01-01', '+' || (i * 7919 % ${count}) || ' seconds'), ${deletedAt} from i`;
}

function insertVersions(
  account: string,
  { count, versions, isDeleted = 'false' }: { count: number; versions: number; isDeleted?: string },
): string {
  return `${numbers('i', count)}, ${numbersAs('j', versions)} insert into prompt_versions ${versionColumns}
    select ${account}, ${promptId}, j, iif(${isDeleted}, '', ${content}), iif(${isDeleted}, '', '{}'), iif(${isDeleted}, '', ${variables}),
    iif(${isDeleted}, '', ${partials}), '', '${now}', iif(${isDeleted}, '${now}', null), '', 'Elsewhere', 'api', 'liquid' from i, j`;
}

/** Adds rows for each prompt. The values follow the prompt's id, and are SQL expressions with `j` as the number of the row. */
function insertEach(account: string, into: string, prompts: number, { count, values }: { count: number; values: string }): string {
  return `${numbers('i', prompts)}, ${numbersAs('j', count)} insert into ${into} select ${account}, ${promptId}, ${values} from i, j`;
}

/** Adds the search texts, which the service would otherwise add during the attacks. */
function insertTexts(account: string): string[] {
  const ofAccount = `from prompts p join prompt_versions v on v.account_id = p.account_id and v.prompt_id = p.id where p.account_id = ${account}`;
  return [
    `insert into prompt_texts (account_id, prompt_id, version, text) select account_id, id, 0, search_name || char(1) || search_description from prompts where account_id = ${account}`,
    `insert into prompt_texts (account_id, prompt_id, version, text) select p.account_id, p.id, v.version, lower(v.content) ${ofAccount} and v.deleted_at is null
       and (v.version = p.latest_version or exists (select 1 from prompt_labels l
         where l.account_id = p.account_id and l.prompt_id = p.id and l.version = v.version))`,
  ];
}

function countUsage(account: string): string {
  return `update accounts set prompt_count = (select count(*) from prompts where account_id = ${account}),
    version_count = (select count(*) from prompt_versions where account_id = ${account}),
    content_bytes = (select sum(octet_length(content) + octet_length(config)) from prompt_versions where account_id = ${account})
    where id = ${account}`;
}

function numbers(name: string, count: number): string {
  return `with recursive ${numbersAs(name, count)}`;
}

function numbersAs(name: string, count: number): string {
  return `${name}(${name}) as (select 1 union all select ${name} + 1 from ${name} where ${name} < ${count})`;
}
