import type { PromptHarbor } from '../../client/src/client.ts';
import { responseFields } from '../../client/src/types.ts';
import type { Batch, SavedBatch } from '../contract/batch.ts';
import { latestLabel } from '../contract/label-names.ts';
import { maxPageLimit } from '../contract/limits.ts';
import type { ListedPrompt } from '../contract/prompts.ts';
import { splitNames } from '../contract/split-names.ts';
import type { PromptContent } from '../formats/prompt-fields.ts';
import { contentOf, digestContent } from './files/content.ts';

/** A prompt in the service, at its newest version. */
export interface RemotePrompt {
  name: string;
  version: number;
  labels: Record<string, number>;
  content: PromptContent;
  digest: string;
}

/** Reads all prompts at their newest versions, a page at a time. */
export async function readRemote(ph: PromptHarbor): Promise<Map<string, RemotePrompt>> {
  const prompts = new Map<string, RemotePrompt>();
  for await (const prompt of ph.prompts.list({ include: 'content', label: latestLabel, limit: maxPageLimit })) {
    const { name, latestVersion, labels, version } = prompt;
    if (!version) continue;
    const content = contentOf({ ...prompt, version });
    prompts.set(name, { name, version: latestVersion, labels, content, digest: digestContent(content) });
  }
  return prompts;
}

/** Finds the named prompts that have the label, each with the version at the label. */
export async function findPrompts(ph: PromptHarbor, names: string[], label: string): Promise<ListedPrompt[]> {
  const found: ListedPrompt[] = [];
  for (const name of splitNames(names)) {
    found.push(...(await Array.fromAsync(ph.prompts.list({ name, label, include: 'content', limit: maxPageLimit }))));
  }
  return found;
}

/** Saves prompts. The request can be retried after a lost response, because content that is already saved is not saved again. */
export async function savePrompts(ph: PromptHarbor, items: Batch['items'], { strict = false } = {}): Promise<SavedBatch> {
  const body: Batch = { items, skipUnchanged: true };
  const query = strict ? { strict: 'true' } : {};
  // The response has the shape that the contract describes.
  const expects = responseFields.savePrompts;
  return (await ph.request({ method: 'POST', path: '/api/prompts/batch', query, body, isRepeatable: true, expects })) as SavedBatch;
}
