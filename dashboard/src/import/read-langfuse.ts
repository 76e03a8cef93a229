import { parseRetryAfter, wait } from '../../../client/src/http/timing.ts';
import { createLangfuseReader, type LangfuseReading, NotLangfuse, readLangfuse } from '../../../src/formats/langfuse-prompts.ts';
import { call } from '../lib/api.ts';
import type { ExportSource } from './transfer.ts';

/** The address of a Langfuse server and the keys of a project. The keys are kept only in the memory of the page. */
export interface LangfuseSettings {
  url: string;
  publicKey: string;
  secretKey: string;
}

const attempts = 5;
const maxDelayMs = 60_000;
/** The number of prompts in one request, which is the maximum that the service lists at a time. */
const pageLimit = 50;
/** The maximum number of characters to read. All prompts are kept in memory until they are imported. */
const maxCharacters = 128 * 1024 * 1024;

interface ReadOptions {
  signal: AbortSignal;
  onRead: LangfuseReading['onRead'];
}

/** Reads all prompts of a project through the service. Waits and retries as needed, because Langfuse limits requests. */
export async function readProject(settings: LangfuseSettings, { signal, onRead }: ReadOptions): Promise<ExportSource> {
  async function read(what: { page: number } | { name: string; version: number }): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      const { status, body, retryAfter, problem } = await call('readLangfuse', { body: { ...settings, ...what } }, { signal });
      if (status === 404 && 'name' in what) return undefined;
      if (body !== null) return JSON.parse(body);
      const isTemporary = status === 429 || status >= 500;
      if (!isTemporary || attempt === attempts) throw new NotLangfuse(problem ?? 'The response is not from Langfuse. Check the address.');
      await wait(Math.min(maxDelayMs, parseRetryAfter(retryAfter) ?? 500 * 2 ** attempt), signal);
    }
  }
  const source = createLangfuseReader({
    pageLimit,
    readPage: (page) => read({ page }),
    readVersion: (name, version) => read({ name, version }),
  });
  const losses = new Set<string>();
  const refused: LangfuseReading['conflicts'] = [];
  const lines: string[] = [];
  let characters = 0;
  for await (const line of readLangfuse(source, { losses, conflicts: refused, onRead })) {
    characters += line.length;
    if (characters > maxCharacters) throw new NotLangfuse('The project is too large for the browser. Use "promptharbor import langfuse".');
    lines.push(line);
  }
  const description = 'Imports every version with its labels, tags and config.';
  return { title: `Langfuse: ${new URL(settings.url).host}`, description, lines: () => lines, losses: [...losses], refused };
}
