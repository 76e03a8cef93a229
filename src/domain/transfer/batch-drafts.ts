import type { ImportDraft } from './import-draft.ts';

/** The maximum number of rows that one transaction inserts. With the embedded database, all other requests wait for the transaction. */
export const maxRows = 250;
/** The maximum number of versions per transaction. Each version may refer to 100 prompts, and each reference is a row. */
export const maxVersions = 50;
/** The additional cost of a prompt, counted as rows. Storing a prompt takes several statements. */
const promptRows = 25;

/**
 * Yields the drafts for each transaction. No transaction contains two drafts of the same prompt, because all its drafts are planned before
 * the first one is stored.
 */
export function* batchDrafts(drafts: ImportDraft[]): Generator<ImportDraft[]> {
  let batch: ImportDraft[] = [];
  let rows = 0;
  for (const part of drafts.flatMap((draft) => [...splitDraft(draft)])) {
    if (rows >= maxRows || batch.some(({ prompt }) => prompt.name === part.prompt.name)) {
      yield batch;
      [batch, rows] = [[], 0];
    }
    batch.push(part);
    rows += promptRows + part.versions.length + part.cases.length + part.events.length;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Splits a prompt with many versions or a long history into several drafts, as if several requests had contained its parts. The last draft
 * adds the labels. If an import is interrupted, the next import of the same file completes the prompt. The newest entry of the history
 * comes last, because it marks the prompt as complete.
 */
function* splitDraft({ versions, cases, events, ...draft }: ImportDraft): Generator<ImportDraft> {
  const isLastEvent = ({ id }: { id: string }) => id === draft.prompt.lastEvent;
  let entries = [...events.filter((event) => !isLastEvent(event)), ...events.filter(isLastEvent)];
  let numbers = versions;
  while (numbers.length > maxVersions || entries.length > maxRows) {
    // The versions are stored first, because a prompt must have at least one version.
    const isVersions = numbers.length > maxVersions;
    const part = { versions: numbers.slice(0, maxVersions), cases: [], events: isVersions ? [] : entries.slice(0, maxRows) };
    yield { ...draft, ...part, isLast: false };
    numbers = numbers.slice(maxVersions);
    if (!isVersions) entries = entries.slice(maxRows);
  }
  yield { ...draft, versions: numbers, cases, events: entries };
}
