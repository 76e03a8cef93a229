import { randomUUID } from 'node:crypto';
import {
  labelPattern,
  maxCategoryLength,
  maxCommentLength,
  maxErrorTypeLength,
  maxModelNameLength,
  maxScoreNameLength,
  maxScoreValue,
} from '../../contract/limits.ts';
import type { DropReason } from '../../contract/results.ts';
import type { ReportedPrompt } from '../../store/prompts/reported-prompts.ts';
import type { CallEnd, CalledVersion, CountedScore } from '../../store/statistics/result-batch.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { toStorable } from '../ids.ts';
import { hourOf } from '../statistics/counters.ts';
import type { WithRecorder } from '../statistics/usage-recorder.ts';
import { toCallRef, toRatedRef, toRef } from './call-refs.ts';
import { createUnitFinder } from './call-units.ts';
import type { NameKind } from './name-limits.ts';
import { createPriceFinder } from './prices.ts';
import { emptyReport, type Report, type ReportedCall, type ReportedEnd, type ReportedScore } from './report.ts';
import type { Dropped, Measured } from './result-counters.ts';
import type { Recording, WithResults } from './result-recorder.ts';

/** The maximum number of prompts that one report names. */
const maxPrompts = 500;
const maxAgeMs = 24 * 60 * 60 * 1000;
const other = 'other';
/** The maximum number of calls, of ends and of scores that are recorded together. */
const partSize = 500;

/**
 * Counts what a program reports. Returns how many calls and scores were counted (now or earlier), how many name something unknown, and a
 * hint if some calls do not count for a release because they do not name it. Reports from browsers wait in a separate queue, so that they
 * do not delay the reports of the workspace's programs.
 */
export async function recordReport(
  ctx: WithStore & WithResults & WithRecorder,
  { workspaceId }: Pick<Actor, 'workspaceId'>,
  report: Report,
  { isBrowser = false }: { isBrowser?: boolean } = {},
): Promise<{ accepted: number; dropped: number; hint?: string }> {
  const tenant = isBrowser ? `${workspaceId} browser` : workspaceId;
  const release = ctx.results.reserve(tenant, report.calls.length + report.ends.length + report.scores.length);
  const sum = { accepted: 0, dropped: 0, unreleased: 0 };
  try {
    for (const part of splitReport(report)) {
      const { accepted, dropped, unreleased } = await recordPart(ctx, { workspaceId, tenant, isBrowser }, part);
      sum.accepted += accepted;
      sum.dropped += dropped;
      sum.unreleased += unreleased;
    }
    const { unreleased, ...receipt } = sum;
    return unreleased === 0 ? receipt : { ...receipt, hint: describeUnreleased(unreleased) };
  } finally {
    release();
  }
}

function describeUnreleased(calls: number): string {
  const subject = calls === 1 ? '1 call has' : `${calls} calls have`;
  return `${subject} a key, but not the id of the running release, and therefore ${calls === 1 ? 'does' : 'do'} not count for the release. If the response that contained the prompt had the reason SPLIT, also report the id of the release.`;
}

/**
 * Splits a report into parts, with its scores after its calls. Other requests are served between the parts. Each part counts only new
 * items, so a report that is sent again because only some parts were recorded still counts once.
 */
function* splitReport({ calls, ends, scores, unnamed, invalid }: Report): Generator<Report> {
  yield { ...emptyReport(), calls: calls.slice(0, partSize), unnamed, invalid };
  for (let start = partSize; start < calls.length; start += partSize) {
    yield { ...emptyReport(), calls: calls.slice(start, start + partSize) };
  }
  for (let start = 0; start < Math.max(ends.length, scores.length); start += partSize) {
    yield { ...emptyReport(), ends: ends.slice(start, start + partSize), scores: scores.slice(start, start + partSize) };
  }
}

async function recordPart(
  ctx: WithStore & WithResults & WithRecorder,
  { workspaceId, tenant, isBrowser }: { workspaceId: string; tenant: string; isBrowser: boolean },
  report: Report,
): Promise<{ accepted: number; dropped: number; unreleased: number }> {
  const prompts = await findPrompts(ctx, workspaceId, report);
  const findCost = await createPriceFinder(ctx, workspaceId, report);
  const units = await createUnitFinder(ctx, workspaceId, report.calls, (name) => prompts.get(toStorable(name))?.id);
  const now = Date.now();
  const toHour = createHourFormat();
  const names = createNames(ctx, { accountId: workspaceId, isBrowser }, now);
  const drops = new Map<DropReason, number>([
    ['no_prompt', report.unnamed],
    ['invalid', report.invalid],
  ]);
  const drop = (reason: DropReason) => void drops.set(reason, (drops.get(reason) ?? 0) + 1);

  let unreleased = 0;
  const recording: Recording = { calls: [], ends: [], scores: [], dropped: [] };
  for (const call of report.calls) {
    const called = findVersion(prompts, call);
    if (typeof called === 'string') {
      drop(called);
      continue;
    }
    if (call.key !== undefined) ctx.recorder.countKey({ workspaceId, promptId: called.promptId, key: call.key });
    if (units.lacksRelease(called, call)) unreleased += 1;
    const version = names.toCounted(called, call);
    const startedMs = call.isOpen ? Math.round(call.startedAtMs ?? now) : null;
    const { responseId } = call.identity;
    recording.calls.push({
      call: {
        ...version,
        ...toCallRef(call.identity),
        responseRef: responseId === undefined ? null : toRef('response', responseId),
        startedMs,
        unit: units.find(called, call, now),
      },
      measured: toMeasured(call, version),
    });
  }
  for (const end of report.ends) recording.ends.push(toEnd(end));
  for (const score of report.scores) {
    const counted = toScore(score);
    if (typeof counted === 'string') drop(counted);
    else recording.scores.push(counted);
  }
  for (const [reason, count] of drops) if (count > 0) recording.dropped.push({ accountId: workspaceId, reason, count } satisfies Dropped);
  const accepted = recording.calls.length + recording.ends.length + recording.scores.length;
  if (accepted + recording.dropped.length > 0) await ctx.results.record(tenant, recording);
  return { accepted, dropped: report.calls.length + report.ends.length + report.scores.length - accepted, unreleased };

  function toEnd(end: ReportedEnd): CallEnd<Measured> {
    const model = end.model === undefined ? undefined : names.toModel(end.model);
    return { accountId: workspaceId, ...toCallRef(end.identity), model, measured: toMeasured(end, undefined) };
  }

  function toMeasured(
    source: Omit<ReportedCall, 'prompt' | 'identity'> & Pick<Partial<ReportedEnd>, 'firstChunkAtMs'>,
    called: CalledVersion | undefined,
  ): Measured {
    const { durationMs, firstChunkMs, firstChunkAtMs, inputTokens = 0, outputTokens = 0, error } = source;
    // The end is kept as reported, even if the clock is wrong, because the duration is the difference between two times of the same clock.
    const endedAtMs = source.endedAtMs ?? now;
    const time = toHour(names.toTime(source.endedAtMs, called));
    const numbers = { durationMs, firstChunkMs, firstChunkAtMs, inputTokens, outputTokens, cost: source.cost ?? findCost(source) };
    return { time, endedAtMs, ...numbers, error: error === undefined ? undefined : names.toError(error, called?.promptId ?? '') };
  }

  function toScore({ id, prompt, version, label, rated, unit, ...rest }: ReportedScore): CountedScore | DropReason {
    const known = prompt === undefined ? undefined : prompts.get(toStorable(prompt));
    if (prompt !== undefined && !known) return 'unknown_prompt';
    const score = names.toScore(rest, known?.id ?? '');
    if (!score) return 'invalid';
    const ref = { id: toRef('score', id ?? randomUUID()), isNew: id === undefined };
    if (rated) return { accountId: workspaceId, ...ref, target: toRatedRef(rated), promptId: known?.id, score };
    if (!known) return 'no_match';
    const called = findVersion(prompts, { prompt: known.name, version, label });
    if (typeof called === 'string') return called;
    return { accountId: workspaceId, ...ref, target: names.toCounted(called, {}), promptId: known.id, score, unit };
  }
}

function findPrompts({ store }: WithStore, workspaceId: string, { calls, scores }: Report): Promise<Map<string, ReportedPrompt>> {
  const named = new Set<string>();
  for (const { prompt } of [...calls, ...scores]) {
    if (prompt !== undefined && named.size < maxPrompts) named.add(toStorable(prompt));
  }
  return store.reportedPrompts.find(workspaceId, [...named]);
}

interface Called {
  promptId: string;
  version: number;
  label: string;
}

/** Finds the version that a call names: by its number, by the label, or by a string that is either a number or a label. */
function findVersion(
  prompts: Map<string, ReportedPrompt>,
  { prompt, version, label = '' }: Pick<ReportedCall, 'prompt' | 'version' | 'label'>,
): Called | DropReason {
  const found = prompts.get(toStorable(prompt));
  if (!found) return 'unknown_prompt';
  const promptId = found.id;
  if (version === undefined) return { promptId, version: found.labels.get(label) ?? 0, label };
  const number = typeof version === 'number' ? version : Number(/^v?(\d{1,9})$/.exec(version)?.[1]);
  if (Number.isSafeInteger(number))
    return number >= 1 && number <= found.latestVersion ? { promptId, version: number, label } : 'unknown_version';
  const named = String(version);
  const labeled = found.labels.get(named);
  return labeled === undefined ? 'unknown_version' : { promptId, version: labeled, label: label || named };
}

const labelRule = new RegExp(labelPattern);
const nameRule = /^[\w.:/@+ -]+$/;

/** Returns functions that convert names to the form in which they are counted. */
function createNames(
  { results: { limits: isWithin } }: WithResults,
  { accountId, isBrowser }: { accountId: string; isBrowser: boolean },
  nowMs: number,
) {
  const hour = hourOf(nowMs);
  /** In addition to the limit for each prompt, there is a limit for the workspace, because a workspace can have any number of prompts. */
  const isAdmitted = (kind: NameKind, owner: string, key: string) =>
    isWithin(kind, hour, `${accountId} ${owner}`, key) && isWithin('names', hour, accountId, `${kind} ${owner} ${key}`);
  const toModel = (model: string | undefined) => {
    if (model === undefined || model.length > maxModelNameLength || !nameRule.test(model)) return '';
    return isWithin('models', hour, accountId, model) ? model : '';
  };
  const nameCombination = ({ promptId, version, label, model }: CalledVersion) => `${promptId} ${version} ${label} ${model}`;
  const toCounted = ({ promptId, version, label }: Called, model: string | undefined): CalledVersion => {
    const isLabel = labelRule.test(label) && isAdmitted('labels', promptId, label);
    const named = { accountId, promptId, version, label: isLabel ? label : '', model: toModel(model) };
    return isWithin('combinations', hour, accountId, nameCombination(named)) ? named : { ...named, version: 0, label: '', model: '' };
  };
  const admits = (kind: 'scores' | 'categories', owner: string, key: string): boolean => {
    const browserKind = kind === 'scores' ? 'browserScores' : 'browserCategories';
    return isAdmitted(isBrowser ? browserKind : kind, owner, key);
  };
  /** Most calls of a report have the same names, so the counted form of names is computed only once. */
  const known = new Map<string, CalledVersion>();
  return {
    toModel,

    /** Returns the time at which a call ended, or the time of its arrival if the call cannot be counted in the hour in which it ended. */
    toTime(endedAtMs: number | undefined, called: CalledVersion | undefined): number {
      if (!isRecent(endedAtMs, nowMs)) return nowMs;
      const endedHour = hourOf(endedAtMs);
      if (endedHour === hour) return endedAtMs;
      const key = `${endedHour} ${called === undefined ? '' : nameCombination(called)}`;
      return isWithin('earlierHours', hour, accountId, key) ? endedAtMs : nowMs;
    },

    toCounted(called: Called, { model }: { model?: string | undefined }): CalledVersion {
      const key = `${called.promptId} ${called.version} ${called.label}\n${model}`;
      const counted = known.get(key) ?? toCounted(called, model);
      known.set(key, counted);
      return counted;
    },

    toError(error: string, promptId: string): string {
      if (error.length > maxErrorTypeLength || !nameRule.test(error)) return other;
      return isAdmitted('errors', promptId, error) ? error : other;
    },

    /** Returns undefined if the score cannot be counted. */
    toScore({ name, value, comment }: Pick<ReportedScore, 'name' | 'value' | 'comment'>, promptId: string) {
      const counted = toStorable(name).trim();
      if (counted === '' || counted.length > maxScoreNameLength || /\p{Cc}/u.test(counted)) return undefined;
      if (typeof value === 'number' && !(Math.abs(value) <= maxScoreValue)) return undefined;
      if (!admits('scores', promptId, counted)) return undefined;
      // A comment beyond the limit is not kept at all, because a part of it may be misleading.
      const kept = comment === undefined || comment.length > maxCommentLength ? undefined : toStorable(comment).trim() || undefined;
      return { name: counted, value: typeof value === 'string' ? toCategory(value) : value, comment: kept };

      function toCategory(text: string): string {
        const category = toStorable(text).trim();
        const isShort = category.length <= maxCategoryLength && !/\p{Cc}/u.test(category);
        return isShort && admits('categories', `${promptId} ${counted}`, category) ? category : other;
      }
    },
  };
}

/** Returns a function that formats the hour of a time. The calls of a report are in few different hours, so each hour is formatted once. */
function createHourFormat(): (timeMs: number) => string {
  const hours = new Map<number, string>();
  return (timeMs) => {
    const hour = hourOf(timeMs);
    const text = hours.get(hour) ?? new Date(timeMs).toISOString().slice(0, '2026-03-01T14'.length);
    hours.set(hour, text);
    return text;
  };
}

function isRecent(time: number | undefined, now: number): time is number {
  return time !== undefined && time <= now && time > now - maxAgeMs;
}
