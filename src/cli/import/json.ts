import { createReadStream } from 'node:fs';
import { readLines } from '../../../client/src/http/lines.ts';
import { hasOption, type Input } from '../command.ts';
import { connect } from '../connection.ts';
import { CliError, type ExitCode } from '../errors.ts';
import { note, overwriteLine } from '../terminal.ts';
import { reportImport } from './report.ts';

/** Imports the lines of an export. */
export async function importJson(input: Input): Promise<ExitCode> {
  const ph = await connect(input);
  const dryRun = hasOption(input, 'dry-run');
  let count = 0;
  const results = await ph.import(readExport(input.args[0] ?? '-'), {
    dryRun,
    replace: hasOption(input, 'replace'),
    onProgress: (prompts) => {
      count += prompts.length;
      if (process.stderr.isTTY) overwriteLine(process.stderr, `${count} prompts …`);
    },
  });
  if (process.stderr.isTTY && count > 0) note('');
  return reportImport(input, results, { isTrial: dryRun });
}

async function* readExport(file: string): AsyncGenerator<string> {
  const stream = file === '-' ? process.stdin : createReadStream(file);
  try {
    yield* readLines(stream);
  } catch (err) {
    if (err instanceof TypeError) throw new CliError(`${file} is not valid UTF-8`);
    throw err instanceof Error && 'code' in err ? new CliError(`Cannot read ${file}: ${err.message}`) : err;
  }
}
