import { randomUUID } from 'node:crypto';
import type { BrowserFeedback, CommentPage, CommentQuery, Feedback, FeedbackToken, FeedbackTokenRequest } from '../../contract/feedback.ts';
import { productionLabel } from '../../contract/label-names.ts';
import type { AssignedRelease } from '../../contract/release-assignment.ts';
import { AppError, versionNotFound } from '../../errors.ts';
import type { PromptOwner } from '../../store/prompts/prompt-owner.ts';
import type { ReleaseRecord } from '../../store/prompts/releases.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { readPage } from '../cursors.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { isActive } from '../releases/release-choice.ts';
import { assignByWeights, hashUnit, isSettled, toUnit } from '../releases/release-units.ts';
import type { WithKeyring } from '../secrets/keyring.ts';
import { hourOf } from '../statistics/counters.ts';
import type { WithRecorder } from '../statistics/usage-recorder.ts';
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
  /** Set if the score counts for a release. */
  release?: TokenRelease | undefined;
  expiresAt: number;
}

/** The release that chose the version of a feedback token by the caller's key. */
interface TokenRelease {
  id: string;
  label: string;
  /** The hash of the key. */
  hash: string;
}

/** Counts the feedback of a program on a call, or on a version. */
export async function addFeedback(ctx: WithStore & WithResults & WithRecorder, actor: Actor, feedback: Feedback): Promise<void> {
  const { prompt: name, version, traceId, responseId, key, ...score } = feedback;
  const label = feedback.label ?? (version === undefined ? productionLabel : undefined);
  const { id: promptId, name: prompt, latestVersion } = await getPromptRecord(ctx.store, actor, name);
  if (version !== undefined && version > latestVersion) throw versionNotFound(version);
  const rated = version !== undefined || (traceId ?? responseId) === undefined ? undefined : { traceId, responseId };
  const found = rated ? undefined : await findReleaseOfKey(ctx, { accountId: actor.workspaceId, promptId }, { label, version, key });
  const unit = found && isSettled(found.release, Date.now()) ? toUnit(found.release, found) : undefined;
  await addScore(ctx, actor.workspaceId, { ...score, prompt, version: version ?? found?.version, label, rated, unit });
}

/**
 * Finds the release that gives a key its version. Returns undefined if there is no such release, or if it gives the key a version other
 * than the given one.
 */
async function findReleaseOfKey(
  { store }: WithStore,
  owner: PromptOwner,
  { label = productionLabel, version, key }: { label: string | undefined; version: number | undefined; key: string | undefined },
): Promise<{ release: ReleaseRecord; version: number; hash: string } | undefined> {
  const release = key === undefined ? undefined : await store.releases.find(owner, label);
  if (key === undefined || !isActive(release)) return undefined;
  const assigned = assignByWeights(release, key);
  if (version !== undefined && version !== assigned) return undefined;
  return { release, version: assigned, hash: hashUnit(release.split.id, key) };
}

/**
 * Counts the feedback that a browser sends with a token. Everyone who opens the page has the token. Feedback from browsers therefore has
 * separate limits, and cannot use up the limits of the workspace's programs.
 */
export async function addBrowserFeedback(
  ctx: WithStore & WithResults & WithRecorder & WithKeyring,
  { token, id, comment, ...score }: BrowserFeedback,
): Promise<void> {
  const grant = readToken(ctx, token);
  const { workspaceId, promptId, version, label } = grant;
  const names = await ctx.store.statistics.findPromptNames(workspaceId, [promptId]);
  const prompt = names.get(promptId);
  // The prompt or its workspace was deleted permanently.
  if (prompt === undefined) throw new AppError('invalid_feedback_token');
  const hour = hourOf(Date.now());
  const isAdmitted = (kind: 'browserIds' | 'browserComments', key: string) => ctx.results.limits(kind, hour, workspaceId, key);
  // A browser chooses its ids, so they must not collide with the ids of another prompt's feedback or of a program.
  const ownId = id === undefined ? undefined : `browser\n${promptId}\n${id}`;
  if (ownId !== undefined && !isAdmitted('browserIds', ownId)) throw new AppError('rate_limited', { text: tooManyIds, retryAfterSeconds });
  const isKept = comment !== undefined && isAdmitted('browserComments', randomUUID());
  const kept = { ...score, id: ownId, comment: isKept ? comment : undefined };
  await addScore(ctx, workspaceId, { ...kept, prompt, version, label, unit: await findUnit(ctx, grant) }, { isBrowser: true });
}

/** Finds the unit of a token. Returns undefined if the weights may have changed since the token was created. */
async function findUnit({ store }: WithStore, { workspaceId, promptId, version, release: named, expiresAt }: FeedbackGrant) {
  const release = named && (await store.releases.find({ accountId: workspaceId, promptId }, named.label));
  if (!isActive(release) || release.split.id !== named?.id || !isSettled(release, expiresAt - tokenLifetimeMs)) return undefined;
  return toUnit(release, { version, hash: named.hash });
}

const tooManyIds = 'Browsers sent too much feedback with an id within an hour. Feedback without an id is still accepted.';
const retryAfterSeconds = 60;

/** A score that exceeds a limit, or whose prompt was deleted in the meantime, is dropped and counted as dropped. */
async function addScore(
  ctx: WithStore & WithResults & WithRecorder,
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
  { prompt: name, version, label, key }: FeedbackTokenRequest,
): Promise<FeedbackToken> {
  const { id: promptId, latestVersion } = await getPromptRecord(store, actor, name);
  const owner = { accountId: actor.workspaceId, promptId };
  const labels = version === undefined ? await store.labels.list(actor.workspaceId, promptId) : undefined;
  const wanted = label ?? (version === undefined ? productionLabel : undefined);
  const found = await findReleaseOfKey({ store }, owner, { label: wanted, version, key });
  const rated = version ?? found?.version ?? labels?.get(wanted ?? '');
  if (rated === undefined) throw new AppError('label_not_found');
  if (rated > latestVersion) throw versionNotFound(rated);
  const release = found && { id: found.release.split.id, label: found.release.label, hash: found.hash };
  return sealToken({ keyring }, { workspaceId: actor.workspaceId, promptId, version: rated, label: wanted, release });
}

/** Returns the release for the token of a version. Returns undefined if the version was not chosen by the caller's key. */
export function toTokenRelease(
  label: string | undefined,
  release: AssignedRelease | undefined,
  key: string | undefined,
): TokenRelease | undefined {
  if (label === undefined || key === undefined || release?.reason !== 'SPLIT') return undefined;
  return { id: release.id, label, hash: hashUnit(release.id, key) };
}

/** Creates a token for a version. */
export function sealToken(
  { keyring }: WithKeyring,
  { workspaceId, promptId, version, label, release }: Omit<FeedbackGrant, 'expiresAt'>,
): FeedbackToken {
  const expiresAt = Date.now() + tokenLifetimeMs;
  const grant: FeedbackGrant = { workspaceId, promptId, version, label, release, expiresAt };
  const token = tokenPrefix + keyring.seal(JSON.stringify(grant), tokenOwner);
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
