import type { Kysely, Selectable } from 'kysely';
import type { ModelKind } from '../../contract/model-kinds.ts';
import type { Price } from '../../contract/models.ts';
import { countRows } from '../count-rows.ts';
import type { Database } from '../tables.ts';

export interface ConnectionRecord {
  id: string;
  name: string;
  kind: ModelKind;
  baseUrl: string;
  models: string[];
  prices: Record<string, Price>;
  /** The encrypted key, which can be decrypted only for this base URL. */
  key: { cipher: string; hint: string } | null;
  createdAt: string;
  updatedAt: string;
}

type ConnectionUpdate = Partial<Omit<ConnectionRecord, 'id' | 'createdAt'>> & { updatedAt: string };

/** Reads and writes the connections to servers that run models. Changes run inside `changeWorkspace`. */
export function createConnectionStore(db: Kysely<Database>) {
  const select = (accountId: string) => db.selectFrom('model_connections').selectAll().where('account_id', '=', accountId);

  return {
    async insert(accountId: string, { id, createdAt, ...rest }: ConnectionRecord): Promise<void> {
      const { name, kind, baseUrl, models, prices } = rest;
      const required = { name, kind, base_url: baseUrl, models: JSON.stringify(models), prices: JSON.stringify(prices) };
      await db
        .insertInto('model_connections')
        .values({ account_id: accountId, id, created_at: createdAt, ...toColumns(rest), ...required })
        .execute();
    },

    async update(accountId: string, id: string, update: ConnectionUpdate): Promise<void> {
      await db.updateTable('model_connections').set(toColumns(update)).where('account_id', '=', accountId).where('id', '=', id).execute();
    },

    async delete(accountId: string, id: string): Promise<void> {
      await db.deleteFrom('model_connections').where('account_id', '=', accountId).where('id', '=', id).execute();
    },

    async find(accountId: string, id: string): Promise<ConnectionRecord | undefined> {
      const row = await select(accountId).where('id', '=', id).executeTakeFirst();
      return row && toRecord(row);
    },

    async findByName(accountId: string, name: string): Promise<ConnectionRecord | undefined> {
      const row = await select(accountId).where('name', '=', name).executeTakeFirst();
      return row && toRecord(row);
    },

    /** Lists a page of connections, oldest first. */
    async list(accountId: string, { afterId, limit }: { afterId: string; limit: number }): Promise<ConnectionRecord[]> {
      const rows = await select(accountId).where('id', '>', afterId).orderBy('id').limit(limit).execute();
      return rows.map(toRecord);
    },

    async count(accountId: string): Promise<number> {
      return countRows(db.selectFrom('model_connections').where('account_id', '=', accountId));
    },
  };
}

function toColumns({ name, kind, baseUrl, models, prices, key, updatedAt }: ConnectionUpdate) {
  return {
    updated_at: updatedAt,
    ...(name !== undefined && { name }),
    ...(kind !== undefined && { kind }),
    ...(baseUrl !== undefined && { base_url: baseUrl }),
    ...(models !== undefined && { models: JSON.stringify(models) }),
    ...(prices !== undefined && { prices: JSON.stringify(prices) }),
    ...(key !== undefined && { key_cipher: key?.cipher ?? null, key_hint: key?.hint ?? null }),
  };
}

function toRecord(row: Selectable<Database['model_connections']>): ConnectionRecord {
  const { key_cipher: cipher, key_hint: hint } = row;
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    baseUrl: row.base_url,
    // The columns contain JSON of these types.
    models: JSON.parse(row.models) as string[],
    prices: JSON.parse(row.prices) as Record<string, Price>,
    key: cipher === null ? null : { cipher, hint: hint ?? '' },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
