import type { CaseResult, Check, CheckListQuery, CheckSummary } from '../../contract/checks.ts';
import { defaultPageLimit, type Page } from '../../contract/lists.ts';
import { AppError } from '../../errors.ts';
import type { Actor } from '../actor.ts';
import type { Context } from '../context.ts';
import { decodeCursor, encodeCursor, splitPage } from '../cursors.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { findCasesDigest } from './cases.ts';

type StoredSummary = Omit<CheckSummary, 'current'>;

/** A page of the results of a prompt's checks, newest first. */
export async function listChecks(ctx: Context, actor: Actor, name: string, query: CheckListQuery): Promise<Page<CheckSummary>> {
  const { limit = defaultPageLimit, cursor, version } = query;
  const owner = await findOwner(ctx, actor, name);
  const [before] = cursor === undefined ? [] : decodeCursor('checks', 1, cursor);
  const found = await ctx.store.checks.list(owner, { version, before, limit: limit + 1 });
  const { shown, last } = splitPage(found, limit);
  const cases = await findCasesDigest(ctx.store, owner);
  return {
    data: shown.map(({ summary, casesDigest }) => toSummary(summary, casesDigest === cases?.digest)),
    nextCursor: last ? encodeCursor('checks', [last.id]) : null,
  };
}

export async function getCheck(ctx: Context, actor: Actor, { name, id }: { name: string; id: string }): Promise<Check> {
  const owner = await findOwner(ctx, actor, name);
  // The store refuses NUL as invalid input, but an id with it is simply unknown.
  const found = id.includes('\0') ? undefined : await ctx.store.checks.find(owner, id);
  if (!found) throw new AppError('check_not_found');
  const cases = await findCasesDigest(ctx.store, owner);
  // runChecks wrote it.
  return { ...toSummary(found.summary, found.casesDigest === cases?.digest), cases: JSON.parse(found.detail) as CaseResult[] };
}

function toSummary(json: string, current: boolean): CheckSummary {
  // runChecks wrote it.
  return { ...(JSON.parse(json) as StoredSummary), current };
}

async function findOwner({ store }: Context, actor: Actor, name: string): Promise<{ accountId: string; promptId: string }> {
  return { accountId: actor.workspaceId, promptId: (await getPromptRecord(store, actor, name)).id };
}
