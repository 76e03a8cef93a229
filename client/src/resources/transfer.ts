import { mergeImportResults } from '../../../src/contract/import-results.ts';
import { formatLine, linesMediaType } from '../../../src/contract/transfer-format.ts';
import { ApiError, ConnectionError, createApiError, createForeignResponseError, PromptHarborError } from '../errors.ts';
import { readLines } from '../http/lines.ts';
import { readChunks } from '../http/read-text.ts';
import type { RequestOptions, Sender } from '../http/request.ts';
import { type ImportedPrompt, type ImportedPrompts, operations, responseFields } from '../types.ts';
import { batchLines, isTooLong, type PromptLines, readPromptLine } from './import-batches.ts';

export interface ImportOptions extends RequestOptions {
  /** Reports what an import would do, without importing anything. */
  dryRun?: boolean | undefined;
  /** Replaces existing prompts that conflict with the export. The replaced prompts go to the bin. */
  replace?: boolean | undefined;
  /** Reports a prompt with an invalid line as a conflict and imports all other prompts. By default, an invalid line ends the import. */
  skipInvalid?: boolean | undefined;
  /** Called after each request with the prompts in it. A large prompt can be in several requests. */
  onProgress?: ((prompts: ImportedPrompt[]) => void) | undefined;
}

/** The timeout for one import request, which may save hundreds of versions. */
const importTimeoutMs = 120_000;
const laterRetries = 5;

/** `ph.export()` and `ph.import()`. `retries` says how often the transport retries a failed request. */
export function createTransfer(sender: Sender, retries = 0) {
  const [exportMethod, exportPath] = operations.exportPrompts;
  const [importMethod, importPath] = operations.importPrompts;

  async function sendPrompts(prompts: PromptLines[], options: ImportOptions): Promise<ImportedPrompt[]> {
    const { dryRun, replace, skipInvalid: _skipInvalid, onProgress: _onProgress, ...rest } = options;
    const request = {
      method: importMethod,
      path: importPath,
      query: { ...(dryRun && { dryRun: true }), ...(replace && { replace: true }) },
      lines: [formatLine, ...prompts.flatMap(({ lines }) => lines.map(({ text }) => text))],
      isRepeatable: true,
      expects: responseFields.importPrompts,
    };
    const { data } = (await sender.send(request, { timeoutMs: importTimeoutMs, ...rest })) as ImportedPrompts;
    return data;
  }

  /** Sends the lines of a request. If invalid prompts are to be skipped, sends the request again without them. */
  async function importPromptLines(prompts: PromptLines[], options: ImportOptions): Promise<ImportedPrompt[]> {
    const conflicts: ImportedPrompt[] = [];
    for (let left = prompts; left.length > 0; ) {
      const problem = findLongLine(left) ?? (await sendPrompts(left, options).catch((err: unknown) => findInvalidLine(left, err)));
      if (Array.isArray(problem)) return [...conflicts, ...problem];
      if (!options.skipInvalid) throw problem.error;
      conflicts.push({ name: readPromptLine(problem.prompt).name, status: 'conflict', reason: problem.reason });
      left = left.filter((prompt) => prompt !== problem.prompt);
    }
    return conflicts;
  }

  return {
    /**
     * Exports all prompts of the workspace. Yields the lines of the export, each as JSON without its line break. Throws if the export is
     * incomplete.
     */
    async *export(options: RequestOptions = {}): AsyncGenerator<string, undefined> {
      const request = { method: exportMethod, path: exportPath };
      const response = await sender.open(request, { ...options, headers: { accept: linesMediaType, ...options.headers } });
      if (!response.body || !response.headers.get('content-type')?.startsWith(linesMediaType)) {
        throw createForeignResponseError('The response is not an export');
      }
      try {
        yield* readLines(readChunks(response.body));
      } catch (err) {
        if (options.signal?.aborted) throw options.signal.reason;
        throw new ConnectionError('The export ended before it was complete', { cause: err });
      }
      return undefined;
    },

    /** Imports the lines of an export in as many requests as needed. Returns the result for each prompt. */
    async import(lines: AsyncIterable<string> | Iterable<string>, options: ImportOptions = {}): Promise<ImportedPrompt[]> {
      const results = new Map<string, ImportedPrompt>();
      const completeness = trackCompleteness();
      // If one part of a large prompt conflicts, its later parts are skipped. A dry run can report only the result of the first part.
      const isSkipped = (prompt: PromptLines) =>
        prompt.isContinued && (options.dryRun || results.get(readPromptLine(prompt).name)?.status === 'conflict');
      let requests = 0;
      for await (const batch of batchLines(lines)) {
        for (const prompt of batch) completeness.add(prompt);
        // Once the import has started, a short outage of the service should not end it.
        const data = await importPromptLines(
          batch.filter((prompt) => !isSkipped(prompt)),
          requests === 0 ? options : { retries: Math.max(laterRetries, retries), ...options },
        );
        requests += 1;
        for (const prompt of data) results.set(prompt.name, mergeImportResults(results.get(prompt.name), prompt));
        options.onProgress?.(data);
      }
      return [...results.values()].map((result) => (completeness.isBroken(result) ? { ...result, ...brokenOff } : result));
    },
  };
}

interface InvalidLine {
  prompt: PromptLines;
  reason: string;
  error: PromptHarborError;
}

function findLongLine(prompts: PromptLines[]): InvalidLine | undefined {
  for (const prompt of prompts) {
    const line = prompt.lines.find(isTooLong);
    const reason = 'It is too long for a request';
    if (line) return { prompt, reason, error: new PromptHarborError(`Line ${line.number}: ${reason}`) };
  }
  return undefined;
}

/**
 * Returns the line that the service rejected, with its number in the export, which is not its number in the request. Throws any other
 * error.
 */
function findInvalidLine(prompts: PromptLines[], err: unknown): InvalidLine {
  const detail = err instanceof ApiError && err.status === 400 ? err.details[0] : undefined;
  const [, position, field = ''] = /^\/lines\/(\d+)\/?(.*)$/.exec(detail?.path ?? '') ?? [];
  const lines = prompts.flatMap((prompt) => prompt.lines.map((line) => ({ prompt, line })));
  // The first line of the request is the format's line.
  const found = position === undefined ? undefined : lines[Number(position) - 2];
  if (!found || !detail || !(err instanceof ApiError)) throw err;
  const { prompt, line } = found;
  const reason = field === '' ? detail.message : `${field}: ${detail.message}`;
  const details = [{ ...detail, path: `/lines/${line.number}${field === '' ? '' : `/${field}`}` }];
  return { prompt, reason, error: createApiError(`Line ${line.number}: ${reason}`, { ...err, details }) };
}

const brokenOff = {
  status: 'conflict',
  reason: 'The export ends in the middle of this prompt, so it has no labels yet. Import a complete export.',
} as const satisfies Partial<ImportedPrompt>;

/** Finds prompts that were imported without their newest history entry, for example from a truncated file. */
function trackCompleteness() {
  const broken = new Set<string>();
  return {
    add(prompt: PromptLines): void {
      const { name, lastEvent } = readPromptLine(prompt);
      const isComplete = lastEvent === undefined || prompt.lines.slice(1).some(({ text }) => text.includes(`"${lastEvent}"`));
      if (isComplete) broken.delete(name);
      else if (!prompt.isContinued) broken.add(name);
    },
    isBroken: ({ name, status }: ImportedPrompt) => broken.has(name) && status !== 'unchanged' && status !== 'conflict',
  };
}
