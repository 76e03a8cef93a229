import type { ImportedPrompt } from '../../../client/src/types.ts';
import { findNameProblem, normalizeName } from '../../contract/prompt-names.ts';
import { formatLine } from '../../contract/transfer-format.ts';
import { hasOption, type Input, textOf } from '../command.ts';
import { connect } from '../connection.ts';
import { CliError, type ExitCode, UsageError } from '../errors.ts';
import { createProgressBar } from '../progress-bar.ts';
import { convertLangfuse, Unconvertible } from './langfuse-lines.ts';
import { createLangfuseSource, type LangfuseSource, UnreadableVersion } from './langfuse-source.ts';
import { reportImport } from './report.ts';

/** Prompts whose versions were read, and what could not be carried over. */
interface Reading {
  /** Each once, whatever the number of versions that have it. */
  losses: Set<string>;
  /** Prompts that cannot be imported at all. */
  conflicts: ImportedPrompt[];
  /** Called with the number of prompts that were read, of how many. */
  onRead(done: number, total: number, name: string): void;
}

/** Imports the prompts of a Langfuse project. A second run adds what is new there, and otherwise changes nothing. */
export async function importLangfuse(input: Input): Promise<ExitCode> {
  const source = createLangfuseSource(readSettings(input));
  const ph = await connect(input);
  const dryRun = hasOption(input, 'dry-run');
  const bar = createProgressBar(process.stderr);
  const losses: Reading['losses'] = new Set();
  const conflicts: Reading['conflicts'] = [];
  const onRead: Reading['onRead'] = (done, total, name) =>
    bar.show(done, total, process.stderr.isTTY ? name : 'Reading prompts of Langfuse');
  const lines = readLangfuse(source, { losses, conflicts, onRead });
  const results = await ph.import(lines, { dryRun, skipInvalid: true }).finally(() => bar.end());
  return reportImport(input, [...results, ...conflicts], { isTrial: dryRun, losses: [...losses] });
}

/** The lines of an export with all prompts of the project. */
async function* readLangfuse(source: LangfuseSource, { losses, conflicts, onRead }: Reading): AsyncGenerator<string> {
  yield formatLine;
  const prompts = await source.listPrompts();
  const names = new Set<string>();
  for (const [index, prompt] of prompts.entries()) {
    onRead(index, prompts.length, prompt.name);
    try {
      const name = normalizeName(prompt.name);
      const problem = findNameProblem(name);
      if (problem) throw new Unconvertible(problem);
      if (names.has(name)) throw new Unconvertible('there is another prompt whose name differs only in how its characters are composed');
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

function readSettings(input: Input): { url: string; publicKey: string; secretKey: string } {
  const { LANGFUSE_BASE_URL, LANGFUSE_BASEURL, LANGFUSE_HOST, LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY } = process.env;
  const url = input.args[0] ?? (LANGFUSE_BASE_URL || LANGFUSE_BASEURL || LANGFUSE_HOST);
  const publicKey = textOf(input, 'public-key') ?? LANGFUSE_PUBLIC_KEY;
  const secretKey = textOf(input, 'secret-key') ?? LANGFUSE_SECRET_KEY;
  if (!url) throw new UsageError('Give the address of Langfuse, such as https://cloud.langfuse.com, or set LANGFUSE_BASE_URL.');
  if (!publicKey || !secretKey) throw new UsageError('Set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY to the keys of the project.');
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new CliError(`"${url}" is not the address of a server.`);
  return { url: url.replace(/\/+$/, ''), publicKey, secretKey };
}
