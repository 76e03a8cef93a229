import { latestLabel, productionLabel } from '../../contract/label-names.ts';
import { maxPromptNameLength } from '../../contract/limits.ts';
import { normalizeName, promptNamePattern } from '../../contract/prompt-names.ts';
import type { Caller } from '../../contract/release-assignment.ts';
import type { VersionChoice } from '../../contract/versions.ts';
import { AppError, invalidField, labelNotFound, versionNotFound } from '../../errors.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { chooseVersion, findSplit } from '../releases/release-choice.ts';

export type ResolvedVersion = Awaited<ReturnType<typeof resolveVersion>>;
/** The store, or a snapshot of the store. */
export type ResolvingStores = Pick<PromptStores, 'prompts' | 'labels' | 'releases' | 'versions'>;

/** Returns the prompt with this name, or throws a 404. Prompts of other workspaces and prompts in the bin are not found. */
export async function getPromptRecord(stores: Pick<PromptStores, 'prompts'>, { workspaceId }: Actor, name: string): Promise<PromptRecord> {
  const stored = toStoredName(name);
  const prompt = stored === undefined ? undefined : await stores.prompts.find(workspaceId, stored);
  if (!prompt) throw new AppError('prompt_not_found');
  return prompt;
}

/**
 * Resolves a label or a version number. Returns the label that was used, if any, and all labels of the prompt. If a caller is given, a
 * release of the label chooses the version; without a caller, the label always means the version at which it points. The error says whether
 * the prompt, the version or the label is missing.
 */
export async function resolveVersion(ctx: WithStore, actor: Actor, name: string, choice: VersionChoice, caller?: Caller) {
  return resolveVersionOf(ctx.store, actor, await getPromptRecord(ctx.store, actor, name), choice, caller);
}

/** Resolves a label or a version number of a prompt, like `resolveVersion`. */
export async function resolveVersionOf(
  stores: ResolvingStores,
  actor: Actor,
  prompt: PromptRecord,
  choice: VersionChoice,
  caller?: Caller,
) {
  if (choice.label !== undefined && choice.version !== undefined) throw invalidField('/version', 'Send either label or version, not both');
  const label = choice.version === undefined ? (choice.label ?? productionLabel) : undefined;
  const owner = { accountId: actor.workspaceId, promptId: prompt.id };
  // The release is read before the labels. In the opposite order, the release could finish between the two reads: a caller whose arm has
  // just become the version at the label would get the old control.
  const split = caller && label !== undefined ? await findSplit(stores, owner, label) : undefined;
  const labels = await stores.labels.list(actor.workspaceId, prompt.id);
  const number = choice.version ?? (label === latestLabel ? prompt.latestVersion : labels.get(label ?? ''));
  if (number === undefined) throw labelNotFound(label ?? '', { isDefault: choice.label === undefined });
  const chosen = split && caller && chooseVersion(split, caller);
  const record = await stores.versions.find(actor.workspaceId, prompt.id, chosen?.version ?? number);
  if (!record) throw versionNotFound(number);
  return { prompt, record, labels, label, split, chosen };
}

/**
 * Returns the form in which a name from a path is stored, or undefined if no prompt can have this name. Names that earlier releases
 * allowed, such as `a/../b`, are still found.
 */
export function toStoredName(name: string): string | undefined {
  const stored = normalizeName(name);
  // Invalid characters are rejected here, because the database refuses some of them.
  return stored.isWellFormed() && [...stored].length <= maxPromptNameLength && namePattern.test(stored) ? stored : undefined;
}

const namePattern = new RegExp(promptNamePattern, 'u');
