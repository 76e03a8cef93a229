import { type RawBuilder, sql } from 'kysely';
import { listRows, type RowStatement } from './batched-statements.ts';

// The statements that record calls and scores, each for many rows.

/** The maximum number of versions that a score of a whole trace rates. */
export const maxRatedVersions = 10;
/** The maximum number of calls that are searched for these versions, because a trace may have any number of calls. */
const maxRatedCalls = 200;

const counted = {
  account_id: '',
  trace_ref: '',
  span_ref: '',
  response_ref: '',
  time: '',
  prompt_id: '',
  version: 0,
  label: '',
  model: '',
};
export const insertCalled: RowStatement = (db, rowCount) =>
  db
    .insertInto('counted_calls')
    .values(Array(rowCount).fill({ ...counted, started_ms: 0, release_unit: '' }))
    .onConflict((conflict) => conflict.columns(['account_id', 'trace_ref', 'span_ref']).doNothing())
    .returning(calledName.as('name'));

/**
 * Selects the versions of the calls that a condition selects. An empty prompt id stands for all prompts. If the calls of a version belong
 * to several units, no unit is selected, because it is not known which of them a score rates.
 */
function createVersionQuery(condition: RawBuilder<boolean>): RowStatement {
  const one = sql`select * from (select cast(${''} as text) as name, prompt_id as "promptId", version, label, model,
      case when count(distinct release_unit) = 1 then min(release_unit) end as "releaseUnit"
    from (select prompt_id, version, label, model, release_unit from counted_calls
      where account_id = ${''} and ${condition} and prompt_id <> '' limit ${sql.lit(maxRatedCalls)}) as calls
    where cast(${''} as text) in ('', prompt_id)
    group by prompt_id, version, label, model order by prompt_id, version limit ${sql.lit(maxRatedVersions)}) as versions`;
  return (db, rowCount) => ({ compile: () => sql`${sql.join(Array(rowCount).fill(one), sql` union all `)}`.compile(db) });
}

export const selectVersions: Record<string, RowStatement> = {
  trace: createVersionQuery(sql`trace_ref = ${''}`),
  call: createVersionQuery(sql`trace_ref = ${''} and span_ref = ${''}`),
  response: createVersionQuery(sql`response_ref = ${''}`),
};

const calledName = sql<string>`account_id || ' ' || trace_ref || ' ' || span_ref`;
export const selectOpen: RowStatement = (db, rowCount) => {
  const select = sql`select ${calledName} as name, prompt_id as "promptId", version, label, model, started_ms as "startedMs",
    release_unit as "releaseUnit" from counted_calls where started_ms is not null and (account_id, trace_ref, span_ref) in ${listRows(['text', 'text', 'text'], rowCount)}`;
  return { compile: () => select.compile(db) };
};

export const closeOpen: RowStatement = (db, rowCount) => {
  const update = sql`update counted_calls set started_ms = null, model = coalesce(ended.column4, counted_calls.model)
    from ${listRows(['text', 'text', 'text', 'text'], rowCount)} as ended where started_ms is not null
    and account_id = ended.column1 and trace_ref = ended.column2 and span_ref = ended.column3 returning ${calledName} as name`;
  return { compile: () => update.compile(db) };
};

export const deleteWaiting: RowStatement = (db, rowCount) => {
  const deletion = sql`delete from waiting_scores where (account_id, ref, id) in ${listRows(['text', 'text', 'text'], rowCount)}
    returning account_id || ' ' || ref || ' ' || id as name`;
  return { compile: () => deletion.compile(db) };
};

export const insertWaiting: RowStatement = (db, rowCount) =>
  db
    .insertInto('waiting_scores')
    .values(Array(rowCount).fill({ account_id: '', ref: '', id: '', time: '', score: '' }))
    .onConflict((conflict) => conflict.columns(['account_id', 'ref', 'id']).doNothing());

export const insertComments: RowStatement = (db, rowCount) =>
  db
    .insertInto('feedback_comments')
    .values(
      Array(rowCount).fill({
        account_id: '',
        prompt_id: '',
        id: '',
        time: '',
        at: '',
        version: 0,
        label: '',
        name: '',
        value: '',
        comment: '',
      }),
    )
    .onConflict((conflict) => conflict.columns(['account_id', 'prompt_id', 'id']).doNothing());
