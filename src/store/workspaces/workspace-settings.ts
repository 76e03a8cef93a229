import type { Kysely } from 'kysely';
import type { LabelRules } from '../../contract/label-rules.ts';
import type { DailyBudget, WorkspaceSettings } from '../../contract/workspace-settings.ts';
import type { Database } from '../tables.ts';

/** Reads and writes the settings of a workspace, which are columns of its account. */
export function createWorkspaceSettingsStore(db: Kysely<Database>) {
  return {
    async find(id: string): Promise<WorkspaceSettings | undefined> {
      const row = await db
        .selectFrom('accounts')
        .select(['name', 'protected_labels', 'gated_labels', 'label_rules', 'daily_budget'])
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (!row) return undefined;
      const { protected_labels, gated_labels, label_rules, daily_budget } = row;
      // The columns were written by `update`.
      return {
        name: row.name,
        protectedLabels: JSON.parse(protected_labels) as string[],
        gatedLabels: JSON.parse(gated_labels) as string[],
        labelRules: JSON.parse(label_rules) as LabelRules,
        dailyBudget: daily_budget === null ? { cost: null, tokens: null } : (JSON.parse(daily_budget) as DailyBudget),
      };
    },

    async update(id: string, { name, protectedLabels, gatedLabels, labelRules, dailyBudget }: WorkspaceSettings): Promise<void> {
      const hasBudget = dailyBudget.cost !== null || dailyBudget.tokens !== null;
      await db
        .updateTable('accounts')
        .set({
          name,
          protected_labels: JSON.stringify(protectedLabels),
          gated_labels: JSON.stringify(gatedLabels),
          label_rules: JSON.stringify(labelRules),
          daily_budget: hasBudget ? JSON.stringify(dailyBudget) : null,
          updated_at: new Date().toISOString(),
        })
        .where('id', '=', id)
        .execute();
    },
  };
}
