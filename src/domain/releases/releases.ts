import { maxReleaseUnits, maxRulesCharacters } from '../../contract/limits.ts';
import type { AppliedProposal, NewProposal } from '../../contract/proposals.ts';
import { fullWeight, type Rule, type Split } from '../../contract/release-assignment.ts';
import type { NewRelease, ProposedRelease, ReleaseChange, ReleaseFields, ReleaseFinish, SavedRelease } from '../../contract/releases.ts';
import type { Warning } from '../../contract/warnings.ts';
import { AppError, invalidField, versionNotFound } from '../../errors.ts';
import type { PromptOwner } from '../../store/prompts/prompt-owner.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { ReleasePlan, ReleaseRecord } from '../../store/prompts/releases.ts';
import type { WithStore } from '../../store/store.ts';
import { type Actor, toPerson } from '../actor.ts';
import { newId } from '../ids.ts';
import { changePrompts, type PromptChangeStores, type WithChanges } from '../prompts/change-prompts.ts';
import { toAuthor } from '../prompts/history.ts';
import { authorizeMove, findWideningError, hasApprovals, type Override } from '../prompts/labels/authorize-move.ts';
import { assertMovable, inspectMove, putLabel } from '../prompts/labels/labels.ts';
import { assertNoWarnings } from '../prompts/labels/move-warnings.ts';
import { assertLabelsAllowed } from '../prompts/labels/protected-labels.ts';
import { getPromptRecord } from '../prompts/prompt-records.ts';
import { assertPlainText } from '../prompts/versions/version-content.ts';
import type { WithRecorder } from '../statistics/usage-recorder.ts';
import { isActive, versionsOf } from './release-choice.ts';
import { toPlan } from './release-plan.ts';
import { applyTransition, assertNoRelease, assertRoom, recordRelease, toRelease } from './release-states.ts';

/** The label of a prompt. */
export interface LabelOfPrompt {
  name: string;
  label: string;
}

/** Returns the last release of a label. The release may have ended. */
export async function getRelease({ store }: WithStore, actor: Actor, { name, label }: LabelOfPrompt): Promise<ReleaseRecord> {
  const { id: promptId } = await getPromptRecord(store, actor, name);
  return getRecord(store, { accountId: actor.workspaceId, promptId }, label);
}

/** Starts a release. Returns warnings about what will fail for the callers of its versions, or refuses if the caller is strict. */
export async function startRelease(
  ctx: WithStore & WithChanges & WithRecorder,
  actor: Actor,
  { name, label, isStrict, override, ...input }: NewRelease & LabelOfPrompt & { isStrict: boolean },
): Promise<SavedRelease> {
  assertPlainText('/override', override);
  const plan = parseRelease(label, input);
  const warnings = await findWarnings(ctx, actor, { name, label, versions: versionsOf(input) });
  if (isStrict) assertNoWarnings(warnings);
  const release = await changePrompts(ctx, actor, async (stores, actor) => {
    const prompt = await getPromptRecord(stores, actor, name);
    return beginRelease(stores, actor, prompt, { label, input, plan, override }).catch((err: unknown) => {
      throw err instanceof AppError && err.code === 'approval_required'
        ? releaseRequiresApproval({ name: prompt.name, label, input })
        : err;
    });
  });
  return { ...toRelease(release), warnings };
}

/** Validates the fields that do not depend on the prompt, and returns the plan of the release. */
export function parseRelease(label: string, input: ProposedRelease): ReleasePlan {
  assertMovable('/label', label);
  assertSplit(input);
  const plan = toPlan(input);
  assertReachable(input.arms, plan);
  return plan;
}

/** Creates the error for a label that requires proposals. The error contains the proposal of the whole release. */
function releaseRequiresApproval({ name, label, input: release }: LabelOfPrompt & { input: ProposedRelease }): AppError {
  const proposal: NewProposal = { changes: [{ prompt: name, label, release }] };
  const text = `Moving the label "${label}" requires a proposal. Propose the release with POST /api/proposals.`;
  return new AppError('approval_required', { text, proposal });
}

interface NewStart {
  label: string;
  input: ProposedRelease;
  plan: ReleasePlan;
  /** The proposal that starts the release. */
  proposal?: AppliedProposal;
  /** How the release was approved, if the label has a rule. */
  approved?: ReleasePlan['approved'];
  override?: string | undefined;
}

/** Starts a release inside a transaction. */
export async function beginRelease(
  stores: PromptChangeStores,
  actor: Actor,
  prompt: PromptRecord,
  { label, input, plan, proposal, approved, override: reason }: NewStart,
): Promise<ReleaseRecord> {
  const { control, arms, rules = [] } = input;
  const owner = { accountId: actor.workspaceId, promptId: prompt.id };
  assertLabelsAllowed(stores, actor, { labels: [label], to: 'start a release on it' });
  await assertNoRelease(stores, owner, label);
  await assertRoom(stores, actor.workspaceId);
  await assertVersions(stores, owner, versionsOf(input));
  const labels = await stores.labels.list(actor.workspaceId, prompt.id);
  await putLabel(stores, actor, { ...prompt, labels }, { label, version: control, by: 'move', proposal, override: reason });
  const isApproved = proposal !== undefined;
  const override = await assertArmsAllowed(stores, actor, { prompt, label, arms, isApproved, override: reason });
  const now = new Date().toISOString();
  const id = newId('rel');
  const times = { startedAt: now, startedBy: toPerson(actor), changedAt: now, endedAt: null };
  const split: Split = { id, salt: id, control, arms, rules };
  const authorized = { ...plan, approved, ...(override && { isOverridden: true as const }) };
  const started: ReleaseRecord = { ...owner, label, state: 'running', cause: null, split, plan: authorized, stage: 1, ...times };
  await stores.releases.put(started);
  recordRelease(stores, toAuthor(actor), { prompt, release: started, type: 'started', override, proposal });
  await touch(stores, actor, prompt);
  return started;
}

/** Widens, pauses or resumes a release. A change that changes nothing is not recorded. */
export async function changeRelease(
  ctx: WithStore & WithChanges,
  actor: Actor,
  { name, label, state, arms }: ReleaseChange & LabelOfPrompt,
): Promise<ReleaseFields> {
  return changeActive(ctx, actor, { name, label, to: 'change its release' }, async (stores, author, { prompt, release }) => {
    const change = { prompt, release };
    const wider = arms && toWider(release.split, arms);
    const error = wider && (await findWideningError(stores, change));
    if (error) throw error;
    if (wider) change.release = await applyTransition(stores, author, { ...change, transition: { type: 'widened', arms: wider } });
    if (state === undefined || state === change.release.state) return change.release;
    if (state === 'running') await assertRoom(stores, author.workspaceId);
    const transition = state === 'paused' ? ({ type: 'paused', cause: 'person' } as const) : ({ type: 'resumed' } as const);
    return applyTransition(stores, author, { ...change, transition });
  });
}

/** Ends a release. All callers get the control again. */
export async function rollBackRelease(ctx: WithStore & WithChanges, actor: Actor, choice: LabelOfPrompt): Promise<void> {
  await changeActive(ctx, actor, { ...choice, to: 'roll back its release' }, (stores, author, change) =>
    applyTransition(stores, author, { ...change, transition: { type: 'rolled_back', cause: 'person' } }),
  );
}

/** Ends a release by moving the label to one of its versions. The same rules apply as for every move of a label. */
export async function finishRelease(
  ctx: WithStore & WithChanges,
  actor: Actor,
  { version, override, ...choice }: ReleaseFinish & LabelOfPrompt,
): Promise<ReleaseFields> {
  assertPlainText('/override', override);
  return changeActive(ctx, actor, { ...choice, to: 'finish its release' }, async (stores, author, { prompt, release }, actor) => {
    if (!versionsOf(release.split).includes(version)) throw invalidField('/version', 'Use the version of an arm or of the control');
    const finished = await applyTransition(stores, author, { prompt, release, transition: { type: 'finished', to: version } });
    const labels = await stores.labels.list(actor.workspaceId, prompt.id);
    const { approved } = release.plan;
    const proposal = approved && hasApprovals(stores, release.label, approved) ? { id: approved.proposal } : undefined;
    await putLabel(stores, actor, { ...prompt, labels }, { label: release.label, version, by: 'move', proposal, override });
    return finished;
  });
}

/** Ends a release with the arm to which an approved proposal moves its label. Runs inside the transaction that moves the label. */
export async function finishWith(
  stores: PromptChangeStores,
  actor: Actor,
  prompt: PromptRecord,
  { label, version }: { label: string; version: number },
): Promise<void> {
  const release = await stores.releases.find({ accountId: actor.workspaceId, promptId: prompt.id }, label);
  if (!isActive(release) || !release.split.arms.some((arm) => arm.version === version)) return;
  await applyTransition(stores, toAuthor(actor), { prompt, release, transition: { type: 'finished', to: version } });
}

/** Changes a release that has not ended. Returns the changed release. */
async function changeActive(
  ctx: WithStore & WithChanges,
  actor: Actor,
  { name, label, to }: LabelOfPrompt & { to: string },
  change: (
    stores: PromptChangeStores,
    author: ReturnType<typeof toAuthor>,
    found: { prompt: PromptRecord; release: ReleaseRecord },
    actor: Actor,
  ) => Promise<ReleaseRecord>,
): Promise<ReleaseFields> {
  const release = await changePrompts(ctx, actor, async (stores, actor) => {
    const prompt = await getPromptRecord(stores, actor, name);
    assertLabelsAllowed(stores, actor, { labels: [label], to });
    const release = await getRecord(stores, { accountId: actor.workspaceId, promptId: prompt.id }, label);
    if (!isActive(release)) throw new AppError('release_ended');
    const changed = await change(stores, toAuthor(actor), { prompt, release }, actor);
    if (changed !== release) await touch(stores, actor, prompt);
    return changed;
  });
  return toRelease(release);
}

async function getRecord({ releases }: Pick<PromptStores, 'releases'>, owner: PromptOwner, label: string): Promise<ReleaseRecord> {
  const release = await releases.find(owner, label);
  if (!release) throw new AppError('release_not_found');
  return release;
}

function touch({ prompts }: Pick<PromptStores, 'prompts'>, { workspaceId }: Actor, { id }: PromptRecord): Promise<void> {
  return prompts.update(workspaceId, id, { updatedAt: new Date().toISOString() });
}

async function assertVersions(
  { versions }: Pick<PromptStores, 'versions'>,
  { accountId, promptId }: PromptOwner,
  numbers: number[],
): Promise<void> {
  for (const number of numbers) if (!(await versions.find(accountId, promptId, number))) throw versionNotFound(number);
}

/** Checks the rules of the label for each arm. Returns the reason if a rule was overridden. */
async function assertArmsAllowed(
  stores: PromptChangeStores,
  actor: Actor,
  { arms, ...move }: { prompt: PromptRecord; label: string; arms: Split['arms']; isApproved: boolean; override: string | undefined },
): Promise<Override | undefined> {
  let reason: Override | undefined;
  for (const { version } of arms) reason = (await authorizeMove(stores, actor, { ...move, version, by: 'move' })) ?? reason;
  return reason;
}

/** Finds what would fail for callers if they got these versions. */
async function findWarnings(
  ctx: WithStore & WithRecorder,
  actor: Actor,
  { name, label, versions }: LabelOfPrompt & { versions: number[] },
): Promise<Warning[]> {
  const found: Warning[] = [];
  for (const version of versions) found.push(...(await inspectMove(ctx, actor, { name, labels: [label], version })).warnings);
  return [...new Map(found.map((warning) => [JSON.stringify(warning), warning])).values()];
}

/** Throws if a release cannot divide callers in this way. */
export function assertSplit({ control, arms, rules = [] }: Pick<NewRelease, 'control' | 'arms' | 'rules'>): void {
  assertArms(control, arms);
  assertRules({ control, arms }, rules);
}

/** Throws if a version will never have `minUnits` units, because its share of the units that are kept is too small. */
function assertReachable(arms: Split['arms'], { steps, minUnits }: ReleasePlan): void {
  // After the last step, no more units are needed. An arm with the weight 0 has no units until a person widens it.
  const weights = [arms[0]?.weight ?? 0, ...steps].slice(0, steps.length).filter((weight) => weight > 0 && weight < fullWeight);
  const share = Math.min(1, ...weights.map((weight) => Math.min(weight, fullWeight - weight) / fullWeight));
  // The number of units varies, so twice as many have to be expected.
  const most = Math.floor((share * maxReleaseUnits) / 2);
  if (weights.length === 0 || minUnits <= most) return;
  const percent = `${Number((share * 100).toFixed(2))}%`;
  const text = `Use at most ${most}, or a larger share. Up to ${maxReleaseUnits} units are kept per step, so a version with ${percent} of the keys may never reach ${minUnits}`;
  throw invalidField('/minUnits', text);
}

function assertArms(control: number, arms: Split['arms']): void {
  const seen = new Set([control]);
  for (const [index, { version }] of arms.entries()) {
    const path = `/arms/${index}/version`;
    if (version === control) throw invalidField(path, 'An arm must not be the control');
    if (seen.has(version)) throw invalidField(path, 'List each version once');
    seen.add(version);
  }
  assertWeights(arms);
}

function assertWeights(arms: Split['arms']): void {
  const sum = arms.reduce((total, { weight }) => total + weight, 0);
  if (sum > fullWeight) throw invalidField('/arms', `The weights can add up to at most ${fullWeight}, but add up to ${sum}.`);
}

function assertRules(split: Pick<Split, 'control' | 'arms'>, rules: Rule[]): void {
  if (JSON.stringify(rules).length > maxRulesCharacters)
    throw invalidField('/rules', `Use at most ${maxRulesCharacters} characters of JSON`);
  for (const [index, rule] of rules.entries()) {
    if (!versionsOf(split).includes(rule.version))
      throw invalidField(`/rules/${index}/version`, 'Use the version of an arm or of the control');
    for (const [name, values] of Object.entries(rule.if)) {
      if (name === '' || name.length > 100) throw invalidField(`/rules/${index}/if`, 'Use names of 1 to 100 characters');
      for (const text of [name, ...values]) assertPlainText(`/rules/${index}/if`, text);
    }
  }
}

/** Returns the arms with new weights, in their order, or undefined if no weight changes. Throws if a weight becomes smaller. */
function toWider({ arms }: Split, wanted: Split['arms']): Split['arms'] | undefined {
  const weights = new Map(wanted.map(({ version, weight }) => [version, weight]));
  if (weights.size !== arms.length || wanted.length !== arms.length || !arms.every(({ version }) => weights.has(version))) {
    throw invalidField('/arms', 'List the same versions as the release. Other versions need a new release.');
  }
  const wider = arms.map(({ version, weight }) => ({ version, weight: weights.get(version) ?? weight }));
  assertWeights(wider);
  const smaller = wider.find(({ weight }, index) => weight < (arms[index]?.weight ?? 0));
  if (smaller) {
    const text = `The weight of version ${smaller.version} must not become smaller. To give all callers the control again, roll back the release.`;
    throw invalidField('/arms', text);
  }
  return wider.some(({ weight }, index) => weight !== arms[index]?.weight) ? wider : undefined;
}
