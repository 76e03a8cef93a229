import { schemaOfSchemas } from '../../contract/schema-of-schemas.ts';
import { AppError } from '../../errors.ts';
import type { CheckJob } from './template-types.ts';
import type { WithTemplates } from './templates.ts';

/** Finds the reason why a rule does not compile, or why the text does not match it. */
export async function findRuleProblem(ctx: WithTemplates, workspaceId: string, job: Omit<CheckJob, 'kind'>): Promise<string | undefined> {
  try {
    const result = await ctx.templates.check(workspaceId, job);
    return result.ok ? result.problems[0] : result.problem;
  } catch (err) {
    if (err instanceof AppError && err.code === 'template_too_costly') return 'it needs too much time or memory';
    throw err;
  }
}

/** Finds the reason why a value is not a JSON Schema. */
export function findSchemaProblem(ctx: WithTemplates, workspaceId: string, schema: unknown): Promise<string | undefined> {
  return findRuleProblem(ctx, workspaceId, { rule: { kind: 'jsonSchema', value: schemaOfSchemas }, text: JSON.stringify(schema) });
}
