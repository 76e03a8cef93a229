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

/** A page of the results of a prompt's checks, newest first. */
export async function listChecks(ctx: WithStore, actor: Actor, name: string, query: CheckListQuery): Promise<Page<CheckSummary>> {
  const { version } = query;
  const owner = await findOwner(ctx, actor, name);
  const { checks } = ctx.store.read(actor.workspaceId);
  const cases = await findCasesDigest(ctx.store, owner);
  const list = (before: string | undefined, limit: number) => checks.list(owner, { version, before, limit });
  return readPage('checks', query, list, ({ summary, casesDigest }) => toSummary(summary, casesDigest === cases?.digest));
}

/** The results of checks, as the JSON of a `Check`: of its cases there may be megabytes, which are stored as JSON. */
export async function getCheckJson(ctx: WithStore, actor: Actor, { name, id }: { name: string; id: string }): Promise<string> {
  const owner = await findOwner(ctx, actor, name);
  const found = await ctx.store.checks.find(owner, toStorable(id));
  if (!found) throw new AppError('check_not_found');
  const cases = await findCasesDigest(ctx.store, owner);
  return toCheckJson(toSummary(found.summary, found.casesDigest === cases?.digest), found.detail);
}

/** Adds the cases, which are JSON, to the summary. */
export function toCheckJson(summary: CheckSummary, cases: string): string {
  return `${JSON.stringify(summary).slice(0, -1)},"cases":${cases}}`;
}

function toSummary(json: string, current: boolean): CheckSummary {
  // runChecks wrote it.
  return { ...(JSON.parse(json) as StoredSummary), current };
}

async function findOwner({ store }: WithStore, actor: Actor, name: string): Promise<{ accountId: string; promptId: string }> {
  return { accountId: actor.workspaceId, promptId: (await getPromptRecord(store, actor, name)).id };
}
