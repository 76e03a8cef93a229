import type { CaseCheck } from '../../contract/cases.ts';
import type { CheckKind } from '../../contract/check-kinds.ts';
import { maxCheckTextLength, maxPatternLength } from '../../contract/limits.ts';
import { normalizeName } from '../../contract/prompt-names.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';

const maxSchemaLength = 32 * 1024;
const judgeFields = ['label', 'connection', 'model'] as const;

/** Validates checks, and writes out their defaults. What compiles to something is compiled, so that nobody finds out in a run. */
export async function parseChecks(ctx: Context, { workspaceId }: Actor, checks: CaseCheck[], path: string): Promise<CaseCheck[]> {
  const parsed: CaseCheck[] = [];
  for (const [index, check] of checks.entries()) {
    const at = `${path}/${index}`;
    const value = parseValue(check, `${at}/value`);
    const on = check.on ?? 'output';
    if (check.kind === 'maxLatencyMs' && on === 'prompt') throw invalidField(`${at}/on`, 'Only an output has a latency');
    const misplaced = check.kind === 'judge' ? undefined : judgeFields.find((field) => check[field] !== undefined);
    if (misplaced !== undefined) throw invalidField(`${at}/${misplaced}`, 'Only a judge has this');
    await assertCompiles(ctx, workspaceId, { ...check, value }, `${at}/value`);
    const { kind, label, connection, model } = check;
    parsed.push({
      kind,
      on,
      ...(value !== undefined && { value }),
      ...(label !== undefined && { label }),
      ...(connection !== undefined && { connection }),
      ...(model !== undefined && { model }),
    });
  }
  return parsed;
}

function parseValue({ kind, value }: CaseCheck, path: string): unknown {
  switch (valueTypes[kind]) {
    case 'none':
      if (value !== undefined) throw invalidField(path, `${kind} takes no value`);
      return undefined;
    case 'number':
      if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw invalidField(path, 'Must be a whole number, 0 or more');
      return value;
    case 'schema':
      if (!isSchema(value)) throw invalidField(path, 'Must be a JSON schema: an object, true or false');
      if (JSON.stringify(value).length > maxSchemaLength) throw invalidField(path, `Use at most ${maxSchemaLength} characters`);
      return value;
    case 'name':
      return normalizeName(parseText(value, path, maxPatternLength));
    case 'pattern':
      return parseText(value, path, maxPatternLength);
    case 'text':
      return parseText(value, path, maxCheckTextLength);
  }
}

const valueTypes = {
  contains: 'text',
  notContains: 'text',
  equals: 'text',
  matches: 'pattern',
  json: 'none',
  jsonSchema: 'schema',
  maxCharacters: 'number',
  maxTokens: 'number',
  maxLatencyMs: 'number',
  judge: 'name',
} as const satisfies Record<CheckKind, string>;

function parseText(value: unknown, path: string, maxLength: number): string {
  if (typeof value !== 'string' || value === '') throw invalidField(path, 'Must be a text');
  if (value.length > maxLength) throw invalidField(path, `Use at most ${maxLength} characters`);
  return value;
}

export function isSchema(value: unknown): value is object | boolean {
  return typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value));
}

async function assertCompiles(ctx: Context, workspaceId: string, { kind, value }: CaseCheck, path: string): Promise<void> {
  if (kind !== 'matches' || typeof value !== 'string') return;
  const result = await ctx.templates.check(workspaceId, { rule: { kind, value } }).catch((err: unknown) => {
    if (err instanceof AppError && err.code === 'template_too_costly')
      return { ok: false as const, problem: 'it takes too much time or memory' };
    throw err;
  });
  if (!result.ok) throw invalidField(path, `Not a regular expression of RE2: ${result.problem}`);
}
