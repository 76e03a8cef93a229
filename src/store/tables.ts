import type { AccountTables } from './accounts/tables.ts';
import type { Fixed } from './columns.ts';
import type { EventTables } from './events/tables.ts';
import type { ModelTables } from './models/tables.ts';
import type { PromptTables } from './prompts/tables.ts';
import type { WebhookTables } from './webhooks/tables.ts';
import type { WorkspaceTables } from './workspaces/tables.ts';

/**
 * The tables, except those of the statistics. On both engines, times are ISO 8601 text in UTC, which sorts correctly and which the API
 * returns unchanged.
 */
export interface Database extends AccountTables, WorkspaceTables, PromptTables, EventTables, WebhookTables, ModelTables {
  meta: { name: Fixed<string>; value: string };
  migrations: { id: Fixed<number>; name: Fixed<string>; applied_at: Fixed<string> };
  /** This table has a single row. The instance whose open transaction has updated the row runs the migration. */
  migration_lock: { id: Fixed<number>; holder: string };
}
