import type { ImportDraft } from './import-draft.ts';

/** Rows that one transaction inserts, because on the embedded engine everybody waits for it. */
const maxRows = 250;
/** A version may refer to 100 prompts, each of which is a row. */
const maxVersions = 50;
/** What a prompt costs beside its rows: it takes several statements. */
const promptRows = 25;

/** The drafts that each transaction stores. No two are of one prompt, because all of them are planned before one is stored. */
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
 * A prompt with many versions or a long history is stored part by part, as if it had come in several requests: it gets its labels with the
 * last part, and one that was interrupted is completed by the next import. The newest entry of the history comes last, because with it the
 * prompt is complete.
 */
function* splitDraft({ versions, cases, events, ...draft }: ImportDraft): Generator<ImportDraft> {
  const isLastEvent = ({ id }: { id: string }) => id === draft.prompt.lastEvent;
  let entries = [...events.filter((event) => !isLastEvent(event)), ...events.filter(isLastEvent)];
  let numbers = versions;
  while (numbers.length > maxVersions || entries.length > maxRows) {
    // Versions first, because a prompt has at least one.
    const isVersions = numbers.length > maxVersions;
    const part = { versions: numbers.slice(0, maxVersions), cases: [], events: isVersions ? [] : entries.slice(0, maxRows) };
    yield { ...draft, ...part, isLast: false };
    numbers = numbers.slice(maxVersions);
    if (!isVersions) entries = entries.slice(maxRows);
  }
  yield { ...draft, versions: numbers, cases, events: entries };
}
