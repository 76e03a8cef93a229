import type { ImportDraft } from './import-draft.ts';

/** Rows that one transaction inserts. Others wait for it, on the embedded engine everybody. */
const maxRows = 250;
/** What a prompt costs beside its rows: it takes several statements. */
const promptRows = 25;

type Part = Pick<ImportDraft, 'versions' | 'cases' | 'events'>;

/**
 * The drafts that each transaction stores. One that has more rows is stored part by part, as if it had come in several requests: it gets
 * its labels with the last part, and one that was interrupted is completed by the next import.
 */
export function* splitDrafts(drafts: ImportDraft[]): Generator<ImportDraft[]> {
  let batch: ImportDraft[] = [];
  let rows = 0;
  for (const draft of drafts) {
    for (const part of splitDraft(draft)) {
      // Plans are made for all drafts of a batch before one of them is stored, so that no two may be of one prompt.
      const isOfAnother = batch.every(({ prompt }) => prompt.name !== draft.prompt.name);
      if (batch.length > 0 && (rows + part.rows > maxRows || !isOfAnother)) {
        yield batch;
        [batch, rows] = [[], 0];
      }
      batch.push(part.draft);
      rows += part.rows;
    }
  }
  if (batch.length > 0) yield batch;
}

function* splitDraft(draft: ImportDraft): Generator<{ draft: ImportDraft; rows: number }> {
  let part = emptyPart();
  let rows = promptRows;
  for (const { size, add } of listRows(draft)) {
    if (rows > promptRows && rows + size > maxRows) {
      yield { draft: { ...draft, ...part, isLast: false }, rows };
      [part, rows] = [emptyPart(), promptRows];
    }
    add(part);
    rows += size;
  }
  yield { draft: { ...draft, ...part }, rows };
}

function emptyPart(): Part {
  return { versions: [], cases: [], events: [] };
}

/** Versions first, because a prompt has at least one, and the newest entry of the history last, because with it the prompt is complete. */
function* listRows({ prompt, versions, cases, events }: ImportDraft): Generator<{ size: number; add(part: Part): void }> {
  for (const version of versions) yield { size: 1 + version.references.length, add: (part) => part.versions.push(version) };
  for (const record of cases) yield { size: 1, add: (part) => part.cases.push(record) };
  const isLastEvent = ({ id }: { id: string }) => id === prompt.lastEvent;
  for (const event of [...events.filter((each) => !isLastEvent(each)), ...events.filter(isLastEvent)]) {
    yield { size: 1, add: (part) => part.events.push(event) };
  }
}
