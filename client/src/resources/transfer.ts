import { formatLine, linesMediaType } from '../../../src/contract/transfer-format.ts';
import { ConnectionError, PromptHarborError } from '../errors.ts';
import { readChunks, readLines } from '../http/lines.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';
import { type ImportedPrompt, type ImportedPrompts, operations } from '../types.ts';

export interface ImportOptions extends RequestOptions {
  /** Only say what would be done. */
  dryRun?: boolean | undefined;
  /** Called after each request with the prompts it was about. One that is large is in several. */
  onProgress?: ((prompts: ImportedPrompt[]) => void) | undefined;
}

/** A request ends with the next prompt after this, or in the middle of a prompt that is larger. */
const softLimit = { characters: 512 * 1024, lines: 2000 };
const hardLimit = { characters: 1024 * 1024, lines: 5000 };
/** A request saves hundreds of versions. */
const importTimeoutMs = 120_000;
const laterRetries = 5;

/** `ph.export()` and `ph.import()` */
export function createTransfer(transport: Transport) {
  const [exportMethod, exportPath] = operations.exportPrompts;
  const [importMethod, importPath] = operations.importPrompts;

  async function sendLines(lines: string[], { dryRun, onProgress: _onProgress, ...options }: ImportOptions): Promise<ImportedPrompt[]> {
    const request = {
      method: importMethod,
      path: importPath,
      query: dryRun ? { dryRun: true } : {},
      lines,
      isRepeatable: true,
    };
    const { data } = (await transport.send(request, { timeoutMs: importTimeoutMs, ...options })) as ImportedPrompts;
    return data;
  }

  return {
    /** All prompts of the workspace, as lines of JSON without line breaks. Throws if they do not come to their end. */
    async *export(options: RequestOptions = {}): AsyncGenerator<string, undefined> {
      const request = { method: exportMethod, path: exportPath };
      const response = await transport.open(request, { ...options, headers: { accept: linesMediaType, ...options.headers } });
      if (!response.body || !response.headers.get('content-type')?.startsWith(linesMediaType)) {
        throw new PromptHarborError('The response is no export. Is baseUrl the address of a PromptHarbor service?');
      }
      try {
        yield* readLines(readChunks(response.body));
      } catch (err) {
        if (options.signal?.aborted) throw options.signal.reason;
        throw new ConnectionError('The export broke off before its end', { cause: err });
      }
      return undefined;
    },

    /** Imports lines of an export, in as many requests as it takes. Returns what became of each prompt. */
    async import(lines: AsyncIterable<string> | Iterable<string>, options: ImportOptions = {}): Promise<ImportedPrompt[]> {
      const results = new Map<string, ImportedPrompt>();
      let requests = 0;
      for await (const batch of batchLines(lines)) {
        // Once it has begun, a service that is away for a moment should not end it.
        const data = await sendLines(
          batch,
          requests === 0 ? options : { retries: Math.max(laterRetries, transport.settings.retries), ...options },
        );
        requests += 1;
        for (const prompt of data) results.set(prompt.name, mergeResults(results.get(prompt.name), prompt));
        options.onProgress?.(data);
      }
      return [...results.values()];
    },
  };
}

/** The lines of requests. Each begins with that of the format and, in the middle of a prompt, with that of the prompt. */
async function* batchLines(lines: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string[]> {
  let batch = [formatLine];
  let characters = 0;
  let prompt: string | undefined;
  let isFirst = true;
  for await (const line of lines) {
    if (line === '') continue;
    if (isFirst && line !== formatLine) throw new PromptHarborError('This is no export of PromptHarbor, or one of a newer version');
    if (!isFirst) {
      const isPrompt = line.startsWith('{"kind":"prompt",');
      const limit = isPrompt ? softLimit : hardLimit;
      if (batch.length > 1 && (characters + line.length > limit.characters || batch.length >= limit.lines)) {
        yield batch;
        batch = isPrompt || prompt === undefined ? [formatLine] : [formatLine, prompt];
        characters = 0;
      }
      if (isPrompt) prompt = line;
      batch.push(line);
      characters += line.length;
    }
    isFirst = false;
  }
  if (batch.length > 1) yield batch;
}

/** A prompt that took several requests was created by the first, and completed by the others. */
function mergeResults(before: ImportedPrompt | undefined, after: ImportedPrompt): ImportedPrompt {
  if (!before || after.status === 'conflict') return after;
  return order.indexOf(before.status) <= order.indexOf(after.status) ? before : after;
}

const order: ImportedPrompt['status'][] = ['conflict', 'created', 'completed', 'unchanged'];
