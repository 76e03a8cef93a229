import { type AccountLine, addUpLines, encodeBlocks, findLine, type UsageLines } from '../../src/store/statistics/usage-block.ts';
import type { UsageCounts } from '../../src/store/statistics/usage-counts.ts';

/** The lines of a batch for rows of the statistics, which may be of any times. */
export function toLines({ calls = [], prompts = [], renderErrors = [], keyUses = [] }: Partial<UsageCounts>): UsageLines {
  const times = createDictionary();
  const routes = createDictionary();
  const lines = new Map<string, AccountLine>();
  const lineOf = (accountId: string): AccountLine => {
    const line = lines.get(accountId) ?? { accountId, keySerial: 0, lastUsedMs: 0, calls: [], prompts: [], renderErrors: [] };
    lines.set(accountId, line);
    return line;
  };
  for (const { accountId, ...use } of keyUses) Object.assign(lineOf(accountId), use);
  for (const row of calls) {
    lineOf(row.accountId).calls.push(times.indexOf(row.time), routes.indexOf(row.route), row.status, row.bucket, row.calls);
  }
  for (const row of prompts) {
    lineOf(row.accountId).prompts.push(times.indexOf(row.time), row.promptId, row.version, row.label, row.status, row.calls);
  }
  for (const row of renderErrors) {
    lineOf(row.accountId).renderErrors.push(times.indexOf(row.time), row.promptId, row.code, row.name, row.calls);
  }
  return { times: times.words, routes: routes.words, accountIds: [...lines.keys()], lineOf };
}

/** The rows that a batch adds to the statistics. */
export async function countsIn(batch: UsageLines): Promise<UsageCounts> {
  const all: UsageCounts = { calls: [], prompts: [], renderErrors: [], keyUses: [] };
  for (const accountId of batch.accountIds) {
    for (const { body } of encodeBlocks(batch, batch.accountIds.toSorted())) {
      const line = findLine(body, accountId);
      if (!line) continue;
      const counts = await addUpLines([line]);
      all.calls.push(...counts.calls);
      all.prompts.push(...counts.prompts);
      all.renderErrors.push(...counts.renderErrors);
      all.keyUses.push(...counts.keyUses);
    }
  }
  return all;
}

function createDictionary() {
  const words: string[] = [];
  return {
    words,
    indexOf(word: string): number {
      const index = words.indexOf(word);
      return index === -1 ? words.push(word) - 1 : index;
    },
  };
}
