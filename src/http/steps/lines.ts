import type { FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { CaseLine, DeletedVersionLine, EventLine, FormatLine, PromptLine, type PromptLines, VersionLine } from '../../contract/transfer.ts';
import { linesMediaType, maxImportLines } from '../../contract/transfer-format.ts';
import { AppError } from '../../errors.ts';
import { yieldIfLong } from '../../platform/event-loop.ts';
import type { App } from '../fastify.ts';
import { parseJson } from './body.ts';
import { createValidator } from './validation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route takes lines of JSON rather than one value. */
    takesLines?: boolean;
  }
}

/** Hands bodies of lines to the routes that take them, as bytes: they are parsed when it is the request's turn. */
export function acceptLines(app: App): void {
  app.addContentTypeParser(linesMediaType, { parseAs: 'buffer' }, async (req: FastifyRequest, body: Buffer) => {
    if (!req.routeOptions.config.takesLines) throw new AppError('unsupported_media_type');
    return body;
  });
}

/** Parses a body of lines, and puts those of each prompt together. An error names the line. */
export async function parseLines(body: unknown): Promise<PromptLines[]> {
  // Fastify parses no body that is empty.
  if (body === undefined || body === null) throw new AppError('invalid_input', { text: 'The body is empty' });
  if (!Buffer.isBuffer(body)) throw new AppError('unsupported_media_type', { text: `Send the body as ${linesMediaType}` });
  const collector = createCollector();
  let lineNumber = 0;
  for (const text of splitLines(body)) {
    lineNumber += 1;
    if (lineNumber > maxImportLines) throw new AppError('invalid_input', { text: `Send at most ${maxImportLines} lines at a time` });
    await yieldIfLong();
    addAt(lineNumber, () => collector.add(parseJson(text)));
  }
  return collector.prompts;
}

/** Without the line breaks. The last line needs none. */
function* splitLines(body: Buffer): Generator<Buffer> {
  for (let start = 0; start < body.length; ) {
    const end = body.indexOf(0x0a, start);
    yield body.subarray(start, end === -1 ? body.length : end);
    start = end === -1 ? body.length : end + 1;
  }
}

function createCollector() {
  const prompts: PromptLines[] = [];
  let isFirst = true;
  let seen = new Set<string>();

  function assertNew(key: string): void {
    if (seen.has(key)) throw new AppError('invalid_input', { text: `the ${key} of this prompt is there twice` });
    seen.add(key);
  }

  return {
    prompts,
    add(line: unknown): void {
      if (isFirst) {
        formatLine.parse(line);
        isFirst = false;
        return;
      }
      const kind = kindOf(line);
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
