import type { CheckListQuery, CheckSummary } from '../../contract/checks.ts';
import type { Page } from '../../contract/lists.ts';
import { AppError } from '../../errors.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { findCasesDigest } from '../cases/cases.ts';
import { readPage } from '../cursors.ts';
import { toStorable } from '../ids.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';

type StoredSummary = Omit<CheckSummary, 'current'>;

/** Lists a page of a prompt's check runs, newest first. */
export async function listChecks(ctx: WithStore, actor: Actor, name: string, query: CheckListQuery): Promise<Page<CheckSummary>> {
  const { version } = query;
  const owner = await findOwner(ctx, actor, name);
  const { checks } = ctx.store.read(actor.workspaceId);
  const cases = await findCasesDigest(ctx.store, owner);
  const list = (before: string | undefined, limit: number) => checks.list(owner, { version, before, limit });
  return readPage('checks', query, list, ({ summary, casesDigest }) => toSummary(summary, casesDigest === cases?.digest));
}

/** Returns a check run as the JSON of a `Check`. The results of its test cases may take megabytes, so they are not parsed. */
export async function getCheckJson(ctx: WithStore, actor: Actor, { name, id }: { name: string; id: string }): Promise<string> {
  const owner = await findOwner(ctx, actor, name);
  const found = await ctx.store.checks.find(owner, toStorable(id));
  if (!found) throw new AppError('check_not_found');
  const cases = await findCasesDigest(ctx.store, owner);
  return toCheckJson(toSummary(found.summary, found.casesDigest === cases?.digest), found.detail);
}

/** Adds the results of the test cases, which are already JSON, to the summary. */
export function toCheckJson(summary: CheckSummary, cases: string): string {
  return `${JSON.stringify(summary).slice(0, -1)},"cases":${cases}}`;
}

function toSummary(json: string, current: boolean): CheckSummary {
  // The summary was written by `runChecks`.
  return { ...(JSON.parse(json) as StoredSummary), current };
}

async function findOwner({ store }: WithStore, actor: Actor, name: string): Promise<{ accountId: string; promptId: string }> {
  return { accountId: actor.workspaceId, promptId: (await getPromptRecord(store, actor, name)).id };
}
