import type { ListWorkspaceActivityQuery } from '../../../client/src/types.ts';
import type { ActivityEntry } from '../../contract/workspace-activity.ts';
import { hasOption, type Input, pickTexts, textOf } from '../command.ts';
import { connect } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { formatTable, note, print, printJson, shorten } from '../terminal.ts';

const defaultEntries = 50;
const maxChangeLength = 80;

export async function activity(input: Input): Promise<void> {
  const count = parseCount(textOf(input, 'limit'));
  const ph = await connect(input);
  // The service checks the values, and its errors name the values that it does not accept.
  const filters = pickTexts(input, ['by', 'type', 'prompt', 'from', 'to']) as ListWorkspaceActivityQuery;
  const entries: Awaited<ReturnType<typeof ph.activity.list>>['data'] = [];
  for await (const entry of ph.activity.list({ ...filters, limit: Math.min(count, 100) })) {
    entries.push(entry);
    if (entries.length === count) break;
  }
  if (hasOption(input, 'json')) return printJson(entries);
  if (entries.length === 0) return note('No entries found.');
  print(formatTable([['TIME', 'PERSON', 'ENTRY', 'PROMPT', 'CHANGE'], ...entries.map(toRow)]));
}

function toRow({ at, by, type, prompt, detail }: Pick<ActivityEntry, 'at' | 'by' | 'type' | 'prompt' | 'detail'>): string[] {
  const change = Object.keys(detail).length === 0 ? '' : JSON.stringify(detail);
  return [at, by?.name ?? '', type, prompt?.name ?? '', shorten(change, maxChangeLength)];
}

function parseCount(text: string | undefined): number {
  if (text === undefined) return defaultEntries;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError('--limit must be a number from 1 to 9999999.');
  return Number(text);
}
