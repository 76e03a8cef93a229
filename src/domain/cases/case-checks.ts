import type { CaseCheck } from '../../contract/cases.ts';
import { checkValueTypes } from '../../contract/check-kinds.ts';
import { maxCheckTextLength, maxPatternLength } from '../../contract/limits.ts';
import { normalizeName } from '../../contract/prompt-names.ts';
import { invalidField } from '../../errors.ts';
import type { Actor } from '../actor.ts';
import { findRuleProblem, findSchemaProblem } from '../templates/find-rule-problem.ts';
import type { WithTemplates } from '../templates/templates.ts';

const maxSchemaLength = 32 * 1024;
const judgeFields = ['rubric', 'label', 'connection', 'model'] as const;

/** Validates checks and fills in their defaults. Patterns and schemas are compiled, so that errors are found before a run. */
export async function parseChecks(ctx: WithTemplates, { workspaceId }: Actor, checks: CaseCheck[], path: string): Promise<CaseCheck[]> {
  const parsed: CaseCheck[] = [];
  for (const [index, check] of checks.entries()) {
    const at = `${path}/${index}`;
    const value = parseValue(check, `${at}/value`);
    const on = check.on ?? 'output';
    if (check.kind === 'maxLatencyMs' && on === 'prompt') throw invalidField(`${at}/on`, 'A latency check applies only to the output');
    const misplaced = check.kind === 'judge' ? undefined : judgeFields.find((field) => check[field] !== undefined);
    if (misplaced !== undefined) throw invalidField(`${at}/${misplaced}`, 'Only a judge can have this field');
    if (check.rubric !== undefined && check.label !== undefined)
      throw invalidField(`${at}/label`, 'A judge with a rubric cannot have a label');
    await assertCompiles(ctx, workspaceId, { ...check, value }, `${at}/value`);
    const { kind, rubric, label, connection, model } = check;
    parsed.push({
      kind,
      on,
      ...(value !== undefined && { value }),
      ...(rubric !== undefined && { rubric }),
      ...(label !== undefined && { label }),
      ...(connection !== undefined && { connection }),
      ...(model !== undefined && { model }),
    });
  }
  return parsed;
}

function parseValue({ kind, value, rubric }: CaseCheck, path: string): unknown {
  if (kind === 'judge' && rubric !== undefined) {
    if (value !== undefined) throw invalidField(path, 'A judge can have either a prompt name or a rubric, not both');
    return undefined;
  }
  if (kind === 'judge' && value === undefined) throw invalidField(path, 'A judge requires a prompt name or a rubric');
  switch (checkValueTypes[kind]) {
    case 'none':
      if (value !== undefined) throw invalidField(path, `${kind} does not accept a value`);
      return undefined;
    case 'number':
      if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw invalidField(path, 'Must be a whole number, 0 or more');
      return value;
    case 'schema':
      if (!isSchema(value)) throw invalidField(path, 'Must be a JSON Schema: an object, true or false');
      if (JSON.stringify(value).length > maxSchemaLength) throw invalidField(path, `Use at most ${maxSchemaLength} characters`);
      return value;
    case 'prompt':
      return normalizeName(parseText(value, path, maxPatternLength));
    case 'pattern':
      return parseText(value, path, maxPatternLength);
    case 'text':
      return parseText(value, path, maxCheckTextLength);
  }
}

function parseText(value: unknown, path: string, maxLength: number): string {
  if (typeof value !== 'string' || value === '') throw invalidField(path, 'Must be a non-empty string');
  if (value.length > maxLength) throw invalidField(path, `Use at most ${maxLength} characters`);
  return value;
}

export function isSchema(value: unknown): value is object | boolean {
  return typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value));
}

async function assertCompiles(ctx: WithTemplates, workspaceId: string, { kind, value }: CaseCheck, path: string): Promise<void> {
  if (kind === 'matches' && typeof value === 'string') {
    const problem = await findRuleProblem(ctx, workspaceId, { rule: { kind, value } });
    if (problem !== undefined) throw invalidField(path, `Not a valid RE2 regular expression: ${problem}`);
  }
  if (kind === 'jsonSchema') {
    const problem = await findSchemaProblem(ctx, workspaceId, value);
    if (problem !== undefined) throw invalidField(path, `Not a valid JSON Schema: ${problem}`);
  }
}
