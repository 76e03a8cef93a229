import type { Candidate, CandidateApplication, CandidateChange, NewCandidate, SavedCandidate } from '../../contract/candidates.ts';
import type { EventType } from '../../contract/events.ts';
import { maxPromptCandidates, maxTemplateVariables } from '../../contract/limits.ts';
import type { Page, PageQuery } from '../../contract/lists.ts';
import type { AppliedProposal } from '../../contract/proposals.ts';
import type { Variable } from '../../contract/variables.ts';
import type { SavedVersion } from '../../contract/versions.ts';
import type { Warning } from '../../contract/warnings.ts';
import { AppError, invalidField, versionNotFound } from '../../errors.ts';
import type { CandidateRecord } from '../../store/prompts/candidates.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { VersionRecord } from '../../store/prompts/version-rows.ts';
import type { WithStore } from '../../store/store.ts';
import { type Actor, toPerson } from '../actor.ts';
import { readPage } from '../cursors.ts';
import { newId, toStorable } from '../ids.ts';
import { changePrompts, type PromptChangeStores, type WithChanges } from '../prompts/change-prompts.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { mergeVariablesOfPage } from '../prompts/versions/present-version.ts';
import { findDraftWarnings, prepareVersion, toSavedVersion, type VersionDraft } from '../prompts/versions/save-version.ts';
import { assertPlainText, parseStoredAnalysis, parseStoredContent, serializeContent } from '../prompts/versions/version-content.ts';
import { appendVersion, promptReplaced } from '../prompts/versions/versions.ts';
import type { WithRecorder } from '../statistics/usage-recorder.ts';
import type { WithTemplates } from '../templates/templates.ts';

/** Identifies a candidate. */
interface CandidateChoice {
  name: string;
  id: string;
}

/** Lists a page of a prompt's candidates, oldest first. */
export async function listCandidates(ctx: WithStore, actor: Actor, name: string, query: PageQuery): Promise<Page<Candidate>> {
  return ctx.store.readSnapshot(actor.workspaceId, async (stores) => {
    const prompt = await getPromptRecord(stores, actor, name);
    const owner = { accountId: actor.workspaceId, promptId: prompt.id };
    const list = (afterId = '', limit: number) => stores.candidates.list(owner, { afterId, limit });
    const page = await readPage(
      'candidates',
      query,
      list,
      (record) => record,
      ({ content }) => content.length,
    );
    const variables = await mergeVariablesOfPage(stores, actor, page.data.map(parseStoredAnalysis));
    return { ...page, data: page.data.map((record, index) => toCandidate(prompt, record, variables[index] ?? [])) };
  });
}

export async function getCandidate(ctx: WithStore, actor: Actor, choice: CandidateChoice): Promise<Candidate> {
  return ctx.store.readSnapshot(actor.workspaceId, async (stores) => {
    const { prompt, record } = await getRecord(stores, actor, choice);
    const [variables = []] = await mergeVariablesOfPage(stores, actor, [parseStoredAnalysis(record)]);
    return toCandidate(prompt, record, variables);
  });
}

export async function createCandidate(
  ctx: WithStore & WithTemplates & WithChanges & WithRecorder,
  actor: Actor,
  name: string,
  { title, baseVersion, ...input }: NewCandidate,
): Promise<SavedCandidate> {
  const { prompt, draft, warnings } = await prepare(ctx, actor, name, { title, ...input });
  const record = await changeCandidates(ctx, actor, prompt, async (stores, owner, { latestVersion }) => {
    if ((await stores.candidates.count(owner)) >= maxPromptCandidates) {
      throw new AppError('quota_exceeded', {
        text: `A prompt can have at most ${maxPromptCandidates} candidates. Apply or delete some first.`,
      });
    }
    const now = new Date().toISOString();
    const by = toPerson(actor);
    const base = baseVersion ?? latestVersion;
    await assertVersion(stores, owner, base);
    const created: CandidateRecord = {
      id: newId('cand'),
      title: title.trim(),
      revision: 1,
      baseVersion: base,
      ...toStoredContent(draft),
      ...{ createdAt: now, createdBy: by, changedAt: now, changedBy: by, authors: [by.userId] },
    };
    await stores.candidates.insert(owner, created);
    tell(stores, actor, prompt, { type: 'candidate.created', record: created });
    return created;
  });
  return { ...toCandidate(prompt, record, draft.includes.variables), warnings };
}

/** Replaces the content of a candidate, unless the candidate has a newer revision than the given one. */
export async function changeCandidate(
  ctx: WithStore & WithTemplates & WithChanges & WithRecorder,
  actor: Actor,
  { name, id, revision, title, baseVersion, ...input }: CandidateChange & CandidateChoice,
): Promise<SavedCandidate> {
  const { prompt, draft, warnings } = await prepare(ctx, actor, name, { title, ...input });
  const record = await changeCandidates(ctx, actor, prompt, async (stores, owner) => {
    const before = await getCurrent(stores, owner, { id, revision });
    const by = toPerson(actor);
    if (baseVersion !== undefined) await assertVersion(stores, owner, baseVersion);
    const changed: CandidateRecord = {
      ...before,
      title: title.trim(),
      revision: before.revision + 1,
      baseVersion: baseVersion ?? before.baseVersion,
      ...toStoredContent(draft),
      ...{ changedAt: new Date().toISOString(), changedBy: by, authors: [...new Set([...before.authors, by.userId])] },
    };
    await stores.candidates.update(owner, before, changed);
    tell(stores, actor, prompt, { type: 'candidate.changed', record: changed });
    return changed;
  });
  return { ...toCandidate(prompt, record, draft.includes.variables), warnings };
}

export async function deleteCandidate(ctx: WithStore & WithChanges, actor: Actor, choice: CandidateChoice): Promise<void> {
  await changePrompts(ctx, actor, async (stores, actor) => {
    const { prompt, owner, record } = await getRecord(stores, actor, choice);
    await stores.candidates.delete(owner, record);
    await stores.comments.deleteOfCandidate(owner, record.id);
    tell(stores, actor, prompt, { type: 'candidate.deleted', record });
  });
}

/** Makes a version from a candidate, which is then deleted. */
export async function applyCandidate(
  ctx: WithStore & WithTemplates & WithChanges & WithRecorder,
  actor: Actor,
  { name, id, revision, labels }: CandidateApplication & CandidateChoice,
  { isStrict = false } = {},
): Promise<SavedVersion> {
  const candidate = await prepareCandidate(ctx, actor, { name, id, labels }, { isStrict });
  return changePrompts(ctx, actor, async (stores, actor) => {
    if (candidate.record.revision !== revision) throw new AppError('candidate_changed');
    const version = await takeCandidate(stores, actor, candidate);
    return { ...toSavedVersion(candidate.prompt, version, candidate.draft), warnings: candidate.warnings };
  });
}

/** A candidate that was analyzed before the transaction. */
export interface CandidateDraft {
  prompt: PromptRecord;
  record: CandidateRecord;
  draft: VersionDraft;
  warnings: Warning[];
}

/** Analyzes a candidate before the transaction that makes a version of it. */
export async function prepareCandidate(
  ctx: WithStore & WithTemplates & WithRecorder,
  actor: Actor,
  { name, id, labels }: CandidateChoice & Pick<CandidateApplication, 'labels'>,
  { isStrict = false } = {},
): Promise<CandidateDraft> {
  const found = await getRecord(ctx.store.read(actor.workspaceId), actor, { name, id });
  return { ...found, ...(await prepare(ctx, actor, name, { ...toInput(found), labels }, { isStrict })) };
}

/**
 * Makes a version from a candidate inside a transaction, if the candidate has not changed since it was analyzed. The author of the version
 * is whoever last changed the candidate, and everyone else who changed it is recorded. If a version was saved after the candidate was
 * started, nothing changes, so that nobody's work is overwritten unnoticed.
 */
export async function takeCandidate(
  stores: PromptChangeStores,
  actor: Actor,
  { prompt, record, draft }: CandidateDraft,
  proposal?: AppliedProposal,
): Promise<VersionRecord> {
  const current = await getPromptRecord(stores, actor, prompt.name);
  if (current.id !== prompt.id) throw promptReplaced();
  const owner = { accountId: actor.workspaceId, promptId: prompt.id };
  const { baseVersion, changedBy, authors } = await getCurrent(stores, owner, record);
  const version = await appendVersion(stores, actor, current, { draft, baseVersion, author: changedBy, authors, proposal });
  await stores.candidates.delete(owner, record);
  await stores.comments.moveToVersion(owner, { candidateId: record.id, version: version.version });
  tell(stores, actor, prompt, { type: 'candidate.deleted', record, version: version.version });
  return version;
}

/** Validates and analyzes content before the transaction, in the same way as the content of a version. */
async function prepare(
  ctx: WithStore & WithTemplates & WithRecorder,
  actor: Actor,
  name: string,
  { title, ...input }: Omit<NewCandidate, 'baseVersion'> & Pick<CandidateApplication, 'labels'>,
  { isStrict = false } = {},
) {
  assertPlainText('/title', title);
  if (title.trim() === '') throw invalidField('/title', 'Enter a title');
  const prompt = await getPromptRecord(ctx.store, actor, name);
  const draft = await prepareVersion(ctx, actor, prompt.name, { ...input, type: prompt.type });
  return { prompt, draft, warnings: await findDraftWarnings(ctx, actor, draft, { promptId: prompt.id, name: prompt.name, isStrict }) };
}

/** Changes the candidates of a prompt that was read before the transaction. */
async function changeCandidates<T>(
  ctx: WithStore & WithChanges,
  actor: Actor,
  { id, name }: PromptRecord,
  change: (stores: PromptChangeStores, owner: { accountId: string; promptId: string }, prompt: PromptRecord) => Promise<T>,
): Promise<T> {
  return changePrompts(ctx, actor, async (stores, actor) => {
    const prompt = await getPromptRecord(stores, actor, name);
    if (prompt.id !== id) throw promptReplaced();
    return change(stores, { accountId: actor.workspaceId, promptId: id }, prompt);
  });
}

async function getRecord(stores: Pick<PromptStores, 'prompts' | 'candidates'>, actor: Actor, { name, id }: CandidateChoice) {
  const prompt = await getPromptRecord(stores, actor, name);
  const owner = { accountId: actor.workspaceId, promptId: prompt.id };
  const record = await stores.candidates.find(owner, toStorable(id));
  if (!record) throw new AppError('candidate_not_found');
  return { prompt, owner, record };
}

/** Returns a candidate if it still has this revision. */
async function getCurrent(
  { candidates }: Pick<PromptStores, 'candidates'>,
  owner: { accountId: string; promptId: string },
  { id, revision }: { id: string; revision: number },
): Promise<CandidateRecord> {
  const record = await candidates.find(owner, toStorable(id));
  if (!record) throw new AppError('candidate_not_found');
  if (record.revision !== revision) throw new AppError('candidate_changed');
  return record;
}

async function assertVersion(
  { versions }: Pick<PromptStores, 'versions'>,
  { accountId, promptId }: { accountId: string; promptId: string },
  number: number,
): Promise<void> {
  if (!(await versions.find(accountId, promptId, number))) throw versionNotFound(number);
}

function toStoredContent({ content, config, message, analysis }: VersionDraft) {
  return {
    ...{ syntax: content.syntax, content: serializeContent(content), config, message },
    ...{ variables: JSON.stringify(analysis.variables), partials: JSON.stringify(analysis.partials) },
  } satisfies Partial<CandidateRecord>;
}

/** Returns a stored candidate as the input that it was made of. */
function toInput({ prompt, record }: { prompt: PromptRecord; record: CandidateRecord }) {
  const { type: _, ...content } = parseStoredContent(prompt.type, record);
  return { title: record.title, ...content, config: JSON.parse(record.config) as unknown, message: record.message };
}

function toCandidate({ name, type }: PromptRecord, record: CandidateRecord, variables: Variable[]): Candidate {
  const { id, title, revision, baseVersion, createdAt, createdBy, changedAt, changedBy, message } = record;
  const { type: _, ...content } = parseStoredContent(type, record);
  return {
    ...{ id, title, revision, name, type },
    ...content,
    ...{
      variables: variables.slice(0, maxTemplateVariables),
      config: JSON.parse(record.config),
      message,
      baseVersion,
      createdAt,
      createdBy,
      changedAt,
      changedBy,
    },
  };
}

/** Adds an event about a candidate. The prompt's history does not mention candidates, only the versions that are made from them. */
function tell(
  { events }: PromptChangeStores,
  actor: Actor,
  { id, name }: PromptRecord,
  { type, record, version }: { type: EventType; record: CandidateRecord; version?: number },
): void {
  const detail = JSON.stringify({ candidate: { id: record.id, title: record.title, revision: record.revision }, version });
  events.add({ type, at: new Date().toISOString(), by: toPerson(actor), prompt: { id, name }, detail });
}
