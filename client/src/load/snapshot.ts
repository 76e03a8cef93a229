import { isLabel } from '../../../src/contract/label-names.ts';
import { findNameProblem } from '../../../src/contract/prompt-names.ts';
import { includeKey } from '../../../src/domain/templates/template-types.ts';
import { followPages } from '../http/pages.ts';
import type { RequestOptions } from '../http/request.ts';
import type { Transport } from '../http/transport.ts';
import type { Include, TemplateEngine } from '../render/engine.ts';
import { findIncludes, type IncludedPrompt, toIncludedPrompt } from '../render/render.ts';
import type { PromptList, Version } from '../types.ts';

/** Everything that was loaded, at one point in time. */
export interface Snapshot {
  prompts: ReadonlyMap<string, Version>;
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
const listRequest = { method: 'GET', path: '/api/prompts', expects: 'data' };

/** Fetches all selected prompts with their included prompts. Returns undefined if nothing has changed since `previous`. */
export async function fetchSnapshot(
  transport: Sender,
  selection: Selection,
  { previous, engines, options }: { previous: Snapshot | undefined; engines: TemplateEngine[]; options: RequestOptions },
): Promise<Snapshot | undefined> {
  const query = { include: 'content', limit: 100, ...selection };
  const first = await transport.sendConditional({ ...listRequest, query }, previous?.etag, options);
  if (first.isUnchanged) return undefined;
  const prompts = new Map<string, Version>();
  const add = ({ data }: PromptList) => {
    for (const { name, version } of data) if (version) prompts.set(name, version);
  };
  // The service responds as described in openapi.json.
  const fetchPage = async (cursor: string) =>
    (await transport.send({ ...listRequest, query: { ...query, cursor } }, options)) as PromptList;
  for await (const page of followPages(first.body as PromptList, fetchPage)) add(page);
  const partials = await fetchIncluded(transport, { prompts, label: selection.label, engines, options });
  return { prompts, partials, etag: first.etag };
}

/** Fetches the prompts that are included at another label or from another folder, level by level. */
async function fetchIncluded(
  transport: Sender,
  { prompts, label, engines, options }: { prompts: Snapshot['prompts']; label: string; engines: TemplateEngine[]; options: RequestOptions },
): Promise<Snapshot['partials']> {
  const partials = new Map<string, IncludedPrompt>();
  const requested = new Set<string>();
  let pending = [...prompts.values()].flatMap((version) => findIncludes(version, engines));
  for (let depth = 0; depth < maxDepth && pending.length > 0; depth += 1) {
    const next: Include[] = [];
    for (const { label: wanted, names } of groupByLabel(pending, (include) => {
      const key = includeKey(include);
      const isKnown = requested.has(key) || (include.label === label && prompts.has(include.name));
      requested.add(key);
      return !isKnown;
    })) {
      for await (const version of fetchByName(transport, { names, label: wanted }, options)) {
        const partial = toIncludedPrompt(version);
        if (partial) partials.set(includeKey({ name: version.name, label: wanted }), partial);
        next.push(...findIncludes(version, engines));
      }
    }
    pending = next;
  }
  return partials;
}

/** Returns batches of names. Each batch is sent in one request, whose URL must not become too long. */
function groupByLabel(includes: Include[], isWanted: (include: Include) => boolean): { label: string; names: string[] }[] {
  const batches: { label: string; names: string[]; characters: number }[] = [];
  for (const include of includes) {
    // The service refuses a list that contains an invalid name or label.
    if (findNameProblem(include.name) !== undefined || !isLabel(include.label) || !isWanted(include)) continue;
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
  const fetchPage = async (cursor?: string) => {
    const query = { include: 'content', limit: 100, label, name: names, ...(cursor && { cursor }) };
    return (await transport.send({ ...listRequest, query }, options)) as PromptList;
  };
  for await (const { data } of followPages(await fetchPage(), fetchPage)) {
    for (const { version } of data) if (version) yield version;
  }
}

/** Returns an included prompt, which is either a selected prompt or one that was loaded because another prompt includes it. */
export function findIncluded({ prompts, partials }: Snapshot, { name, label }: Include, selected: string): IncludedPrompt | undefined {
  const prompt = label === selected ? prompts.get(name) : undefined;
  return prompt ? toIncludedPrompt(prompt) : partials.get(includeKey({ name, label }));
}
