import {
  type AssignedRelease,
  type Assignment,
  assign,
  type Caller,
  type Split,
  toAssignedRelease,
} from '../../contract/release-assignment.ts';
import type { PromptOwner } from '../../store/prompts/prompt-owner.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import { activeStates, type ReleaseRecord } from '../../store/prompts/releases.ts';

/** Returns whether a release still divides callers. */
export function isActive(release: ReleaseRecord | undefined): release is ReleaseRecord {
  return release !== undefined && activeStates.some((state) => state === release.state);
}

export function versionsOf({ control, arms }: Pick<Split, 'control' | 'arms'>): number[] {
  return [control, ...arms.map(({ version }) => version)];
}

/** The version that a release chooses for a caller. */
export interface Chosen extends Assignment {
  release: AssignedRelease;
}

export function chooseVersion(split: Split, caller: Caller): Chosen {
  const assignment = assign(split, caller);
  return { ...assignment, release: toAssignedRelease(split, assignment) };
}

/** Returns how the active release of a label divides callers, or undefined if the label has none. */
export async function findSplit(
  { releases }: Pick<PromptStores, 'releases'>,
  owner: PromptOwner,
  label: string,
): Promise<Split | undefined> {
  const release = await releases.find(owner, label);
  return isActive(release) ? release.split : undefined;
}
