import { isDeepStrictEqual } from 'node:util';
import type { EventType } from '../../contract/events.ts';
import type { PromptLine, ReleaseOfLabel } from '../../contract/transfer.ts';
import type { ReleasePlan, ReleaseRecord } from '../../store/prompts/releases.ts';
import { type Actor, toPerson } from '../actor.ts';
import { newId } from '../ids.ts';
import type { PromptChangeStores } from '../prompts/change-prompts.ts';
import { assertImportable } from '../prompts/labels/authorize-move.ts';
import { isActive } from '../releases/release-choice.ts';
import { toPlan } from '../releases/release-plan.ts';
import { assertRoom } from '../releases/release-states.ts';

interface ReleaseRestore {
  id: string;
  line: PromptLine;
  tell(type: EventType, detail: object): void;
}

/**
 * Restores the releases of a prompt as they are in the export, with their salts, so that every key keeps its version. If a release that was
 * imported before is missing from the export, it has ended in the exporting workspace, so it ends in this workspace too. The importer
 * counts as the person who started the restored releases.
 */
export async function putReleases(stores: PromptChangeStores, actor: Actor, { id, line, tell }: ReleaseRestore): Promise<void> {
  const { releases } = stores;
  const owner = { accountId: actor.workspaceId, promptId: id };
  const stored = await releases.list(actor.workspaceId, [id]);
  const current = new Map(stored.filter(isActive).map((release) => [release.label, release]));
  for (const given of line.releases ?? []) {
    const existing = current.get(given.label);
    const before = existing?.split.salt === given.salt ? existing : undefined;
    if (!before || !hasSameSplit(given, before)) assertImportable(stores, actor, given.label);
    if (given.state === 'running' && before?.state !== 'running') await assertRoom(stores, actor.workspaceId);
    const release = { ...owner, ...toRecord(given, before), startedBy: before?.startedBy ?? toPerson(actor) };
    await releases.put(release);
    if (!before) tell('release.started', toDetail(release));
    if (before) current.delete(given.label);
  }
  for (const release of current.values()) {
    const isFinished = line.labels[release.label] !== release.split.control;
    if (!line.releases?.some(({ label }) => label === release.label)) {
      const ended = { changedAt: line.updatedAt, endedAt: line.updatedAt, cause: isFinished ? null : ('person' as const) };
      await releases.put({ ...release, ...ended, state: isFinished ? 'finished' : 'rolled_back' });
    }
    tell(isFinished ? 'release.finished' : 'release.rolled_back', toDetail(release));
  }
  for (const { label } of stored) if (!Object.hasOwn(line.labels, label)) await releases.delete(owner, label);
}

/**
 * Returns whether a release divides callers in the same way as before. Comparing only the salts is not enough, because everyone can read a
 * salt.
 */
function hasSameSplit({ control, arms, rules = [] }: ReleaseOfLabel, { split }: ReleaseRecord): boolean {
  return isDeepStrictEqual({ control, arms, rules }, { control: split.control, arms: split.arms, rules: split.rules });
}

/**
 * Returns the plan for widening an imported release. The plan is made as if the arms had the weight 0: `toPlan` would refuse steps that the
 * release has already reached, because they are not above its weight.
 */
export function toImportedPlan({ arms, ...release }: ReleaseOfLabel): ReleasePlan {
  return toPlan({ ...release, arms: arms.map(({ version }) => ({ version, weight: 0 })) });
}

function toRecord(given: ReleaseOfLabel, before: ReleaseRecord | undefined): Omit<ReleaseRecord, 'accountId' | 'promptId' | 'startedBy'> {
  const { label, state, cause, salt, control, arms, rules = [], startedAt, changedAt } = given;
  const isChanged = before !== undefined && before.changedAt !== changedAt;
  return {
    ...{ label, state, cause, startedAt, changedAt, endedAt: null },
    split: { id: before?.split.id ?? newId('rel'), salt, control, arms, rules },
    plan: toImportedPlan(given),
    stage: (before?.stage ?? 1) + (isChanged ? 1 : 0),
  };
}

function toDetail({ label, split: { id, control, arms } }: ReleaseRecord): object {
  return { label, release: { id, control, arms } };
}
