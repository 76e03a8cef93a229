import { splitInTurns, yieldIfLong } from '../../platform/event-loop.ts';
import type { CallCount, KeyUse, PromptCount, RenderErrorCount, UsageCounts } from './usage-counts.ts';

/**
 * Counted calls of a range of accounts. The body has a line with the times and routes that the others refer to by index, and then one
 * line per account, sorted by account. Each line is JSON and ends with a newline, which JSON has nowhere else: so the line of an account
 * is found by a search for its beginning, and blocks are merged by reading their lines in parallel.
 */
export interface UsageBlock {
  firstAccount: string;
  lastAccount: string;
  body: string;
}

/** Counted calls, of which only some are in each block. Lines refer to times and routes by index. */
export interface UsageLines {
  times: string[];
  routes: string[];
  /** In any order. */
  accountIds: string[];
  /** Called for one account after the other, because there may be many. */
  lineOf(accountId: string): AccountLine;
}

/** The use of an account's own key, and the calls that count for its workspace. Of each list, the fields of all counters in turn. */
export interface AccountLine {
  accountId: string;
  /** 0 if no key of the account was used. */
  keySerial: number;
  lastUsedMs: number;
  /** Time, route, status, bucket, calls. */
  calls: number[];
  /** Time, prompt, version, label, status, calls. */
  prompts: (number | string)[];
  /** Time, prompt, code, name, calls. */
  renderErrors: (number | string)[];
}

/** A block ends after the account with which it has this many characters. */
const blockLength = 8192;

/** Yields block by block, because there may be many. The ids of the accounts must be sorted. They are ASCII, so both engines sort alike. */
export function* encodeBlocks({ times, routes, lineOf }: UsageLines, accountIds: string[]): Generator<UsageBlock> {
  const [first] = accountIds;
  const baseMs = first === undefined ? 0 : lineOf(first).lastUsedMs;
  const header = `${JSON.stringify([baseMs, times, routes])}\n`;
  let block: UsageBlock | undefined;
  for (const accountId of accountIds) {
    block ??= { firstAccount: accountId, lastAccount: accountId, body: header };
    block.lastAccount = accountId;
    block.body += formatLine(lineOf(accountId), baseMs);
    if (block.body.length < blockLength) continue;
    yield block;
    block = undefined;
  }
  if (block) yield block;
}

/** Most accounts have only calls, so their lines are formatted without JSON.stringify. */
function formatLine({ accountId, keySerial, lastUsedMs, calls, prompts, renderErrors }: AccountLine, baseMs: number): string {
  const use = keySerial === 0 ? '0,0' : `${keySerial},${lastUsedMs - baseMs}`;
  const details = prompts.length + renderErrors.length === 0 ? '' : `,${JSON.stringify(prompts)},${JSON.stringify(renderErrors)}`;
  return `${startOfLine(accountId)}${use},[${calls.join()}]${details}]\n`;
}

/** The ids of accounts have no characters that JSON escapes. */
function startOfLine(accountId: string): string {
  return `["${accountId}",`;
}

/** A line, and what its indexes refer to. */
export interface BlockLine {
  header: BlockHeader;
  text: string;
}

interface BlockHeader {
  baseMs: number;
  times: string[];
  routes: string[];
}

export function parseHeader(body: string): BlockHeader {
  // Written by encodeBlocks.
  const [baseMs, times, routes] = JSON.parse(body.slice(0, body.indexOf('\n'))) as [number, string[], string[]];
  return { baseMs, times, routes };
}

/** The line of an account, if it has one. */
export function findLine(body: string, accountId: string): BlockLine | undefined {
  const start = body.indexOf(`\n${startOfLine(accountId)}`) + 1;
  return start === 0 ? undefined : { header: parseHeader(body), text: body.slice(start, body.indexOf('\n', start)) };
}

/** The account of the line that starts at a position. */
export function accountOfLine(body: string, lineStart: number): string {
  const start = lineStart + '["'.length;
  return body.slice(start, body.indexOf('"', start));
}

type ParsedLine = [string, number, number, number[], (number | string)[]?, (number | string)[]?];

/**
 * Adds up the lines of one account, with pauses for requests. The same lines in the same order give the same rows in the same order, so
 * that a fold can be continued in the middle of an account.
 */
export async function addUpLines(lines: BlockLine[]): Promise<UsageCounts> {
  const counts: UsageCounts = { calls: [], prompts: [], renderErrors: [], keyUses: [] };
  for (const { header, text } of lines) {
    await yieldIfLong();
    appendLine(counts, header, JSON.parse(text) as ParsedLine);
  }
  if (lines.length <= 1) return counts;
  return {
    calls: await addUp(counts.calls, ({ time, route, status, bucket }) => `${time} ${route} ${status} ${bucket}`),
    prompts: await addUp(counts.prompts, (row) => `${row.time} ${row.promptId} ${row.version} ${row.status} ${row.label}`),
    renderErrors: await addUp(counts.renderErrors, ({ time, promptId, code, name }) => `${time} ${promptId} ${code} ${name}`),
    keyUses: findNewest(counts.keyUses),
  };
}

/** When the account's key was used, if it was. */
export function readKeyUse({ header: { baseMs }, text }: BlockLine): KeyUse | undefined {
  // The lists, which may be long, come after it.
  const [accountId, keySerial, lastUsed] = JSON.parse(`${text.slice(0, text.indexOf(',['))}]`) as [string, number, number];
  return keySerial === 0 ? undefined : { accountId, keySerial, lastUsedMs: baseMs + lastUsed };
}

function appendLine(counts: UsageCounts, { baseMs, times, routes }: BlockHeader, line: ParsedLine): void {
  const [accountId, keySerial, lastUsed, calls, prompts = [], renderErrors = []] = line;
  if (keySerial > 0) counts.keyUses.push({ accountId, keySerial, lastUsedMs: baseMs + lastUsed });
  for (const [time, route, status, bucket, count] of groupsOf<CallFields>(calls, 5)) {
    counts.calls.push({ accountId, time: times[time] ?? '', route: routes[route] ?? '', status, bucket, calls: count });
  }
  for (const [time, promptId, version, label, status, count] of groupsOf<PromptFields>(prompts, 6)) {
    counts.prompts.push({ accountId, time: times[time] ?? '', promptId, version, label, status, calls: count });
  }
  for (const [time, promptId, code, name, count] of groupsOf<RenderErrorFields>(renderErrors, 5)) {
    counts.renderErrors.push({ accountId, time: times[time] ?? '', promptId, code, name, calls: count });
  }
}

type CallFields = [time: number, route: number, status: number, bucket: number, calls: number];
type PromptFields = [time: number, promptId: string, version: number, label: string, status: number, calls: number];
type RenderErrorFields = [time: number, promptId: string, code: string, name: string, calls: number];

function* groupsOf<Fields>(values: (number | string)[], size: number): Generator<Fields> {
  // The fields are those of AccountLine.
  for (let start = 0; start < values.length; start += size) yield values.slice(start, start + size) as Fields;
}

async function addUp<Row extends CallCount | PromptCount | RenderErrorCount>(rows: Row[], keyOf: (row: Row) => string): Promise<Row[]> {
  const sums = new Map<string, Row>();
  for await (const part of splitInTurns(rows)) {
    for (const row of part) {
      const key = keyOf(row);
      const sum = sums.get(key);
      if (sum) sum.calls += row.calls;
      else sums.set(key, row);
    }
  }
  return [...sums.values()];
}

function findNewest(uses: KeyUse[]): KeyUse[] {
  return uses.toSorted((a, b) => b.keySerial - a.keySerial || b.lastUsedMs - a.lastUsedMs).slice(0, 1);
}
