import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasOption, type Input, textOf } from '../command.ts';
import { normalizeUrl } from '../connection.ts';
import { readCredentials } from '../credentials.ts';
import { CliError, UsageError } from '../errors.ts';
import { findFolderProblem, projectFileName } from '../files/project.ts';
import { writeFileWhole } from '../files/write-file.ts';
import { createQuestions } from '../questions.ts';
import { note } from '../terminal.ts';

export async function init(input: Input): Promise<void> {
  const file = join(process.cwd(), projectFileName);
  if (existsSync(file)) throw new CliError(`${projectFileName} is already here. Change it with an editor.`);
  if (!hasOption(input, 'yes') && !process.stdin.isTTY) throw new UsageError('There is no terminal to ask on. Pass --yes.');
  const answers = await askMissing(input);
  const url = normalizeUrl(answers.url);
  const problem = findFolderProblem(answers.folder);
  if (problem) throw new UsageError(`The folder ${problem}.`);
  const workspace = textOf(input, 'workspace');
  await writeFileWhole(file, `${JSON.stringify({ url, ...(workspace && { workspace }), folder: answers.folder }, null, 2)}\n`);
  await mkdir(join(process.cwd(), answers.folder), { recursive: true });
  note(`Wrote ${projectFileName}. Next: "promptharbor login", then "promptharbor pull".`);
}

async function askMissing(input: Input): Promise<{ url: string; folder: string }> {
  const defaults = {
    url: textOf(input, 'url') ?? process.env.PROMPTHARBOR_URL ?? (await readCredentials()).url ?? 'http://127.0.0.1:3000',
    folder: textOf(input, 'folder') ?? 'prompts',
  };
  if (hasOption(input, 'yes')) return defaults;
  const questions = createQuestions();
  try {
    return {
      url: textOf(input, 'url') ?? ((await questions.ask(`Address of the service (${defaults.url}): `)) || defaults.url),
      folder: textOf(input, 'folder') ?? ((await questions.ask(`Folder of the prompts (${defaults.folder}): `)) || defaults.folder),
    };
  } finally {
    questions.close();
  }
}
