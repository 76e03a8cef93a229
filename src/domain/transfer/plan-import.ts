import { maxPromptCaseBytes, maxPromptCases } from '../../contract/limits.ts';
import type { ImportStatus } from '../../contract/transfer.ts';
import type { CaseRecord } from '../../store/models/cases.ts';
import { type ImportedEvent, maxNewerEntries } from '../../store/prompts/import.ts';
import type { PromptOwner } from '../../store/prompts/prompt-owner.ts';
import type { PromptStores } from '../../store/prompts/prompt-transaction.ts';
import type { PromptRecord } from '../../store/prompts/prompts.ts';
import type { Actor } from '../actor.ts';
import { idAfter } from '../ids.ts';
import type { DraftVersion, ImportDraft } from './import-draft.ts';

/** The actions for the lines of a prompt. */
export interface ImportPlan {
  status: ImportStatus;
  reason?: string;
  /** For a conflict with an existing prompt, whether that prompt could be replaced. */
  replaceable?: boolean;
  existing?: PromptRecord;
  /** The prompt that is moved to the bin first. */
  replaced?: PromptRecord;
  versions: DraftVersion[];
  newCases: CaseRecord[];
  changedCases: { before: CaseRecord; after: CaseRecord }[];
  events: ImportedEvent[];
  /**
   * Whether the prompt is complete after this import. Only a complete prompt gets its labels, so that callers never receive an incomplete
   * prompt.
   */
  isFinal: boolean;
}

type Stores = Pick<PromptStores, 'prompts' | 'labels' | 'cases' | 'imports'>;

/** The reason why a prompt is left unchanged. */
class Conflict extends Error {}

const tooManyEntries =
  `The prompt has more than ${maxNewerEntries} history entries since its first import, too many to tell whether it was changed here. ` +
  'Delete or rename the prompt here first.';

/** Compares the lines of a prompt with the existing prompt. Changes nothing. */
export async function planImport(
  stores: Stores,
  actor: Actor,
  draft: ImportDraft,
  { isReplacing = false }: { isReplacing?: boolean } = {},
): Promise<ImportPlan> {
  const existing = await stores.prompts.find(actor.workspaceId, draft.prompt.name);
  if (!existing) return catchConflict(async () => planNew(draft));
  const plan = await catchConflict(() => planExisting(stores, actor, draft, existing));
  if (plan.status !== 'conflict') return plan;
  const replacement = await catchConflict(async () => planNew(draft));
  // An incomplete prompt must not replace a complete one.
  const replaceable = replacement.isFinal;
  if (isReplacing && replaceable) return { ...replacement, status: 'replaced', replaced: existing };
  return { ...plan, replaceable, ...(isReplacing && { reason: replacement.reason ?? (draft.isLast ? incomplete : tooLarge) }) };
}

const incomplete = 'The exported lines are incomplete, because the last entry of the history is missing. Export the prompt again.';
const tooLarge =
  'The exported prompt has too many versions or history entries to replace the existing prompt in one step. Delete or rename the existing prompt, then import again.';

async function catchConflict(plan: () => Promise<ImportPlan>): Promise<ImportPlan> {
  try {
    return await plan();
  } catch (err) {
    const nothing = { versions: [], newCases: [], changedCases: [], events: [], isFinal: false };
    if (err instanceof Conflict) return { ...nothing, status: 'conflict', reason: err.message };
    throw err;
  }
}

function planNew(draft: ImportDraft): ImportPlan {
  const { prompt, versions, cases, events } = draft;
  const live = new Set(versions.filter(({ deletedAt }) => deletedAt === null).map(({ version }) => version));
  if (live.size === 0) throw new Conflict('All versions of the prompt are deleted in the export');
  const isFinal = isComplete(draft, events);
  if (isFinal) assertComplete({ prompt, versionCount: versions.length, live });
  assertCaseLimits(cases);
  return { status: 'created', versions, newCases: cases, changedCases: [], events, isFinal };
}

async function planExisting(stores: Stores, { workspaceId }: Actor, draft: ImportDraft, existing: PromptRecord): Promise<ImportPlan> {
  const { prompt } = draft;
  const owner = { accountId: workspaceId, promptId: existing.id };
  if (existing.type !== prompt.type) throw new Conflict(`The existing prompt is a ${existing.type} prompt`);
  const { lastEvent } = prompt;
  const isKnown = lastEvent !== null && (await stores.imports.findEvents(owner, [lastEvent])).has(lastEvent);
  const versions = await findMissingVersions(stores, owner, draft, isKnown);
  const events = await findMissingEvents(stores, owner, draft);
  const nothing = { existing, versions: [], newCases: [], changedCases: [], events: [], isFinal: false };
  if (isKnown) {
    if (versions[0]) throw new Conflict(`Version ${versions[0].version} does not exist here, although its history does`);
    return { ...nothing, status: 'unchanged' };
  }
  const cases = await compareCases(stores, owner, draft);
  const missing = [...versions, ...events, ...cases.newCases, ...cases.changedCases];
  if (missing.length === 0) return { ...nothing, status: 'unchanged' };
  const authorship = await stores.imports.findAuthorship(owner, idAfter('e', existing.id));
  if (authorship === 'changed') throw new Conflict(describeDifference(versions));
  if (authorship === 'unknown') throw new Conflict(tooManyEntries);

  const isFinal = isComplete(draft, events);
  if (isFinal) await assertCompletes(stores, owner, draft, versions);
  return { existing, status: 'completed', versions, ...cases, events, isFinal };
}

/** Finds the versions that do not exist yet. Throws if an existing version has different content. */
async function findMissingVersions(
  { imports }: Stores,
  owner: PromptOwner,
  { versions }: ImportDraft,
  isKnown: boolean,
): Promise<DraftVersion[]> {
  const found = await imports.findVersions(owner, versions);
  return versions.filter((draft) => {
    const stored = found.get(draft.version);
    if (!stored) return true;
    const what = `Version ${draft.version}`;
    if (draft.deletedAt !== null && stored.deletedAt === null) throw new Conflict(`${what} was deleted in the export, but not here`);
    if (draft.deletedAt === null && stored.deletedAt !== null) {
      // If this workspace already has the whole history of the export, the version was deleted in this workspace after the export.
      if (isKnown) return false;
      throw new Conflict(`${what} was deleted here, but not in the export`);
    }
    const isSame = (['syntax', 'message', 'createdAt'] as const).every((field) => draft[field] === stored[field]);
    if (!isSame || !stored.isSameContent) throw new Conflict(`${what} already exists here with different content`);
    return false;
  });
}

async function findMissingEvents({ imports }: Stores, owner: PromptOwner, { events }: ImportDraft): Promise<ImportedEvent[]> {
  const ids = events.map(({ id }) => id);
  const found = await imports.findEvents(owner, ids);
  return events.filter((event) => {
    const stored = found.get(event.id);
    if (!stored) return true;
    if (stored.type !== event.type || stored.detail !== event.detail || stored.at !== event.at) {
      throw new Conflict(`History entry ${event.id} already exists here with different content`);
    }
    return false;
  });
}

async function compareCases(
  { cases }: Stores,
  owner: PromptOwner,
  draft: ImportDraft,
): Promise<Pick<ImportPlan, 'newCases' | 'changedCases'>> {
  if (draft.cases.length === 0) return { newCases: [], changedCases: [] };
  const found = new Map((await cases.list(owner, { afterId: '', limit: maxPromptCases })).map((record) => [record.id, record]));
  const changedCases = draft.cases.flatMap((after) => {
    const before = found.get(after.id);
    return before && (before.digest !== after.digest || before.name !== after.name) ? [{ before, after }] : [];
  });
  assertCaseLimits([...new Map([...found, ...draft.cases.map((record): [string, CaseRecord] => [record.id, record])]).values()]);
  return { newCases: draft.cases.filter(({ id }) => !found.has(id)), changedCases };
}

async function assertCompletes({ imports }: Stores, owner: PromptOwner, { prompt }: ImportDraft, versions: DraftVersion[]): Promise<void> {
  const stored = await imports.findLive(owner, [...new Set(deployedVersions(prompt))]);
  const live = new Set([...stored, ...versions.filter(({ deletedAt }) => deletedAt === null).map(({ version }) => version)]);
  assertComplete({ prompt, versionCount: (await imports.countVersions(owner)) + versions.length, live });
}

/** Throws if the prompt is incomplete. `live` are the versions that labels may point at. */
function assertComplete({
  prompt: { lastVersion, labels, releases = [] },
  versionCount,
  live,
}: Pick<ImportDraft, 'prompt'> & { versionCount: number; live: ReadonlySet<number> }): void {
  if (versionCount !== lastVersion)
    throw new Conflict(`The prompt should have ${lastVersion} versions, but the export has lines for ${versionCount}`);
  const lost = Object.entries(labels).find(([, version]) => !live.has(version));
  if (lost) throw new Conflict(`The label "${lost[0]}" points at version ${lost[1]}, which does not exist`);
  for (const { label, arms } of releases) {
    const arm = arms.find(({ version }) => !live.has(version));
    if (arm) throw new Conflict(`The release on the label "${label}" uses version ${arm.version}, which does not exist`);
  }
}

function deployedVersions({ labels, releases = [] }: ImportDraft['prompt']): number[] {
  return [...Object.values(labels), ...releases.flatMap(({ arms }) => arms.map(({ version }) => version))];
}

function assertCaseLimits(cases: CaseRecord[]): void {
  if (cases.length > maxPromptCases) throw new Conflict(`A prompt can have at most ${maxPromptCases} test cases`);
  const bytes = cases.reduce((sum, { name, content }) => sum + Buffer.byteLength(name) + Buffer.byteLength(content), 0);
  if (bytes > maxPromptCaseBytes)
    throw new Conflict(`The test cases of a prompt can have at most ${maxPromptCaseBytes / 1024 / 1024} MiB in total`);
}

function isComplete({ prompt: { lastEvent }, isLast }: ImportDraft, events: ImportedEvent[]): boolean {
  return isLast && (lastEvent === null || events.some(({ id }) => id === lastEvent));
}

function describeDifference([version]: DraftVersion[]): string {
  const more = version ? `version ${version.version}` : 'changes that do not exist here';
  return `A prompt with this name was created or changed here, and the export has ${more}. Delete or rename the prompt here first.`;
}
