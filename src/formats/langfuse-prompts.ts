import type { ImportedPrompt } from '../../client/src/types.ts';
import { findNameProblem, normalizeName } from '../contract/prompt-names.ts';
import { formatLine } from '../contract/transfer-format.ts';
import { convertLangfuse, Unconvertible } from './langfuse-lines.ts';
import type { LangfuseListed, LangfuseVersion } from './langfuse-types.ts';

export interface LangfuseSource {
  listPrompts(): Promise<LangfuseListed[]>;
  /** Returns a version. Throws an UnreadableVersion if Langfuse lists the version but does not return it. */
  getVersion(name: string, version: number): Promise<LangfuseVersion>;
}

/** The error for a version that cannot be read, even after a retry. Other versions of the prompt can still be read. */
export class UnreadableVersion extends Error {}

/** The error for a server that does not behave like Langfuse. */
export class NotLangfuse extends Error {}

/** The maximum length of the whole list as JSON. It is limited because the server may send an endless list. */
const maxListLength = 64 * 1024 * 1024;

interface Requests {
  pageLimit: number;
  /** Returns the parsed body of a page of prompts. */
  readPage(page: number): Promise<unknown>;
  /** Returns the parsed body of a version, in which includes are not resolved. Returns undefined if the version does not exist. */
  readVersion(name: string, version: number): Promise<unknown>;
}

/** Reads prompts and versions with the given requests. Accepts only values with Langfuse's shapes. */
export function createLangfuseReader({ pageLimit, readPage, readVersion }: Requests): LangfuseSource {
  return {
    async listPrompts() {
      const prompts = new Map<string, LangfuseListed>();
      let length = 0;
      for (let page = 1; ; page += 1) {
        const { data, meta } = asObject(await readPage(page));
        if (!Array.isArray(data)) throw notLangfuse();
        length += JSON.stringify(data).length;
        if (length > maxListLength) throw new NotLangfuse('The server lists too many prompts');
        const known = prompts.size;
        for (const item of data) {
          const prompt = toListed(asObject(item));
          // A prompt may appear twice, because a change between two requests can move it to the next page.
          prompts.set(prompt.name, prompt);
        }
        if (data.length > 0 && prompts.size === known) throw new NotLangfuse('The server keeps listing the same prompts');
        // A full page may be followed by another one, even if the stated total has been reached.
        const isLast = data.length < pageLimit && page >= Number(asObject(meta).totalPages ?? page);
        if (data.length === 0 || isLast) return [...prompts.values()];
      }
    },

    async getVersion(name, version) {
      const found = await readVersion(name, version);
      if (found === undefined) throw new UnreadableVersion(`Langfuse lists version ${version} but responds with 404 to a request for it`);
      const body = asObject(found);
      const { type, prompt, config = {}, labels, commitMessage, createdAt, createdBy } = body;
      if (body.version !== version || prompt === undefined) {
        throw new UnreadableVersion(`Langfuse did not return version ${version}`);
      }
      return {
        version,
        type: String(type),
        prompt,
        config,
        labels: textsOf(labels),
        commitMessage: typeof commitMessage === 'string' ? commitMessage : null,
        createdAt: String(createdAt),
        createdBy: typeof createdBy === 'string' ? createdBy : null,
      };
    },
  };
}

/** The result of reading prompts and their versions. */
export interface LangfuseReading {
  /** Descriptions of losses in the conversion. Each loss is listed only once, even if it applies to many versions. */
  losses: Set<string>;
  /** Prompts that cannot be imported at all. */
  conflicts: ImportedPrompt[];
  /** Called with the number of prompts that were read, and their total number. */
  onRead(done: number, total: number, name: string): void;
}

/** Yields the lines of an export with all prompts of the project. */
export async function* readLangfuse(source: LangfuseSource, { losses, conflicts, onRead }: LangfuseReading): AsyncGenerator<string> {
  yield formatLine;
  const prompts = await source.listPrompts();
  const names = new Set<string>();
  for (const [index, prompt] of prompts.entries()) {
    onRead(index, prompts.length, prompt.name);
    try {
      const name = normalizeName(prompt.name);
      const problem = findNameProblem(name);
      if (problem) throw new Unconvertible(problem);
      if (names.has(name)) throw new Unconvertible('another prompt has the same name in a different Unicode form');
      names.add(name);
      const versions = [];
      for (const version of prompt.versions) versions.push(await source.getVersion(prompt.name, version));
      yield* convertLangfuse(prompt, versions, (text) => losses.add(`${prompt.name}: ${text}`));
    } catch (err) {
      if (!(err instanceof Unconvertible || err instanceof UnreadableVersion)) throw err;
      conflicts.push({ name: prompt.name, status: 'conflict', reason: err.message });
    }
  }
  onRead(prompts.length, prompts.length, 'done');
}

function notLangfuse(): NotLangfuse {
  return new NotLangfuse('The server does not respond like Langfuse');
}

function toListed({ name, type, versions, tags, lastUpdatedAt }: Record<string, unknown>): LangfuseListed {
  if (typeof name !== 'string' || !Array.isArray(versions)) throw notLangfuse();
  const numbers = new Set(versions.filter((version): version is number => Number.isInteger(version) && version > 0));
  return {
    name,
    type: String(type),
    versions: [...numbers].sort((one, other) => one - other),
    tags: textsOf(tags),
    lastUpdatedAt: String(lastUpdatedAt),
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
