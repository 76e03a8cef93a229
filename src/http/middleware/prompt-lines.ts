import type { Static, TSchema } from 'typebox';
import { CaseLine, DeletedVersionLine, EventLine, FormatLine, PromptLine, type PromptLines, VersionLine } from '../../contract/transfer.ts';
import { maxImportPromptBytes } from '../../contract/transfer-format.ts';
import { AppError } from '../../errors.ts';
import { createValidator } from './validation.ts';

/** The minimum size of a batch of prompts. Most requests are smaller than this, so nothing is imported if one of their lines is invalid. */
const batchBytes = 1024 * 1024;

/** Validates the lines of an export one by one, and collects the lines of each prompt. */
export function createPromptCollector() {
  let prompts: PromptLines[] = [];
  /** The number of bytes of all collected prompts. `promptBytes` is the number of bytes of the last one. */
  let bytes = 0;
  let promptBytes = 0;
  let isFirst = true;
  let seen = new Set<string>();

  function assertNew(key: string): void {
    if (seen.has(key)) throw new AppError('invalid_input', { text: `the ${key} of this prompt appears twice` });
    seen.add(key);
  }

  return {
    get prompts() {
      return prompts;
    },

    /**
     * Removes and returns the complete prompts if there are enough for a batch. The last prompt stays, because more of its lines may
     * follow.
     */
    takeFull(): PromptLines[] | undefined {
      if (bytes - promptBytes < batchBytes) return undefined;
      const full = prompts.slice(0, -1);
      prompts = prompts.slice(-1);
      bytes = promptBytes;
      return full;
    },

    add(line: unknown, lineBytes: number): void {
      if (isFirst) {
        parseFormat(line);
        isFirst = false;
        return;
      }
      const kind = kindOf(line);
      bytes += lineBytes;
      promptBytes = lineBytes + (kind === 'prompt' ? 0 : promptBytes);
      if (promptBytes > maxImportPromptBytes) {
        throw new AppError('invalid_input', {
          text: 'the lines of a prompt can have at most 4 MiB in a row. To continue the prompt, repeat its first line.',
        });
      }
      if (kind === 'prompt') {
        prompts.push({ prompt: parsePrompt(line), versions: [], deletedVersions: [], cases: [], events: [] });
        seen = new Set();
        return;
      }
      const own = prompts.at(-1);
      if (!own) throw new AppError('invalid_input', { text: 'a line of the kind "prompt" must come first' });
      if (kind === 'version') {
        const version = Object.hasOwn(line as object, 'deletedAt') ? parseDeletedVersion(line) : parseVersion(line);
        assertNew(`version ${version.version}`);
        if ('deletedAt' in version) own.deletedVersions.push(version);
        else own.versions.push(version);
      } else if (kind === 'case') {
        own.cases.push(parseCase(line));
        assertNew(`case ${own.cases.at(-1)?.id}`);
      } else {
        own.events.push(parseEvent(line));
        assertNew(`event ${own.events.at(-1)?.id}`);
      }
    },
  };
}

/** Returns a function that parses lines of one shape. */
function createParser<T extends TSchema>(schema: T): (line: unknown) => Static<T> {
  const findProblem = createValidator(schema);
  return (line) => {
    const problem = findProblem(line);
    if (problem) throw problem;
    // The line is valid, so it has the shape of the schema.
    return line as Static<T>;
  };
}

const parseFormat = createParser(FormatLine);
const parsePrompt = createParser(PromptLine);
const parseVersion = createParser(VersionLine);
const parseDeletedVersion = createParser(DeletedVersionLine);
const parseCase = createParser(CaseLine);
const parseEvent = createParser(EventLine);
const kinds = ['prompt', 'version', 'case', 'event'] as const;

function kindOf(line: unknown): (typeof kinds)[number] {
  const kind = kinds.find((known) => typeof line === 'object' && line !== null && 'kind' in line && line.kind === known);
  if (!kind) throw new AppError('invalid_input', { details: [{ path: '/kind', message: `Use one of: ${kinds.join(', ')}` }] });
  return kind;
}
