import { exportFormat, exportVersion, maxImportLineBytes } from '../../../src/contract/transfer-format.ts';
import { PromptHarborError } from '../errors.ts';

/** A line with its number in the export. */
export interface ExportLine {
  text: string;
  number: number;
}

/** The lines of a prompt in one request. The first line describes the prompt itself. */
export interface PromptLines {
  /** Whether the previous request contained lines of this prompt too. */
  isContinued: boolean;
  lines: ExportLine[];
}

/** When a request exceeds this size, the next prompt starts a new request. A prompt that exceeds the hard limit is split. */
const softLimit = { characters: 512 * 1024, lines: 2000 };
const hardLimit = { characters: 1024 * 1024, lines: 5000 };

/** Splits the lines into requests, grouped by prompt. The format's line, with which each request starts, is not included here. */
export async function* batchLines(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<PromptLines[]> {
  let batch: PromptLines[] = [];
  let [characters, count, number, hasFormat] = [0, 0, 0, false];
  for await (const given of lines) {
    number += 1;
    const text = given.trim();
    if (text === '') continue;
    if (!hasFormat) {
      assertFormat(text);
      hasFormat = true;
      continue;
    }
    const line = { text, number };
    const isPrompt = isPromptLine(text);
    const limit = isPrompt ? softLimit : hardLimit;
    if (count > 0 && (characters + text.length > limit.characters || count >= limit.lines)) {
      const next = isPrompt ? [] : takeOpenPrompt(batch);
      if (batch.length > 0) yield batch;
      [batch, characters, count] = [next, 0, 0];
    }
    if (isPrompt || batch.length === 0) batch.push({ isContinued: false, lines: [line] });
    else batch.at(-1)?.lines.push(line);
    characters += text.length;
    count += 1;
  }
  if (!hasFormat) assertFormat('');
  if (batch.length > 0) yield batch;
}

/**
 * Returns the start of the next request if a prompt does not fit into this request. The next request starts with the prompt's first line
 * again. If this request has only that line, the line moves to the next request, because a prompt must not be sent without a version.
 */
function takeOpenPrompt(batch: PromptLines[]): PromptLines[] {
  const last = batch.at(-1);
  if (!last) return [];
  if (last.lines.length === 1 && !last.isContinued) return batch.splice(-1);
  return [{ isContinued: true, lines: last.lines.slice(0, 1) }];
}

function assertFormat(text: string): void {
  const { format, version } = parseLine(text) ?? {};
  if (format !== exportFormat) throw new PromptHarborError('This is not a PromptHarbor export');
  if (version !== exportVersion)
    throw new PromptHarborError('This export was made by a newer version of PromptHarbor. Upgrade the service first.');
}

/** Returns whether the line is too large for any request. */
export function isTooLong({ text }: ExportLine): boolean {
  return (
    text.length > maxImportLineBytes || (text.length * 3 > maxImportLineBytes && new TextEncoder().encode(text).length > maxImportLineBytes)
  );
}

/** Returns the name and the last event id of a prompt's line. If the first line is not a prompt's line, the name is empty. */
export function readPromptLine({ lines: [first] }: PromptLines): { name: string; lastEvent: string | undefined } {
  const value = first ? parseLine(first.text) : undefined;
  const textOf = (field: unknown) => (typeof field === 'string' ? field : undefined);
  return { name: textOf(value?.name) ?? '', lastEvent: textOf(value?.lastEvent) };
}

/** Returns whether a line is a prompt's line, even in an export that someone has edited. */
function isPromptLine(line: string): boolean {
  const written = /^\{"kind":"(\w+)"/.exec(line);
  return written ? written[1] === 'prompt' : parseLine(line)?.kind === 'prompt';
}

/** Parses a line. Returns nothing if the line is not an object, because the service reports which line is wrong. */
function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
