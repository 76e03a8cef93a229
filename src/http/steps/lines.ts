import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { CaseLine, DeletedVersionLine, EventLine, FormatLine, PromptLine, type PromptLines, VersionLine } from '../../contract/transfer.ts';
import {
  linesMediaType,
  maxImportBytes,
  maxImportLineBytes,
  maxImportLines,
  maxImportPromptBytes,
} from '../../contract/transfer-format.ts';
import { AppError } from '../../errors.ts';
import type { App } from '../fastify.ts';
import { parseJson } from './body.ts';
import { createValidator } from './validation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route takes lines of JSON rather than one value. */
    takesLines?: boolean;
  }
}

/** Prompts with so many bytes are passed on together. Most requests have fewer, so that nothing of one with an invalid line is imported. */
const batchBytes = 1024 * 1024;

/** Hands bodies of lines to the routes that take them, as streams. */
export function acceptLines(app: App): void {
  app.addContentTypeParser(linesMediaType, async (req: FastifyRequest, body: Readable) => {
    if (!req.routeOptions.config.takesLines) throw new AppError('unsupported_media_type');
    if (Number(req.headers['content-length'] ?? 0) > maxImportBytes) throw new AppError('body_too_large');
    return body;
  });
}

/** Parses lines as they arrive, puts those of each prompt together, and yields the prompts in batches. An error names the line. */
export async function* readPrompts(body: unknown): AsyncGenerator<PromptLines[]> {
  // Fastify parses no body that is empty.
  if (body === undefined || body === null) throw new AppError('invalid_input', { text: 'The body is empty' });
  if (!(body instanceof Readable)) throw new AppError('unsupported_media_type', { text: `Send the body as ${linesMediaType}` });
  const collector = createCollector();
  let lineNumber = 0;
  for await (const text of splitLines(body)) {
    lineNumber += 1;
    if (lineNumber > maxImportLines) throw new AppError('invalid_input', { text: `Send at most ${maxImportLines} lines at a time` });
    addAt(lineNumber, () => collector.add(parseJson(text), text.length));
    const full = collector.takeFull();
    if (full) yield full;
  }
  // A chunked body may turn out empty.
  if (lineNumber === 0) throw new AppError('invalid_input', { text: 'The body is empty' });
  if (collector.prompts.length > 0) yield collector.prompts;
}

/** Without the line breaks. The last line needs none. */
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
    if (lineBytes > maxImportLineBytes) throw new AppError('body_too_large', { text: 'A line has at most 2 MiB' });
  }
  if (lineBytes > 0) yield Buffer.concat(line);
}

function createCollector() {
  let prompts: PromptLines[] = [];
  /** Of all prompts that are collected, and of the last one. */
  let bytes = 0;
  let promptBytes = 0;
  let isFirst = true;
  let seen = new Set<string>();

  function assertNew(key: string): void {
    if (seen.has(key)) throw new AppError('invalid_input', { text: `the ${key} of this prompt is there twice` });
    seen.add(key);
  }

  return {
    get prompts() {
      return prompts;
    },

    /** Takes the complete prompts if they have enough bytes for a batch. More lines of the last one may follow. */
    takeFull(): PromptLines[] | undefined {
      if (bytes - promptBytes < batchBytes) return undefined;
      const full = prompts.slice(0, -1);
      prompts = prompts.slice(-1);
      bytes = promptBytes;
      return full;
    },

    add(line: unknown, lineBytes: number): void {
      if (isFirst) {
        formatLine.parse(line);
        isFirst = false;
        return;
      }
      const kind = kindOf(line);
      bytes += lineBytes;
      promptBytes = lineBytes + (kind === 'prompt' ? 0 : promptBytes);
      if (promptBytes > maxImportPromptBytes) {
        throw new AppError('invalid_input', { text: 'a prompt has at most 4 MiB in a row; repeat its first line to continue' });
      }
      if (kind === 'prompt') {
        prompts.push({ prompt: promptLine.parse(line), versions: [], deletedVersions: [], cases: [], events: [] });
        seen = new Set();
        return;
      }
      const own = prompts.at(-1);
      if (!own) throw new AppError('invalid_input', { text: 'a line of the kind "prompt" must come first' });
      if (kind === 'version') {
        const version = Object.hasOwn(line as object, 'deletedAt') ? deletedVersionLine.parse(line) : versionLine.parse(line);
        assertNew(`version ${version.version}`);
        if ('deletedAt' in version) own.deletedVersions.push(version);
        else own.versions.push(version);
      } else if (kind === 'case') {
        own.cases.push(caseLine.parse(line));
        assertNew(`case ${own.cases.at(-1)?.id}`);
      } else {
        own.events.push(eventLine.parse(line));
        assertNew(`event ${own.events.at(-1)?.id}`);
      }
    },
  };
}

/** A parser of lines of one shape. */
function createLineParser<T extends TSchema>(schema: T): { parse(line: unknown): Static<T> } {
  const findProblem = createValidator(schema);
  return {
    parse(line) {
      const problem = findProblem(line);
      if (problem) throw problem;
      // It has the shape of the schema.
      return line as Static<T>;
    },
  };
}

const formatLine = createLineParser(FormatLine);
const promptLine = createLineParser(PromptLine);
const versionLine = createLineParser(VersionLine);
const deletedVersionLine = createLineParser(DeletedVersionLine);
const caseLine = createLineParser(CaseLine);
const eventLine = createLineParser(EventLine);
const kinds = ['prompt', 'version', 'case', 'event'] as const;

function kindOf(line: unknown): (typeof kinds)[number] {
  const kind = kinds.find((known) => typeof line === 'object' && line !== null && 'kind' in line && line.kind === known);
  if (!kind) throw new AppError('invalid_input', { details: [{ path: '/kind', message: `Use one of: ${kinds.join(', ')}` }] });
  return kind;
}

/** Adds to an error which line it is about. */
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
