import { type Kysely, sql } from 'kysely';
import type { RunStatement } from './batched-statements.ts';
import { deleteWaiting, insertWaiting, maxRatedVersions, selectVersions } from './counted-call-statements.ts';
import { fromUnitRef, toUnitRef } from './release-units.ts';
import type { CalledVersion, CountedCall, CountedScore, NewScore, RatedRef, ReleaseUnit, ScoreValue } from './result-batch.ts';
import type { StatisticsDatabase } from './tables.ts';

// Finds the versions and units that scores rate. A score waits until its call is reported.

/** A waiting score within its workspace. */
export interface WaitingKey {
  ref: string;
  id: string;
}

interface WaitingScore {
  promptId?: string | undefined;
  score: ScoreValue;
}

/** A reference to the calls that a score rates. If a prompt is given, only its calls are rated. */
interface RatedCalls {
  ref: string;
  promptId?: string | undefined;
}

type RatedVersion = CalledVersion & { unit: ReleaseUnit | undefined };

/** The maximum number of waiting scores that one query takes, for up to 500 references. */
const maxTaken = 2000;
const waitingPage = 1000;
const separator = '.';

/** Finds the versions that scores rate. A score of a call that is not known yet is stored until the call arrives. */
export async function findRated(run: RunStatement, scores: CountedScore[], minute: string): Promise<NewScore[]> {
  const rated: NewScore[] = [];
  const waiting: (string | number | null)[][] = [];
  for (const [accountId, group] of Map.groupBy(scores, (score) => score.accountId)) {
    const targets = group.flatMap(({ target, promptId }) => ('version' in target ? [] : { ref: nameRated(target), promptId }));
    const findVersions = await lookUpVersions(run, accountId, targets);
    for (const { id, target, promptId, score, unit } of group) {
      if ('version' in target) {
        rated.push({ version: target, score, unit });
        continue;
      }
      const ref = nameRated(target);
      const versions = findVersions({ ref, promptId });
      const stored = JSON.stringify({ promptId, score } satisfies WaitingScore);
      if (versions.length === 0) waiting.push([accountId, ref, id, minute, stored]);
      rated.push(...rate(versions, score));
    }
  }
  await run(insertWaiting, waiting);
  return rated;
}

/** Takes the scores that have waited for these calls. */
export async function takeWaiting(db: Kysely<StatisticsDatabase>, run: RunStatement, calls: { call: CountedCall }[]): Promise<NewScore[]> {
  const rated: NewScore[] = [];
  for (const [accountId, group] of Map.groupBy(calls, ({ call }) => call.accountId)) {
    const exists = await db.selectFrom('waiting_scores').select('id').where('account_id', '=', accountId).limit(1).execute();
    if (exists.length === 0) continue;
    const callsByRef = Map.groupBy(
      group.flatMap(({ call }) => refsOf(call).map((ref) => ({ ref, call }))),
      ({ ref }) => ref,
    );
    for (const refs of chunk([...callsByRef.keys()], 500)) {
      const ofCalls = db.selectFrom('waiting_scores').selectAll().where('account_id', '=', accountId).where('ref', 'in', refs);
      // Scores beyond the limit keep waiting until `takeKnown` finds them.
      const rows = await ofCalls.limit(maxTaken).execute();
      const found = rows.map((row) => {
        const { promptId, score } = parseScore(row.score);
        const called = (callsByRef.get(row.ref) ?? [])
          .map(({ call }) => call)
          .filter((call) => promptId === undefined || call.promptId === promptId);
        return { row, score, versions: distinct(called) };
      });
      rated.push(...(await takeMatched(run, found)));
    }
  }
  return rated;
}

/**
 * Takes a page of a workspace's waiting scores whose calls are known. Returns what they rate, and the last score of the page, or undefined
 * if there are no more.
 */
export async function takeKnown(
  db: Kysely<StatisticsDatabase>,
  run: RunStatement,
  { accountId, after }: { accountId: string; after: WaitingKey | undefined },
): Promise<{ scores: NewScore[]; last: WaitingKey | undefined }> {
  const waiting = await db
    .selectFrom('waiting_scores')
    .selectAll()
    .where('account_id', '=', accountId)
    .where(sql<boolean>`(ref, id) > (${after?.ref ?? ''}, ${after?.id ?? ''})`)
    .orderBy('ref')
    .orderBy('id')
    .limit(waitingPage)
    .execute();
  const rated = waiting.map((row) => ({ row, ref: row.ref, ...parseScore(row.score) }));
  const findVersions = await lookUpVersions(run, accountId, rated);
  const found = rated.map(({ row, ref, promptId, score }) => ({ row, score, versions: findVersions({ ref, promptId }) }));
  return { scores: await takeMatched(run, found), last: waiting.length < waitingPage ? undefined : waiting.at(-1) };
}

/**
 * Deletes the waiting scores that rate a version, and returns what they rate. Another instance may take a score at the same time, when
 * it records another call of the same trace. Only the instance that deletes the row counts the score.
 */
async function takeMatched(
  run: RunStatement,
  found: { row: WaitingKey & { account_id: string }; score: ScoreValue; versions: RatedVersion[] }[],
): Promise<NewScore[]> {
  const matched = new Map(found.filter(({ versions }) => versions.length > 0).map((score) => [nameWaiting(score.row), score]));
  const sorted = [...matched].sort(([one], [other]) => (one < other ? -1 : 1));
  const deleted = await run(
    deleteWaiting,
    sorted.map(([, { row }]) => [row.account_id, row.ref, row.id]),
  );
  // The statement returns this column.
  const taken = (deleted as { name: string }[]).flatMap(({ name }) => matched.get(name) ?? []);
  return taken.flatMap(({ score, versions }) => rate(versions, score));
}

/** Looks up the versions that scores of a workspace rate. Returns a function that finds the versions that one score rates. */
async function lookUpVersions(run: RunStatement, accountId: string, rated: RatedCalls[]) {
  const wanted = new Map(rated.map((calls) => [nameWanted(calls), calls]));
  const versions = new Map<string, RatedVersion[]>();
  for (const [kind, group] of Map.groupBy(wanted, ([, { ref }]) => ref.slice(0, ref.indexOf(separator)))) {
    const statement = selectVersions[kind];
    if (!statement) continue;
    const rows = await run(
      statement,
      group.map(([name, { ref, promptId }]) => {
        const [, first = '', second = ''] = ref.split(separator);
        return [name, accountId, first, ...(kind === 'call' ? [second] : []), promptId ?? ''];
      }),
    );
    // The statements return these columns.
    for (const { name, releaseUnit, ...version } of rows as ({ name: string; releaseUnit: string | null } & CalledVersion)[]) {
      const found = versions.get(name) ?? [];
      versions.set(name, found);
      found.push({ ...version, accountId, unit: fromUnitRef(releaseUnit) });
    }
  }
  return (calls: RatedCalls): RatedVersion[] => versions.get(nameWanted(calls)) ?? [];
}

/**
 * Returns the results that a score adds to the versions it rates. If several versions belong to one unit, because the models differ, the
 * unit gets the score only once.
 */
function rate(versions: RatedVersion[], score: ScoreValue): NewScore[] {
  const rated = new Set<string>();
  return versions.map(({ unit, ...version }) => {
    const ref = unit && toUnitRef(unit);
    const isFirst = ref !== undefined && !rated.has(ref);
    if (isFirst) rated.add(ref);
    return { version, score, unit: isFirst ? unit : undefined };
  });
}

/**
 * Returns the distinct versions of calls. If the calls of a version belong to several units, it is not known which of the units a score
 * rates.
 */
function distinct(calls: CountedCall[]): RatedVersion[] {
  const byVersion = Map.groupBy(calls, (call) => `${call.promptId}\n${call.version}\n${call.label}\n${call.model}`);
  return [...byVersion.values()].slice(0, maxRatedVersions).flatMap((group) => {
    const units = new Map(group.flatMap(({ unit }) => (unit ? [[toUnitRef(unit), unit] as const] : [])));
    const [unit] = units.values();
    return group.slice(0, 1).map((call) => ({ ...call, unit: units.size === 1 ? unit : undefined }));
  });
}

// The column contains JSON of this type.
const parseScore = (json: string) => JSON.parse(json) as WaitingScore;

const nameWanted = ({ ref, promptId = '' }: RatedCalls) => `${ref} ${promptId}`;
const nameWaiting = ({ account_id, ref, id }: WaitingKey & { account_id: string }) => `${account_id} ${ref} ${id}`;

/** Returns the name under which a score waits. */
function nameRated(ref: RatedRef): string {
  if ('responseRef' in ref) return ['response', ref.responseRef].join(separator);
  return 'spanRef' in ref ? ['call', ref.traceRef, ref.spanRef].join(separator) : ['trace', ref.traceRef].join(separator);
}

/** Returns the names under which scores of a call may wait. */
function refsOf({ traceRef, spanRef, responseRef }: CountedCall): string[] {
  return [nameRated({ traceRef }), nameRated({ traceRef, spanRef }), ...(responseRef === null ? [] : [nameRated({ responseRef })])];
}

function chunk<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}
