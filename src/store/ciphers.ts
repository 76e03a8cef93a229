import { type Kysely, sql } from 'kysely';
import type { Database } from './tables.ts';

/** The columns with encrypted secrets. `key` identifies the row and the owner for whom the secret is encrypted. */
const places = {
  key: { table: 'accounts', key: ['id'], column: 'key_cipher' },
  twoFactor: { table: 'two_factors', key: ['account_id'], column: 'secret_cipher' },
  webhook: { table: 'webhooks', key: ['account_id', 'id'], column: 'secret_cipher' },
  previousWebhook: { table: 'webhooks', key: ['account_id', 'id'], column: 'previous_secret_cipher' },
  connection: { table: 'model_connections', key: ['account_id', 'id', 'base_url'], column: 'key_cipher' },
};

export type CipherPlace = keyof typeof places;

/** Gives access to all encrypted secrets, to re-encrypt them when the master secret changes. */
export function createCipherStore(db: Kysely<Database>) {
  return {
    /** Lists a page of rows with a secret, in the order of their keys. An empty `after` starts at the beginning. */
    async list(place: CipherPlace, after: string[], limit: number): Promise<{ key: string[]; cipher: string }[]> {
      const { table, key, column } = places[place];
      const columns = sql.join(key.map((name) => sql.ref(name)));
      const position = sql.join(key.map((_name, index) => after[index] ?? ''));
      const { rows } = await sql<Record<string, string>>`select ${columns}, ${sql.ref(column)} as cipher from ${sql.table(table)}
        where (${columns}) > (${position}) and ${sql.ref(column)} <> '' order by ${columns} limit ${limit}`.execute(db);
      return rows.map(({ cipher = '', ...row }) => ({ key: key.map((name) => row[name] ?? ''), cipher }));
    },

    /** Stores the re-encrypted secret. Returns false if the secret was replaced in the meantime. */
    async replace(place: CipherPlace, { key, cipher }: { key: string[]; cipher: string }, next: string): Promise<boolean> {
      const { table, key: names, column } = places[place];
      const columns = sql.join(names.map((name) => sql.ref(name)));
      const { numAffectedRows } = await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${next}
        where (${columns}) = (${sql.join(key)}) and ${sql.ref(column)} = ${cipher}`.execute(db);
      return numAffectedRows === 1n;
    },
  };
}
