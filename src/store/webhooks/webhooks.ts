import type { Kysely, Selectable } from 'kysely';
import type { WebhookFormat } from '../../contract/event-types.ts';
import { hasRows } from '../count-rows.ts';
import type { Database } from '../tables.ts';

export interface WebhookRecord {
  id: string;
  url: string;
  /** The types of events that are sent. Null means all types. */
  events: string[] | null;
  description: string;
  format: WebhookFormat;
  secretCipher: string;
  previousSecret: { cipher: string; until: string } | null;
  /** The reason is null if a person disabled the webhook. */
  disabled: { at: string; reason: string | null } | null;
  createdAt: string;
  updatedAt: string;
}

type WebhookUpdate = Partial<Omit<WebhookRecord, 'id' | 'createdAt'>> & { updatedAt: string };

/**
 * Reads and writes the webhooks of workspaces. Every change runs inside `changeWorkspace`, which keeps the number of enabled webhooks up to
 * date.
 */
export function createWebhookStore(db: Kysely<Database>) {
  const select = (accountId: string) => db.selectFrom('webhooks').selectAll().where('account_id', '=', accountId);

  return {
    async insert(accountId: string, { id, createdAt, ...rest }: WebhookRecord): Promise<void> {
      const { url, description, secretCipher } = rest;
      const fixed = { account_id: accountId, id, created_at: createdAt };
      const required = { url, description, secret_cipher: secretCipher, updated_at: rest.updatedAt };
      await db
        .insertInto('webhooks')
        .values({ ...fixed, ...required, ...toColumns(rest) })
        .execute();
      await storeCount(db, accountId);
    },

    async update(accountId: string, id: string, update: WebhookUpdate): Promise<void> {
      await db.updateTable('webhooks').set(toColumns(update)).where('account_id', '=', accountId).where('id', '=', id).execute();
      if (update.disabled !== undefined) await storeCount(db, accountId);
    },

    /** Deletes a webhook. Its pending deliveries are discarded when they are due. */
    async delete(accountId: string, id: string): Promise<void> {
      await db.deleteFrom('webhooks').where('account_id', '=', accountId).where('id', '=', id).execute();
      await storeCount(db, accountId);
    },

    async find(accountId: string, id: string): Promise<WebhookRecord | undefined> {
      const row = await select(accountId).where('id', '=', id).executeTakeFirst();
      return row && toRecord(row);
    },

    /** Lists a page of webhooks, oldest first. */
    async list(accountId: string, { afterId, limit }: { afterId: string; limit: number }): Promise<WebhookRecord[]> {
      const rows = await select(accountId).where('id', '>', afterId).orderBy('id').limit(limit).execute();
      return rows.map(toRecord);
    },

    /** Returns whether any workspace has a webhook. */
    exist: (): Promise<boolean> => hasRows(db.selectFrom('webhooks')),
  };
}

async function storeCount(db: Kysely<Database>, accountId: string): Promise<void> {
  await db
    .updateTable('accounts')
    .set((eb) => ({
      enabled_webhooks: eb
        .selectFrom('webhooks')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('disabled_at', 'is', null),
    }))
    .where('id', '=', accountId)
    .execute();
}

function toColumns({ url, events, description, format, secretCipher, previousSecret, disabled, updatedAt }: WebhookUpdate) {
  return {
    updated_at: updatedAt,
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: events && JSON.stringify(events) }),
    ...(description !== undefined && { description }),
    ...(format !== undefined && { format }),
    ...(secretCipher !== undefined && { secret_cipher: secretCipher }),
    ...(previousSecret !== undefined && {
      previous_secret_cipher: previousSecret?.cipher ?? null,
      previous_secret_until: previousSecret?.until ?? null,
    }),
    ...(disabled !== undefined && { disabled_at: disabled?.at ?? null, disabled_reason: disabled?.reason ?? null }),
  };
}

function toRecord(row: Selectable<Database['webhooks']>): WebhookRecord {
  const { previous_secret_cipher: cipher, previous_secret_until: until } = row;
  return {
    id: row.id,
    url: row.url,
    // The column contains a list of event types.
    events: row.events === null ? null : (JSON.parse(row.events) as string[]),
    description: row.description,
    format: row.format,
    secretCipher: row.secret_cipher,
    previousSecret: cipher === null || until === null ? null : { cipher, until },
    disabled: row.disabled_at === null ? null : { at: row.disabled_at, reason: row.disabled_reason },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
