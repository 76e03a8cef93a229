import { type CleanedWhere, type CustomAdapter, createAdapterFactory } from 'better-auth/adapters';
import { type ExpressionBuilder, type ExpressionWrapper, type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from './tables.ts';

export type SessionStore = ReturnType<typeof createSessionStore>;

/** However much it is used, a session ends this long after the sign-in. */
export const sessionLifetimeMs = 30 * 24 * 60 * 60 * 1000;

export function createSessionStore(db: Kysely<Database>) {
  return {
    /**
     * What Better Auth reads and writes through. It is our own so that both engines keep the same column types and the
     * password stays on the account's row: Better Auth's "account" model is a second view of the `accounts` table.
     */
    adapter: createAdapterFactory({
      config: {
        adapterId: 'promptharbor',
        supportsDates: false,
        supportsBooleans: false,
        supportsJSON: false,
        supportsArrays: false,
        transaction: false,
      },
      adapter: () => createAdapter(db),
    }),

    async deleteExpired(now: Date): Promise<void> {
      const time = now.toISOString();
      await db.deleteFrom('sessions').where('expires_at', '<', time).execute();
      await db.deleteFrom('verifications').where('expires_at', '<', time).execute();
    },
  };
}

// Better Auth names tables and columns at run time, so the queries below are built without the table types;
// the names come from the mapping in domain/sessions.ts, never from a request.
type AnyDatabase = Record<string, Record<string, unknown>>;
type Where = CleanedWhere[] | undefined;

function createAdapter(typedDb: Kysely<Database>): CustomAdapter {
  const db = typedDb as unknown as Kysely<AnyDatabase>;

  return {
    async create({ model, data }) {
      const row = await db.insertInto(tableOf(model)).values(data).returningAll().executeTakeFirstOrThrow();
      return row as typeof data;
    },

    async findOne<T>({ model, where }: { model: string; where: CleanedWhere[] }) {
      const row = await db.selectFrom(tableOf(model)).selectAll().where(matching(model, where)).executeTakeFirst();
      return (row ? present(model, row) : null) as T | null;
    },

    async findMany<T>({ model, where, limit, sortBy, offset }: Parameters<CustomAdapter['findMany']>[0]) {
      let query = db.selectFrom(tableOf(model)).selectAll().where(matching(model, where)).limit(limit);
      if (sortBy) query = query.orderBy(sortBy.field, sortBy.direction);
      if (offset) query = query.offset(offset);
      return (await query.execute()).map((row) => present(model, row)) as T[];
    },

    async count({ model, where }) {
      const row = await db
        .selectFrom(tableOf(model))
        .select((eb) => eb.fn.countAll().as('count'))
        .where(matching(model, where))
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    async update<T>({ model, where, update }: { model: string; where: CleanedWhere[]; update: T }) {
      const row = await db
        .updateTable(tableOf(model))
        .set(update as Record<string, unknown>)
        .where(matching(model, where))
        .returningAll()
        .executeTakeFirst();
      return (row ? present(model, row) : null) as T | null;
    },

    async updateMany({ model, where, update }) {
      const result = await db.updateTable(tableOf(model)).set(update).where(matching(model, where)).executeTakeFirstOrThrow();
      return Number(result.numUpdatedRows);
    },

    async delete({ model, where }) {
      await db.deleteFrom(tableOf(model)).where(matching(model, where)).execute();
    },

    async deleteMany({ model, where }) {
      const result = await db.deleteFrom(tableOf(model)).where(matching(model, where)).executeTakeFirstOrThrow();
      return Number(result.numDeletedRows);
    },

    async consumeOne<T>({ model, where }: { model: string; where: CleanedWhere[] }) {
      const row = await db.deleteFrom(tableOf(model)).where(matching(model, where)).returningAll().executeTakeFirst();
      return (row ?? null) as T | null;
    },

    async incrementOne<T>({ model, where, increment, set }: Parameters<NonNullable<CustomAdapter['incrementOne']>>[0]) {
      const sums = Object.entries(increment).map(([column, by]) => [column, sql`${sql.ref(column)} + ${by}`]);
      const row = await db
        .updateTable(tableOf(model))
        .set({ ...set, ...Object.fromEntries(sums) })
        .where(matching(model, where))
        .returningAll()
        .executeTakeFirst();
      return (row ?? null) as T | null;
    },
  };
}

function tableOf(model: string): string {
  return model === 'credentials' ? 'accounts' : model;
}

/** A row as Better Auth expects it. Every account signs in with a password, so its credential is the row itself. */
function present(model: string, row: Record<string, unknown>): Record<string, unknown> {
  return model === 'credentials' ? { ...row, provider_id: 'credential' } : row;
}

type Builder = ExpressionBuilder<AnyDatabase, string>;
type Condition = ExpressionWrapper<AnyDatabase, string, SqlBool>;

function matching(model: string, where: Where) {
  return (eb: Builder): Condition => {
    const conditions = (where ?? []).filter(({ field }) => !(model === 'credentials' && field === 'provider_id'));
    const all = conditions.filter(({ connector }) => connector === 'AND').map((condition) => compare(eb, condition));
    const any = conditions.filter(({ connector }) => connector === 'OR').map((condition) => compare(eb, condition));
    if (any.length > 0) all.push(eb.or(any));
    // The absolute limit holds for whatever Better Auth does with a session: past it, there is none.
    if (model === 'sessions') all.push(eb('created_at', '>', new Date(Date.now() - sessionLifetimeMs).toISOString()));
    return eb.and(all);
  };
}

function compare(eb: Builder, { field, operator, value }: CleanedWhere): Condition {
  switch (operator) {
    case 'eq':
      return value === null ? eb(field, 'is', null) : eb(field, '=', value);
    case 'ne':
      return value === null ? eb(field, 'is not', null) : eb(field, '<>', value);
    case 'lt':
      return eb(field, '<', value);
    case 'lte':
      return eb(field, '<=', value);
    case 'gt':
      return eb(field, '>', value);
    case 'gte':
      return eb(field, '>=', value);
    case 'in':
      return eb(field, 'in', value as string[]);
    default:
      throw new Error(`The session store has no use for the operator ${operator}`);
  }
}
