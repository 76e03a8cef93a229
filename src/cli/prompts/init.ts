import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasOption, type Input, textOf } from '../command.ts';
import { normalizeUrl } from '../connection.ts';
import { readCredentials } from '../credentials.ts';
import { CliError, UsageError } from '../errors.ts';
import { findFolderProblem, projectFileName } from '../files/project.ts';
import { writeFileWhole } from '../files/text-file.ts';
import { createQuestions } from '../questions.ts';
import { note } from '../terminal.ts';
import { trustUrl } from '../trusted-urls.ts';

export async function init(input: Input): Promise<void> {
  const file = join(process.cwd(), projectFileName);
  if (existsSync(file)) throw new CliError(`${projectFileName} already exists. Edit it to change the settings.`);
  const answers = await findAnswers(input);
  const url = normalizeUrl(answers.url);
  const problem = findFolderProblem(answers.folder);
  if (problem) throw new UsageError(`The folder ${problem}.`);
  const workspace = textOf(input, 'workspace');
  await writeFileWhole(file, `${JSON.stringify({ url, ...(workspace && { workspace }), folder: answers.folder }, null, 2)}\n`);
  await mkdir(join(process.cwd(), answers.folder), { recursive: true });
  // An error is ignored. If the URL cannot be stored, `login` asks for it.
  await trustUrl(url).catch(() => undefined);
  note(`Wrote ${projectFileName} for ${url}, with the prompts in ${answers.folder}. Next: "promptharbor login", then "promptharbor pull".`);
}

/** Returns the values of the options. On a terminal, asks for missing values. Without a terminal, the URL must be given. */
async function findAnswers(input: Input): Promise<{ url: string; folder: string }> {
  const defaults = {
    url: textOf(input, 'url') ?? process.env.PROMPTHARBOR_URL ?? (await readCredentials()).url ?? 'http://127.0.0.1:3000',
    folder: textOf(input, 'folder') ?? 'prompts',
  };
  if (hasOption(input, 'yes')) return defaults;
  if (!process.stdin.isTTY) {
    if (textOf(input, 'url') !== undefined) return defaults;
    throw new UsageError(`Questions require a terminal. Use --url, or --yes for ${defaults.url}.`);
  }
  const questions = createQuestions();
  try {
    return {
      url: textOf(input, 'url') ?? ((await questions.ask(`Address of the service (${defaults.url}): `)) || defaults.url),
      folder: textOf(input, 'folder') ?? ((await questions.ask(`Folder for the prompts (${defaults.folder}): `)) || defaults.folder),
    };
  } finally {
    questions.close();
  }
}
