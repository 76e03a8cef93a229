import { maxPromptCases } from '../../contract/limits.ts';
import { formatLine } from '../../contract/transfer-format.ts';
import type { ReadingStores } from '../../store/bound-stores.ts';
import type { PromptOverview } from '../../store/prompts/prompts.ts';
import type { WithStore } from '../../store/store.ts';
import type { Actor } from '../actor.ts';
import { batchTexts } from '../text-batches.ts';
import { toCaseLine, toEventLine, toPromptLine, toVersionLine } from './export-lines.ts';

const pagePrompts = 100;
/** The number of versions per query. It is small, because one version may be large. */
const batchVersions = 5;
const batchEvents = 500;

/**
 * Exports all prompts outside the bin, sorted by name, as lines of text. The same state gives the same bytes on every server. All batches
 * are read from one snapshot.
 */
export function exportPrompts({ store }: WithStore, { workspaceId }: Actor, assertAllowed: () => Promise<void>): AsyncGenerator<string> {
  const lines = store.streamSnapshot(workspaceId, (stores) => readPrompts(stores, workspaceId));
  return batchTexts(lines, assertAllowed);
}

async function* readPrompts(stores: ReadingStores, workspaceId: string): AsyncGenerator<string> {
  const { prompts, versions, releases } = stores;
  yield `${formatLine}\n`;
  for (let after: { value: string; id: string } | undefined; ; ) {
    const page = await prompts.list(workspaceId, { sort: 'name', limit: pagePrompts, after });
    const last = page.at(-1);
    if (!last) return;
    const extents = await versions.findExtents(workspaceId, page);
    const ids = page.map(({ id }) => id);
    const active = Map.groupBy(await releases.listActive(workspaceId, ids), ({ promptId }) => promptId);
    for (const prompt of await prompts.describe(workspaceId, page)) {
      const extent = extents.get(prompt.id) ?? { lastVersion: 0, lastEvent: null };
      yield toPromptLine(prompt, extent, active.get(prompt.id) ?? []);
      yield* readPrompt(stores, workspaceId, prompt);
    }
    after = { value: last.name, id: last.id };
  }
}

/** Reads the lines of a prompt: first its versions, then its deleted versions, then all other lines. */
async function* readPrompt({ exports, cases }: ReadingStores, workspaceId: string, prompt: PromptOverview): AsyncGenerator<string> {
  const owner = { accountId: workspaceId, promptId: prompt.id };
  for (const deleted of prompt.deletedVersions.length > 0 ? [false, true] : [false]) {
    for (let after = 0; ; ) {
      const versions = await exports.listVersions(owner, { after, deleted, limit: batchVersions });
      yield versions.map((version) => toVersionLine(prompt.type, version)).join('');
      if (versions.length < batchVersions) break;
      after = versions.at(-1)?.version ?? after;
    }
  }
  yield (await cases.list(owner, { afterId: '', limit: maxPromptCases })).map(toCaseLine).join('');
  for (let after = ''; ; ) {
    const events = await exports.listEvents(owner, { after, limit: batchEvents });
    yield events.map(toEventLine).join('');
    if (events.length < batchEvents) return;
    after = events.at(-1)?.id ?? after;
  }
}
