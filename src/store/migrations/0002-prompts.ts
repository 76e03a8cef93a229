import { type Kysely, sql } from 'kysely';

/** Prompts, their versions, labels, tags and history. Every key starts with the account, so that it can be the distribution column. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('prompts')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('search_name', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('search_description', 'text', (column) => column.notNull())
    .addColumn('latest_version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'text', (column) => column.notNull())
    .addColumn('deleted_at', 'text')
    .addPrimaryKeyConstraint('prompts_pk', ['account_id', 'id'])
    .execute();
  // Only for prompts outside the bin: the name of a deleted prompt can be used again.
  await db.schema
    .createIndex('prompts_by_name')
    .on('prompts')
    .columns(['account_id', 'name'])
    .unique()
    .where(sql.ref('deleted_at'), 'is', null)
    .execute();
  await db.schema
    .createIndex('prompts_by_update')
    .on('prompts')
    .columns(['account_id', 'updated_at', 'id'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute();
  await db.schema
    .createIndex('prompts_in_bin')
    .on('prompts')
    .columns(['account_id', 'deleted_at', 'id'])
    .where(sql.ref('deleted_at'), 'is not', null)
    .execute();
  await db.schema.createIndex('prompts_to_empty').on('prompts').column('deleted_at').where(sql.ref('deleted_at'), 'is not', null).execute();

  await db.schema
    .createTable('prompt_versions')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('prompt_id', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('config', 'text', (column) => column.notNull())
    .addColumn('variables', 'text', (column) => column.notNull())
    .addColumn('partials', 'text', (column) => column.notNull())
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('prompt_versions_pk', ['account_id', 'prompt_id', 'version'])
    .addForeignKeyConstraint('prompt_versions_prompt', ['account_id', 'prompt_id'], 'prompts', ['account_id', 'id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute();

  await db.schema
    .createTable('prompt_labels')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('prompt_id', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('prompt_labels_pk', ['account_id', 'prompt_id', 'label'])
    .addForeignKeyConstraint(
      'prompt_labels_version',
      ['account_id', 'prompt_id', 'version'],
      'prompt_versions',
      ['account_id', 'prompt_id', 'version'],
      (key) => key.onDelete('cascade'),
    )
    .execute();

  await db.schema.createIndex('prompt_labels_by_label').on('prompt_labels').columns(['account_id', 'label', 'prompt_id']).execute();

  await db.schema
    .createTable('prompt_tags')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('prompt_id', 'text', (column) => column.notNull())
    .addColumn('tag', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('prompt_tags_pk', ['account_id', 'prompt_id', 'tag'])
    .addForeignKeyConstraint('prompt_tags_prompt', ['account_id', 'prompt_id'], 'prompts', ['account_id', 'id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute();

  await db.schema.createIndex('prompt_tags_by_tag').on('prompt_tags').columns(['account_id', 'tag', 'prompt_id']).execute();

  await db.schema
    .createTable('prompt_events')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('prompt_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .addColumn('by', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('prompt_events_pk', ['account_id', 'prompt_id', 'id'])
    .addForeignKeyConstraint('prompt_events_prompt', ['account_id', 'prompt_id'], 'prompts', ['account_id', 'id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute();
}
