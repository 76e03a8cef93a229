import { randomUUID } from 'node:crypto';
import type { BrowserFeedback, CommentPage, CommentQuery, Feedback, FeedbackToken, FeedbackTokenRequest } from '../../contract/feedback.ts';
import { productionLabel } from '../../contract/label-names.ts';
import { AppError, versionNotFound } from '../../errors.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { readPage } from '../cursors.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { hourOf } from '../statistics/counters.ts';
import { recordReport } from './record.ts';
import { emptyReport, type ReportedScore } from './report.ts';
import type { WithResults } from './result-recorder.ts';

const tokenPrefix = 'pf_';
const tokenOwner = 'feedback';
const tokenLifetimeMs = 24 * 60 * 60 * 1000;

/** The permission that a feedback token gives: to rate one version of a prompt until the token expires. */
interface FeedbackGrant {
  workspaceId: string;
  promptId: string;
  version: number;
  label: string | undefined;
  expiresAt: number;
}

/** Counts the feedback of a program on a call, or on a version. */
export async function addFeedback(ctx: WithStore & WithResults, actor: Actor, feedback: Feedback): Promise<void> {
  const { prompt: name, version, traceId, responseId, key: _, ...score } = feedback;
  const label = feedback.label ?? (version === undefined ? productionLabel : undefined);
  const { name: prompt, latestVersion } = await getPromptRecord(ctx.store, actor, name);
  if (version !== undefined && version > latestVersion) throw versionNotFound(version);
  const rated = version !== undefined || (traceId ?? responseId) === undefined ? undefined : { traceId, responseId };
  await addScore(ctx, actor.workspaceId, { ...score, prompt, version, label, rated });
}

/**
 * Counts the feedback that a browser sends with a token. Everybody who opens the page has the token. Feedback from browsers therefore has
 * separate limits, and cannot use up the limits of the workspace's programs.
 */
export async function addBrowserFeedback(
  ctx: WithStore & WithResults & WithKeyring,
  { token, id, comment, ...score }: BrowserFeedback,
): Promise<void> {
  const { workspaceId, promptId, version, label } = readToken(ctx, token);
  const names = await ctx.store.statistics.findPromptNames(workspaceId, [promptId]);
  const prompt = names.get(promptId);
  // The prompt or its workspace was deleted permanently.
  if (prompt === undefined) throw new AppError('invalid_feedback_token');
  const hour = hourOf(Date.now());
  const isAdmitted = (kind: 'browserIds' | 'browserComments', key: string) => ctx.results.limits(kind, hour, workspaceId, key);
  // A browser chooses its ids, so they must not be those of another prompt's feedback or of a program.
  const ownId = id === undefined ? undefined : `browser\n${promptId}\n${id}`;
  if (ownId !== undefined && !isAdmitted('browserIds', ownId)) throw new AppError('rate_limited', { text: tooManyIds, retryAfterSeconds });
  const isKept = comment !== undefined && isAdmitted('browserComments', randomUUID());
  const kept = { ...score, id: ownId, comment: isKept ? comment : undefined };
  await addScore(ctx, workspaceId, { ...kept, prompt, version, label }, { isBrowser: true });
}

const tooManyIds = 'Browsers sent too much feedback with an id within an hour. Feedback without an id is still accepted.';
const retryAfterSeconds = 60;

/** A score that exceeds a limit, or whose prompt was deleted in the meantime, is dropped and counted as dropped. */
async function addScore(
  ctx: WithStore & WithResults,
  workspaceId: string,
  score: ReportedScore,
  from?: { isBrowser: boolean },
): Promise<void> {
  await recordReport(ctx, { workspaceId }, { ...emptyReport(), scores: [score] }, from);
}

/** Creates a token with which a browser can rate a version for 24 hours. */
export async function createFeedbackToken(
  { store, keyring }: WithStore & WithKeyring,
  actor: Actor,
  { prompt: name, version, label }: FeedbackTokenRequest,
): Promise<FeedbackToken> {
  const { id: promptId, latestVersion } = await getPromptRecord(store, actor, name);
  const labels = version === undefined ? await store.labels.list(actor.workspaceId, promptId) : undefined;
  const wanted = label ?? (version === undefined ? productionLabel : undefined);
  const rated = version ?? labels?.get(wanted ?? '');
  if (rated === undefined) throw new AppError('label_not_found');
  if (rated > latestVersion) throw versionNotFound(rated);
  return sealToken({ keyring }, { workspaceId: actor.workspaceId, promptId, version: rated, label: wanted });
}

/** Creates a token for a version. */
export function sealToken(
  { keyring }: WithKeyring,
  { workspaceId, promptId, version, label }: Omit<FeedbackGrant, 'expiresAt'>,
): FeedbackToken {
  const expiresAt = Date.now() + tokenLifetimeMs;
  const token =
    tokenPrefix + keyring.seal(JSON.stringify({ workspaceId, promptId, version, label, expiresAt } satisfies FeedbackGrant), tokenOwner);
  return { token, expiresAt: new Date(expiresAt).toISOString() };
}

function readToken({ keyring }: WithKeyring, token: string): FeedbackGrant {
  const text = token.startsWith(tokenPrefix) ? keyring.open(token.slice(tokenPrefix.length), tokenOwner) : undefined;
  // The text was encrypted by `sealToken`.
  const grant = text === undefined ? undefined : (JSON.parse(text) as FeedbackGrant);
  if (!grant || grant.expiresAt < Date.now()) throw new AppError('invalid_feedback_token');
  return grant;
}

/** Lists what people wrote about a prompt, newest first. */
export async function listComments(ctx: WithStore, actor: Actor, name: string, { version, ...page }: CommentQuery): Promise<CommentPage> {
  const { workspaceId: accountId } = actor;
  const { id: promptId } = await getPromptRecord(ctx.store, actor, name);
  const list = (beforeId: string | undefined, limit: number) =>
    ctx.store.statistics.listComments({ accountId, promptId, version }, { beforeId, limit });
  return readPage('comments', page, list, ({ id, at, version: rated, label, name: score, value, comment }) => ({
    ...{ id, at, version: rated || null, label: label || null },
    ...{ name: score, value, comment },
  }));
}
