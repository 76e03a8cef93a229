import { hash } from 'node:crypto';
import type { Case, CaseChange, CaseImport, NewCase } from '../../contract/cases.ts';
import type { JudgedPrompt } from '../../contract/dependents.ts';
import { maxCaseBytes, maxPromptCaseBytes, maxPromptCases } from '../../contract/limits.ts';
import type { Page, PageQuery } from '../../contract/lists.ts';
import { AppError, invalidField } from '../../errors.ts';
import { type CaseRecord, caseBytes } from '../../store/models/cases.ts';
import type { PromptOwner } from '../../store/prompts/prompt-owner.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { readPage } from '../cursors.ts';
import { newId, toStorable } from '../ids.ts';
import { changePrompts, type WithChanges, type WithLargeChanges } from '../prompts/change-prompts.ts';
import { recordEvent } from '../prompts/history.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { assertPlainText } from '../prompts/versions/version-content.ts';
import type { WithTemplates } from '../templates/templates.ts';
import { parseChecks } from './case-checks.ts';

/** The maximum number of bytes that are read for the values of a variable. Clients may request these values with every keystroke. */
const maxReadBytes = 512 * 1024;
const maxValueLength = 200;
const maxJudged = 100;

/** Lists a page of a prompt's test cases, oldest first. */
export async function listCases(ctx: WithStore, actor: Actor, name: string, query: PageQuery): Promise<Page<Case>> {
  const { workspaceId: accountId } = actor;
  const { id: promptId } = await getPromptRecord(ctx.store, actor, name);
  const list = (afterId = '', limit: number) => ctx.store.read(accountId).cases.list({ accountId, promptId }, { afterId, limit });
  return readPage('cases', query, list, toCase, ({ content }) => content.length);
}

export async function createCase(ctx: WithStore & WithTemplates & WithChanges, actor: Actor, name: string, input: NewCase): Promise<Case> {
  const record = toRecord(await parseCase(ctx, actor, input, ''), '');
  await insertCases(ctx, actor, name, [record]);
  return toCase(record);
}

/**
 * Adds test cases, which have the same shape as the test cases that `listCases` returns. If one test case cannot be added, no test cases
 * are added.
 */
export async function importCases(
  ctx: WithStore & WithTemplates & WithChanges & WithLargeChanges,
  actor: Actor,
  name: string,
  { data }: CaseImport,
): Promise<Case[]> {
  await getPromptRecord(ctx.store, actor, name);
  const records: CaseRecord[] = [];
  for (const [index, input] of data.entries()) {
    const path = `/data/${index}`;
    records.push(toRecord(await parseCase(ctx, actor, input, path), path));
  }
  await ctx.largeChanges.run(actor.workspaceId, () => insertCases(ctx, actor, name, records));
  return records.map(toCase);
}

export async function changeCase(
  ctx: WithStore & WithTemplates & WithChanges,
  actor: Actor,
  { name: promptName, id, change }: { name: string; id: string; change: CaseChange },
): Promise<Case> {
  const checks = change.checks && (await parseChecks(ctx, actor, change.checks, '/checks'));
  return changePrompts(ctx, actor, async (stores, actor) => {
    const { owner, prompt, record: before } = await getCaseRecord(stores, actor, promptName, id);
    const { name, variables, checks: ownChecks } = toCase(before);
    const content = {
      name: parseName(change.name ?? name, '/name'),
      variables: change.variables ?? variables,
      checks: checks ?? ownChecks,
    };
    const record = { ...toRecord(content, ''), id, createdAt: before.createdAt };
    await stores.cases.update(owner, before, record);
    await assertWithinLimits(stores, owner);
    recordEvent(stores, actor, prompt, { type: 'cases_changed', cases: { action: 'changed', name, count: 1 } });
    return toCase(record);
  });
}

export async function deleteCase(ctx: WithStore & WithChanges, actor: Actor, { name, id }: { name: string; id: string }): Promise<void> {
  await changePrompts(ctx, actor, async (stores, actor) => {
    const { owner, prompt, record } = await getCaseRecord(stores, actor, name, id);
    await stores.cases.delete(owner, record);
    recordEvent(stores, actor, prompt, { type: 'cases_changed', cases: { action: 'deleted', name: record.name, count: 1 } });
  });
}

/**
 * Lists the distinct values of a variable in a prompt's test cases, starting with the oldest test case. Long values are left out, because
 * they are not useful as suggestions.
 */
export async function listCaseValues({ store }: WithStore, { workspaceId }: Actor, promptId: string, variable: string): Promise<string[]> {
  const owner = { accountId: workspaceId, promptId };
  let bytes = 0;
  const { cases } = store.read(workspaceId);
  const limit = (await cases.listDigests(owner)).filter((one) => {
    bytes += one.bytes;
    return bytes <= maxReadBytes;
  }).length;
  if (limit === 0) return [];
  const found = await cases.list(owner, { afterId: '', limit });
  const values = found.map((record) => {
    const { variables } = toCase(record);
    return Object.hasOwn(variables, variable) ? variables[variable] : undefined;
  });
  return [...new Set(values.filter((value) => typeof value === 'string'))].filter(
    (value) => value !== '' && value.length <= maxValueLength,
  );
}

/** Lists the prompts whose test cases use this prompt as a judge. */
export async function listJudged(ctx: WithStore, actor: Actor, name: string): Promise<JudgedPrompt[]> {
  const judge = await getPromptRecord(ctx.store, actor, name);
  return ctx.store.read(actor.workspaceId).cases.listJudgedBy(actor.workspaceId, judge.name, maxJudged);
}

/** Returns a digest of a prompt's current test cases, or undefined if there are none. */
export async function findCasesDigest(
  { cases }: Pick<PromptStores, 'cases'>,
  { accountId, promptId }: PromptOwner,
): Promise<{ digest: string; count: number } | undefined> {
  const digests = (await cases.listDigestsOf(accountId, [promptId])).get(promptId);
  return digests === undefined ? undefined : { digest: digestOf(digests), count: digests.split('\n').length };
}

/**
 * Returns one digest for all test cases. Each line of `digests` contains the id and the digest of one test case, and the lines are sorted
 * by id.
 */
export function digestOf(digests: string): string {
  return hash('sha256', digests, 'base64url');
}

export function toCase({ id, name, content, createdAt, updatedAt }: CaseRecord): Case {
  // The content was written by `toRecord`.
  const { variables, checks } = JSON.parse(content) as Pick<Case, 'variables' | 'checks'>;
  return { id, name, variables, checks, createdAt, updatedAt };
}

async function insertCases(ctx: WithStore & WithChanges, actor: Actor, name: string, records: CaseRecord[]): Promise<void> {
  await changePrompts(ctx, actor, async (stores, actor) => {
    const prompt = await getPromptRecord(stores, actor, name);
    const owner = { accountId: actor.workspaceId, promptId: prompt.id };
    await assertWithinLimits(stores, owner, records);
    await stores.cases.insert(owner, records);
    const [first] = records;
    if (!first) return;
    const cases = { action: 'added', name: first.name, count: records.length } as const;
    recordEvent(stores, actor, prompt, { type: 'cases_changed', cases });
  });
}

/** A check run holds all test cases in memory, so both their number and their size are limited. */
async function assertWithinLimits({ cases }: Pick<PromptStores, 'cases'>, owner: PromptOwner, added: CaseRecord[] = []): Promise<void> {
  const sizes = [...(await cases.listDigests(owner)).map(({ bytes }) => bytes), ...added.map(caseBytes)];
  if (sizes.length > maxPromptCases)
    throw new AppError('quota_exceeded', { text: `A prompt can have at most ${maxPromptCases} test cases` });
  if (sizes.reduce((sum, bytes) => sum + bytes, 0) > maxPromptCaseBytes) {
    throw new AppError('quota_exceeded', {
      text: `The test cases of a prompt can have at most ${maxPromptCaseBytes / 1024 / 1024} MiB in total`,
    });
  }
}

/** Validates a test case and fills in the defaults of its checks. */
export async function parseCase(
  ctx: WithTemplates,
  actor: Actor,
  { name, variables = {}, checks = [] }: NewCase,
  path: string,
): Promise<CaseContent> {
  return { name: parseName(name, `${path}/name`), variables, checks: await parseChecks(ctx, actor, checks, `${path}/checks`) };
}

type CaseContent = Pick<Case, 'name' | 'variables' | 'checks'>;

/** Converts a test case to the record that is stored. */
export function toRecord({ name, variables, checks }: CaseContent, path: string): CaseRecord {
  const content = JSON.stringify({ variables, checks });
  if (Buffer.byteLength(content) > maxCaseBytes)
    throw invalidField(`${path}/variables`, `A test case can have at most ${maxCaseBytes / 1024} KiB`);
  const now = new Date().toISOString();
  return { id: newId('c'), name, content, digest: hash('sha256', content, 'base64url'), createdAt: now, updatedAt: now };
}

function parseName(text: string, path: string): string {
  assertPlainText(path, text);
  const name = text.trim();
  if (name === '') throw invalidField(path, 'Enter a name');
  return name;
}

async function getCaseRecord(stores: Pick<PromptStores, 'prompts' | 'cases'>, actor: Actor, name: string, id: string) {
  const prompt = await getPromptRecord(stores, actor, name);
  const owner = { accountId: actor.workspaceId, promptId: prompt.id };
  const record = await stores.cases.find(owner, toStorable(id));
  if (!record) throw new AppError('case_not_found');
  return { owner, prompt, record };
}
