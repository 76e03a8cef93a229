import type { PromptHarbor } from '../../../client/src/client.ts';
import { toRequest } from '../../../client/src/http/operations.ts';
import type { Request } from '../../../client/src/http/request.ts';
import type { GetPromptResultsQuery, GetResultsQuery } from '../../../client/src/types.ts';
import type { CallSums, WorkspaceResults } from '../../contract/results.ts';
import { hasOption, type Input, pickTexts, textOf } from '../command.ts';
import { connect } from '../connection.ts';
import { UsageError } from '../errors.ts';
import { count, formatTable, note, print, printJson, write } from '../terminal.ts';
import { promptTables, workspaceTables } from './result-tables.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** The longest range that is shown by hour. Longer ranges are shown by day. */
const maxHoursMs = 2 * dayMs;
/** The number of days for which the service keeps results. */
const maxDays = 400;

export async function results(input: Input): Promise<void> {
  const [name] = input.args;
  const query = { ...rangeOf(input, Date.now()), ...filtersOf(input, name) };
  if (hasOption(input, 'csv') && hasOption(input, 'json')) throw new UsageError('Use either --csv or --json, not both.');
  await (name === undefined ? showWorkspace(input, query) : showPrompt(input, name, query));
}

async function showPrompt(input: Input, name: string, query: GetPromptResultsQuery): Promise<void> {
  const by = tableOf<keyof typeof promptTables>(input, promptTables, 'version');
  const ph = await connect(input);
  if (hasOption(input, 'csv')) {
    return writeCsv(ph, toRequest('getPromptResults', { path: { name }, query: { ...query, by, format: 'csv' } }));
  }
  const found = await ph.prompts.results(name, query);
  if (hasOption(input, 'json')) return printJson(found);
  const { calls, scores } = found.totals;
  if (calls + scores.length === 0) return note('No calls were reported in this period.');
  print(formatTable(promptTables[by](found)));
  if (by !== 'score') noteUnpriced(found.totals);
}

async function showWorkspace(input: Input, query: GetResultsQuery): Promise<void> {
  const by = tableOf(input, workspaceTables, 'prompt');
  const ph = await connect(input);
  if (hasOption(input, 'csv')) return writeCsv(ph, toRequest('getResults', { query: { ...query, by, format: 'csv' } }));
  const found = await ph.results.get(query);
  if (hasOption(input, 'json')) return printJson(found);
  if (found.totals.calls === 0) note('No calls were reported in this period.');
  else print(formatTable(workspaceTables[by](found)));
  noteUnpriced(found.totals);
  for (const { reason, count: number } of found.dropped) note(`Not counted: ${describeDropped[reason](number)}.`);
}

/** Explains the plus sign after a cost. */
function noteUnpriced({ unpriced }: CallSums): void {
  if (unpriced > 0)
    note(`The cost does not include ${count(unpriced, 'call')} whose model has no known price. Add prices under Settings › Models.`);
}

async function writeCsv(ph: PromptHarbor, request: Request): Promise<void> {
  write(process.stdout, String(await ph.request({ ...request, isText: true })));
}

const describeDropped: Record<WorkspaceResults['dropped'][number]['reason'], (number: number) => string> = {
  no_prompt: (number) => `${count(number, 'span')} without a prompt`,
  unknown_prompt: (number) => `${count(number, 'report')} about prompts that do not exist`,
  unknown_version: (number) => `${count(number, 'report')} about versions that do not exist`,
  no_match: (number) => `${count(number, 'score')} for unknown calls`,
  invalid: (number) => `${count(number, 'report')} with invalid values`,
};

/** Returns the range that the options name. The service checks the times, and its errors name the times that it does not accept. */
function rangeOf(input: Input, now: number): Pick<GetResultsQuery, 'from' | 'to' | 'interval'> {
  const last = textOf(input, 'last');
  const given = pickTexts(input, ['from', 'to']);
  if (last === undefined) return { ...given, ...intervalOf(given, now) };
  if (Object.keys(given).length > 0) throw new UsageError('Use either --last, or --from and --to.');
  const [, number, unit] = /^([1-9]\d{0,3})([hd])$/.exec(last) ?? [];
  const ms = Number(number) * (unit === 'h' ? hourMs : dayMs);
  if (number === undefined || ms > maxDays * dayMs)
    throw new UsageError(`--last must be a duration such as 12h or 7d, and at most ${maxDays}d.`);
  const from = new Date(now - ms).toISOString();
  return { from, ...intervalOf({ from }, now) };
}

function intervalOf({ from, to }: { from?: string; to?: string }, now: number): { interval?: 'day' } {
  const end = to === undefined ? now : Date.parse(to);
  return from !== undefined && end - Date.parse(from) > maxHoursMs ? { interval: 'day' } : {};
}

function filtersOf(input: Input, name: string | undefined): Pick<GetPromptResultsQuery, 'label' | 'model'> {
  const filters = pickTexts(input, ['label', 'model']);
  if (name === undefined && Object.keys(filters).length > 0) throw new UsageError('--label and --model require the name of a prompt.');
  return filters;
}

function tableOf<Table extends string>(input: Input, tables: Record<Table, unknown>, defaultTable: Table): Table {
  const given = textOf(input, 'by') ?? defaultTable;
  const names = Object.keys(tables) as Table[];
  const found = names.find((name) => name === given);
  if (found === undefined) throw new UsageError(`--by must be one of: ${names.join(', ')}.`);
  return found;
}
