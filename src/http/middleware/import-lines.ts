import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PromptLines } from '../../contract/transfer.ts';
import { linesMediaType, maxImportBytes, maxImportLineBytes, maxImportLines } from '../../contract/transfer-format.ts';
import { AppError } from '../../errors.ts';
import { parseJson } from './body.ts';
import { createPromptCollector } from './prompt-lines.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route accepts lines of JSON instead of one value. */
    takesLines?: boolean;
  }
}

/** Passes bodies of JSON lines as streams to the routes that accept them. */
export function acceptLines(app: FastifyInstance): void {
  app.addContentTypeParser(linesMediaType, async (req: FastifyRequest, body: Readable) => {
    if (!req.routeOptions.config.takesLines) throw new AppError('unsupported_media_type');
    if (Number(req.headers['content-length'] ?? 0) > maxImportBytes) throw new AppError('body_too_large');
    return body;
  });
}

/**
 * Parses lines as they arrive, collects the lines of each prompt, and yields the prompts in batches. An error states the number of its
 * line.
 */
export async function* readPrompts(body: unknown): AsyncGenerator<PromptLines[]> {
  // Fastify does not parse an empty body, so there may be nothing to read.
  if (body === undefined || body === null) throw new AppError('invalid_input', { text: 'The body is empty' });
  if (!(body instanceof Readable)) throw new AppError('unsupported_media_type', { text: `Send the body as ${linesMediaType}` });
  const collector = createPromptCollector();
  let lineNumber = 0;
  for await (const text of splitLines(body)) {
    lineNumber += 1;
    if (lineNumber > maxImportLines) throw new AppError('invalid_input', { text: `Send at most ${maxImportLines} lines at a time` });
    addAt(lineNumber, () => collector.add(parseJson(text, 'The line'), text.length));
    const full = collector.takeFull();
    if (full) yield full;
  }
  // A chunked body may turn out to be empty.
  if (lineNumber === 0) throw new AppError('invalid_input', { text: 'The body is empty' });
  if (collector.prompts.length > 0) yield collector.prompts;
}

/** Splits a body into lines without their line breaks. The last line may end without a line break. */
async function* splitLines(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let line: Buffer[] = [];
  let lineBytes = 0;
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxImportBytes) throw new AppError('body_too_large');
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      yield Buffer.concat([...line, chunk.subarray(start, end)]);
      [line, lineBytes, start] = [[], 0, end + 1];
    }
    line.push(chunk.subarray(start));
    lineBytes += chunk.length - start;
    if (lineBytes > maxImportLineBytes) throw new AppError('body_too_large', { text: 'A line can have at most 2 MiB' });
  }
  if (lineBytes > 0) yield Buffer.concat(line);
}

/** Adds the line number to an error of `add`. */
function addAt(lineNumber: number, add: () => void): void {
  try {
    add();
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    const path = `/lines/${lineNumber}`;
    const details = err.details?.map((detail) => ({ ...detail, path: path + detail.path })) ?? [{ path, message: err.message }];
    throw new AppError(err.code, { text: `Line ${lineNumber}: ${err.message}`, details, cause: err.cause });
  }
}
