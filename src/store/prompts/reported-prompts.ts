import type { Kysely } from 'kysely';
import type { Database } from '../tables.ts';

/** A prompt that a report names. */
export interface ReportedPrompt {
  id: string;
  name: string;
  latestVersion: number;
  labels: Map<string, number>;
}

export function createReportedPromptStore(db: Kysely<Database>) {
  return {
    /** Finds prompts by their names, with their labels. */
    async find(accountId: string, names: string[]): Promise<Map<string, ReportedPrompt>> {
      if (names.length === 0) return new Map();
      const rows = await db
        .selectFrom('prompts')
        .leftJoin('prompt_labels', (join) =>
          join.onRef('prompt_labels.account_id', '=', 'prompts.account_id').onRef('prompt_labels.prompt_id', '=', 'prompts.id'),
        )
        .select(['id', 'name', 'latest_version as latestVersion', 'label', 'version'])
        .where('prompts.account_id', '=', accountId)
        .where('name', 'in', names)
        .where('deleted_at', 'is', null)
        .execute();
      const found = new Map<string, ReportedPrompt>();
      for (const { id, name, latestVersion, label, version } of rows) {
        const prompt = found.get(name) ?? { id, name, latestVersion, labels: new Map() };
        if (label !== null && version !== null) prompt.labels.set(label, version);
        found.set(name, prompt);
      }
      return found;
    },
  };
}
