import { type LangfuseReading, NotLangfuse, readLangfuse } from '../../formats/langfuse-prompts.ts';
import { hasOption, type Input, textOf } from '../command.ts';
import { connect } from '../connection.ts';
import { CliError, type ExitCode, UsageError } from '../errors.ts';
import { createProgressBar } from '../progress-bar.ts';
import { toLine } from '../terminal.ts';
import { createLangfuseSource, type LangfuseSettings } from './langfuse-source.ts';
import { reportImport } from './report.ts';

/** Imports the prompts of a Langfuse project. A repeated import adds what is new in Langfuse, and changes nothing else. */
export async function importLangfuse(input: Input): Promise<ExitCode> {
  const settings = readSettings(input);
  const source = createLangfuseSource(settings);
  const ph = await connect(input);
  const dryRun = hasOption(input, 'dry-run');
  const bar = createProgressBar(process.stderr);
  const losses: LangfuseReading['losses'] = new Set();
  const conflicts: LangfuseReading['conflicts'] = [];
  const onRead: LangfuseReading['onRead'] = (done, total, name) =>
    bar.show(done, total, process.stderr.isTTY ? name : 'Reading prompts from Langfuse');
  const lines = readLangfuse(source, { losses, conflicts, onRead });
  const results = await ph
    .import(lines, { dryRun, skipInvalid: true })
    .catch((err: unknown) => {
      throw err instanceof NotLangfuse ? new CliError(`${toLine(settings.url)}: ${err.message}.`) : err;
    })
    .finally(() => bar.end());
  return reportImport(input, [...results, ...conflicts], { isTrial: dryRun, losses: [...losses] });
}

function readSettings(input: Input): LangfuseSettings {
  const { LANGFUSE_BASE_URL, LANGFUSE_BASEURL, LANGFUSE_HOST, LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY } = process.env;
  const url = input.args[0] ?? (LANGFUSE_BASE_URL || LANGFUSE_BASEURL || LANGFUSE_HOST);
  const publicKey = textOf(input, 'public-key') ?? LANGFUSE_PUBLIC_KEY;
  const secretKey = textOf(input, 'secret-key') ?? LANGFUSE_SECRET_KEY;
  if (!url) throw new UsageError('Specify the address of Langfuse, such as https://cloud.langfuse.com, or set LANGFUSE_BASE_URL.');
  if (!publicKey || !secretKey) throw new UsageError('Set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY to the keys of the project.');
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new CliError(`"${url}" is not a valid server address.`);
  return { url: url.replace(/\/+$/, ''), publicKey, secretKey };
}
