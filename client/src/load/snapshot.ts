import { findPinnedVersion, isLabel } from '../../../src/contract/label-names.ts';
import { findNameProblem } from '../../../src/contract/prompt-names.ts';
import { includeKey } from '../../../src/domain/templates/template-types.ts';
import { NotFoundError } from '../errors.ts';
import { toRequest } from '../http/operations.ts';
import { followPages } from '../http/pages.ts';
import type { RequestOptions } from '../http/request.ts';
import type { Transport } from '../http/transport.ts';
import type { IncludedPrompt } from '../render/complete-engine.ts';
import type { Include } from '../render/engine.ts';
import type { Engines } from '../render/engines.ts';
import { findIncludes, hasPlainTexts, isPlain, toIncludedPrompt } from '../render/render.ts';
import { type PromptList, responseFields, type Version } from '../types.ts';
import { type LoadedRelease, withoutRelease } from './choose-version.ts';

/** The content of everything that was loaded, at one point in time. */
export interface Snapshot {
  /** The versions at the label, by name. */
  prompts: ReadonlyMap<string, Version>;
  /** The releases of the label, by prompt name. */
  releases: ReadonlyMap<string, LoadedRelease>;
  /** The included prompts that were not selected themselves, by name and label. */
  partials: ReadonlyMap<string, IncludedPrompt>;
  etag: string | undefined;
}

/** The part of the transport that is needed to fetch prompts. */
export type Sender = Pick<Transport, 'send' | 'sendConditional'>;

export interface Selection {
  label: string;
  folder: string | undefined;
}

const maxDepth = 8;
const namesPerRequest = 100;
const charactersPerRequest = 6000;
const listRequest = { method: 'GET', path: '/api/prompts', expects: responseFields.listPrompts };

/** Fetches all selected prompts with their included prompts. Returns undefined if nothing has changed since `previous`. */
export async function fetchSnapshot(
  transport: Sender,
  selection: Selection,
  { previous, engines, options }: { previous: Snapshot | undefined; engines: Engines; options: RequestOptions },
): Promise<Snapshot | undefined> {
  const query = { include: 'content', limit: 100, ...selection };
  const first = await transport.sendConditional({ ...listRequest, query }, previous?.etag, options);
  if (first.isUnchanged) return undefined;
  const prompts = new Map<string, Version>();
  const releases = new Map<string, LoadedRelease>();
  const add = ({ data }: PromptList) => {
    for (const { name, version, release } of data) {
      if (!version) continue;
      prompts.set(name, withoutRelease(version));
      if (release) releases.set(name, release);
    }
  };
  // The service responds as described in openapi.json.
  const fetchPage = async (cursor: string) =>
    (await transport.send({ ...listRequest, query: { ...query, cursor } }, options)) as PromptList;
  for await (const page of followPages(first.body as PromptList, fetchPage)) add(page);
  const partials = await fetchIncluded(transport, { prompts, releases, label: selection.label, engines, options });
  const snapshot = { prompts, releases, partials, etag: first.etag };
  await loadEngine(engines, snapshot, selection.label);
  return snapshot;
}

/** Prepares prompts from a file in the same way as `fetchSnapshot`: loads the engine that they need, and parses their templates. */
export async function prepareStored(engines: Engines, snapshot: Snapshot, label: string): Promise<void> {
  await listIncludes(listVersions(snapshot), engines);
  await loadEngine(engines, snapshot, label);
}

/** Loads the complete engine if a prompt needs it, so that `render` never has to. */
async function loadEngine(engines: Engines, snapshot: Snapshot, label: string): Promise<void> {
  if (engines.findComplete()) return;
  const find = (include: Include) => findIncluded(snapshot, include, label);
  if (!listVersions(snapshot).every((version) => isPlain(version, find))) await engines.load();
}

/** Fetches the prompts that are included at another label or from another folder, level by level. */
async function fetchIncluded(
  transport: Sender,
  {
    label,
    engines,
    options,
    ...selected
  }: Pick<Snapshot, 'prompts' | 'releases'> & { label: string; engines: Engines; options: RequestOptions },
): Promise<Snapshot['partials']> {
  const partials = new Map<string, IncludedPrompt>();
  const requested = new Set<string>();
  let pending = await listIncludes(listVersions(selected), engines);
  for (let depth = 0; depth < maxDepth && pending.length > 0; depth += 1) {
    const next: Version[] = [];
    for (const { label: wanted, names } of groupByLabel(pending, (include) => {
      const key = includeKey(include);
      const isKnown = requested.has(key) || (include.label === label && selected.prompts.has(include.name));
      requested.add(key);
      return !isKnown;
    })) {
      for await (const version of fetchByName(transport, { names, label: wanted }, options)) {
        partials.set(includeKey({ name: version.name, label: wanted }), toIncludedPrompt(version));
        next.push(version);
      }
    }
    pending = await listIncludes(next, engines);
  }
  return partials;
}

/** Lists the versions at the label and the versions of all arms. */
function listVersions({ prompts, releases }: Pick<Snapshot, 'prompts' | 'releases'>): Version[] {
  return [...prompts.values(), ...[...releases.values()].flatMap(({ versions }) => versions)];
}

async function listIncludes(versions: Version[], engines: Engines): Promise<Include[]> {
  if (!versions.every(hasPlainTexts)) await engines.load();
  return versions.flatMap((version) => findIncludes(version, engines.loaded));
}

/** Returns batches of names. Each batch is sent in one request, whose address must not become too long. */
function groupByLabel(includes: Include[], isWanted: (include: Include) => boolean): { label: string; names: string[] }[] {
  const batches: { label: string; names: string[]; characters: number }[] = [];
  for (const include of includes) {
    // The service refuses a list that contains an invalid name or label.
    const isTarget = isLabel(include.label) || findPinnedVersion(include.label) !== undefined;
    if (findNameProblem(include.name) !== undefined || !isTarget || !isWanted(include)) continue;
    const characters = encodeURIComponent(include.name).length + 6;
    const batch = batches.find(
      ({ label, names, characters: used }) =>
        label === include.label && names.length < namesPerRequest && used + characters <= charactersPerRequest,
    );
    if (batch) {
      batch.names.push(include.name);
      batch.characters += characters;
    } else batches.push({ label: include.label, names: [include.name], characters });
  }
  return batches;
}

async function* fetchByName(
  transport: Sender,
  { names, label }: { names: string[]; label: string },
  options: RequestOptions,
): AsyncGenerator<Version> {
  const pinned = findPinnedVersion(label);
  if (pinned !== undefined) {
    for (const name of names) {
      const version = await fetchPinned(transport, name, pinned, options);
      if (version) yield version;
    }
    return;
  }
  const fetchPage = async (cursor?: string) => {
    const query = { include: 'content', limit: 100, label, name: names, ...(cursor && { cursor }) };
    return (await transport.send({ ...listRequest, query }, options)) as PromptList;
  };
  for await (const { data } of followPages(await fetchPage(), fetchPage)) {
    for (const { version } of data) if (version) yield version;
  }
}

/** Fetches a fixed version by itself, because a list has only versions at labels. Returns undefined if the version does not exist. */
async function fetchPinned(transport: Sender, name: string, version: number, options: RequestOptions): Promise<Version | undefined> {
  try {
    const request = { ...toRequest('getPrompt', { path: { name }, query: { version } }), expects: responseFields.getPrompt };
    return (await transport.send(request, options)) as Version;
  } catch (err) {
    if (err instanceof NotFoundError && (err.code === 'prompt_not_found' || err.code === 'version_not_found')) return undefined;
    throw err;
  }
}

/** Returns a loaded prompt, or one that was loaded because a prompt includes it. A release of its label has no effect on included prompts. */
export function findIncluded({ prompts, partials }: Snapshot, { name, label }: Include, selected: string): IncludedPrompt | undefined {
  const prompt = label === selected ? prompts.get(name) : undefined;
  return prompt ? toIncludedPrompt(prompt) : partials.get(includeKey({ name, label }));
}
