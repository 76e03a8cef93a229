import { type Kysely, sql } from 'kysely';
import { maxReleaseUnits } from '../../contract/limits.ts';
import { deleteBatch } from '../delete-batch.ts';
import { runTransaction } from '../transaction.ts';
import { createUpsert, listRows, type RowStatement, type RunStatement } from './batched-statements.ts';
import type { MeasuredUnit, ReleaseUnit, UnitCounts } from './result-batch.ts';
import { releaseKeys, releaseTables, type StatisticsDatabase } from './tables.ts';

/** A stage of a release. A new stage begins when the weights change. */
export interface StageKey {
  accountId: string;
  releaseId: string;
  stage: number;
}

export function createReleaseUnitStore(db: Kysely<StatisticsDatabase>) {
  return {
    /** Lists a page of a workspace's stages that have units. */
    async listStages(accountId: string, after: StageKey | undefined, limit: number): Promise<StageKey[]> {
      const rows = await db
        .selectFrom('release_stages')
        .select(['account_id as accountId', 'release_id as releaseId', 'stage'])
        .where('account_id', '=', accountId)
        .where(sql<boolean>`(release_id, stage) > (${after?.releaseId ?? ''}, ${after?.stage ?? 0})`)
        .orderBy('release_id')
        .orderBy('stage')
        .limit(limit)
        .execute();
      return rows;
    },

    /** Deletes a batch of the rows of a stage. Returns the number of deleted rows, which is 0 if nothing is left. */
    async deleteStage({ accountId, releaseId, stage }: StageKey): Promise<number> {
      const where = sql<boolean>`account_id = ${accountId} and release_id = ${releaseId} and stage = ${stage}`;
      return runTransaction(db, async (transaction) => {
        // Instances that add results to the stage lock this row, so they add nothing after the last row was deleted.
        await sql`update release_stages set scores = '[]' where ${where}`.execute(transaction);
        for (const table of releaseTables) {
          const deleted = await deleteBatch(transaction, table, where);
          if (deleted > 0) return deleted;
        }
        return 0;
      });
    },
  };
}

/**
 * Adds results to units. `measured` are the units of new calls and scores, whose stages may not have a row yet. A stage that has the
 * maximum number of units gets no further units, and scores that the release does not measure are left out.
 */
export async function addUnits(run: RunStatement, units: UnitCounts[], measured: (MeasuredUnit & { accountId: string })[]): Promise<void> {
  if (units.length === 0) return;
  const created = new Map(measured.map((unit) => [nameStage(unit), [...stageOf(unit), 0, JSON.stringify(unit.scores)]]));
  await run(insertStages, sortedValues(created));
  const wanted = new Map(units.map((unit) => [nameStage(unit), stageOf(unit)]));
  // The statements return these columns.
  const locked = (await run(lockStages, sortedValues(wanted))) as { stage: string; units: number; scores: string }[];
  const stages = new Map(locked.map(({ stage, units, scores }) => [stage, { units, scores: JSON.parse(scores) as string[], added: 0 }]));
  const named = new Map(units.filter((unit) => stages.has(nameStage(unit))).map((unit) => [nameUnit(unit), unit]));
  const sorted = [...named].sort(([one], [other]) => (one < other ? -1 : 1));
  const rows = sorted.map(([, unit]) => [...stageOf(unit), unit.version, unit.hash]);
  const existing = new Set(((await run(selectUnits, rows)) as { name: string }[]).map(({ name }) => name));
  const admitted = sorted.flatMap(([name, unit]) => {
    const stage = stages.get(nameStage(unit));
    if (!stage) return [];
    if (existing.has(name)) return [{ unit, stage }];
    if (stage.units + stage.added >= maxReleaseUnits) return [];
    stage.added += 1;
    return [{ unit, stage }];
  });
  await run(
    addToUnits,
    admitted.map(({ unit }) => [
      ...[...stageOf(unit), unit.version, unit.hash],
      ...[unit.calls, unit.errors, unit.timed, unit.logDuration, unit.priced, unit.logCost],
    ]),
  );
  const scores = admitted.flatMap(({ unit, stage }) =>
    [...unit.scores]
      .filter(([name]) => stage.scores.includes(name))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { count, total }]) => [...stageOf(unit), unit.version, name, unit.hash, count, total]),
  );
  await run(addToScores, scores);
  const grown = [...wanted].filter(([name]) => (stages.get(name)?.added ?? 0) > 0);
  await run(growStages, sortedValues(new Map(grown.map(([name, key]) => [name, [...key, stages.get(name)?.added ?? 0]]))));
}

/** Returns the text under which the unit of a call is stored. */
export function toUnitRef({ releaseId, stage, version, hash }: ReleaseUnit): string {
  return [releaseId, stage, version, hash].join(' ');
}

export function fromUnitRef(ref: string | null): ReleaseUnit | undefined {
  if (ref === null) return undefined;
  const [releaseId = '', stage, version, hash = ''] = ref.split(' ');
  return { releaseId, stage: Number(stage), version: Number(version), hash };
}

const stageOf = ({ accountId, releaseId, stage }: StageKey): (string | number)[] => [accountId, releaseId, stage];
const nameStage = (key: StageKey) => stageOf(key).join(' ');
const nameUnit = (unit: UnitCounts) => `${nameStage(unit)} ${unit.version} ${unit.hash}`;

/** Returns the rows in the order of their names, so that instances that write the same rows do not deadlock. */
function sortedValues<Row>(rows: Map<string, Row>): Row[] {
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

const stageName = sql`account_id || ' ' || release_id || ' ' || stage`;

const insertStages: RowStatement = (db, rowCount) =>
  db
    .insertInto('release_stages')
    .values(Array(rowCount).fill({ account_id: '', release_id: '', stage: 0, units: 0, scores: '' }))
    .onConflict((conflict) => conflict.columns(['account_id', 'release_id', 'stage']).doNothing());

/** Locks stages, so that instances that add units to a stage at the same time do not exceed the limit together. */
const lockStages: RowStatement = (db, rowCount) => {
  const update = sql`update release_stages set units = units
    where (account_id, release_id, stage) in ${listRows(['text', 'text', 'integer'], rowCount)} returning ${stageName} as stage, units, scores`;
  return { compile: () => update.compile(db) };
};

const growStages: RowStatement = (db, rowCount) => {
  const update = sql`update release_stages set units = units + grown.column4
    from ${listRows(['text', 'text', 'integer', 'integer'], rowCount)} as grown
    where account_id = grown.column1 and release_id = grown.column2 and stage = grown.column3`;
  return { compile: () => update.compile(db) };
};

const selectUnits: RowStatement = (db, rowCount) => {
  const select = sql`select ${stageName} || ' ' || version || ' ' || unit as name from release_units
    where (account_id, release_id, stage, version, unit) in ${listRows(['text', 'text', 'integer', 'integer', 'text'], rowCount)}`;
  return { compile: () => select.compile(db) };
};

const addToUnits = createUpsert('release_units', {
  key: releaseKeys.release_units,
  sums: ['calls', 'errors', 'timed', 'log_duration', 'priced', 'log_cost'],
});
const addToScores = createUpsert('release_scores', {
  key: releaseKeys.release_scores,
  sums: ['count', 'total'],
});
