import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { hasOption, type Input, textOf } from '../command.ts';
import { connect } from '../connection.ts';
import { CliError, type ExitCode, exitCodes, UsageError } from '../errors.ts';
import { findPaths, readFolder, writePrompt } from '../files/folder.ts';
import { writeFileWhole } from '../files/text-file.ts';
import { readRemote } from '../remote-prompts.ts';
import { count, note, paint, printJson, toLine } from '../terminal.ts';
import { formatDotprompt } from './dotprompt.ts';
import { toLangfuseLines } from './langfuse.ts';

/** The result of an export, with the prompts that could not be written. */
interface Exported {
  prompts: number;
  refused: { name: string; reason: string }[];
  /** Notes about prompts that were exported with a change. */
  notes: string[];
}

export async function exportPrompts(input: Input): Promise<ExitCode> {
  const format = textOf(input, 'format') ?? 'json';
  const run = Object.hasOwn(formats, format) ? formats[format as keyof typeof formats] : undefined;
  if (!run) throw new UsageError(`Unknown format "${format}". Use one of: ${Object.keys(formats).join(', ')}.`);
  const exported = await run(input);
  // If there is no output file, the prompts are written to standard output, so nothing else may be printed there.
  if (hasOption(input, 'json') && textOf(input, 'output') !== undefined) printJson(exported);
  else {
    for (const text of exported.notes) note(`${paint('yellow', '?')} ${toLine(text)}`);
    for (const { name, reason } of exported.refused) note(`${paint('red', '!')} ${toLine(name)}  ${toLine(reason)}`);
    note(`${count(exported.prompts, 'prompt')} exported.`);
  }
  return exported.refused.length > 0 ? exitCodes.failed : exitCodes.ok;
}

const formats = { json: exportJson, files: exportFiles, langfuse: exportLangfuse, dotprompt: exportDotprompt };

async function exportJson(input: Input): Promise<Exported> {
  const ph = await connect(input);
  let prompts = 0;
  async function* lines() {
    for await (const line of ph.export()) {
      if (line.startsWith('{"kind":"prompt",')) prompts += 1;
      yield `${line}\n`;
    }
  }
  await writeStream(textOf(input, 'output'), lines());
  return { prompts, refused: [], notes: [] };
}

async function exportLangfuse(input: Input): Promise<Exported> {
  const ph = await connect(input);
  const exported: Exported = { prompts: 0, refused: [], notes: [] };
  await writeStream(textOf(input, 'output'), toLangfuseLines(ph.export(), exported));
  return exported;
}

/** Exports the newest versions as files for "push" and "pull". */
async function exportFiles(input: Input): Promise<Exported> {
  const folder = folderOf(input);
  const prompts = await readRemote(await connect(input));
  const { formatPromptFile } = await import('../files/prompt-file.ts');
  const paths = findPaths(prompts.keys(), await readFolder(folder));
  for (const { name, content } of prompts.values()) await writePrompt(folder, paths.get(name) ?? '', formatPromptFile(name, content));
  return { prompts: prompts.size, refused: [], notes: [] };
}

/** Exports the newest versions that dotprompt can express. */
async function exportDotprompt(input: Input): Promise<Exported> {
  const folder = folderOf(input);
  const prompts = await readRemote(await connect(input));
  const paths = findPaths(prompts.keys(), { prompts: new Map(), problems: [] });
  const exported: Exported = { prompts: 0, refused: [], notes: [] };
  for (const { name, content } of prompts.values()) {
    const file = formatDotprompt(name, content);
    if ('problem' in file) {
      exported.refused.push({ name, reason: file.problem });
      continue;
    }
    exported.notes.push(...file.notes.map((text) => `${name}: ${text}`));
    await writePrompt(folder, (paths.get(name) ?? '').replace(/\.prompt\.yaml$/, '.prompt'), file.text);
    exported.prompts += 1;
  }
  return exported;
}

function folderOf(input: Input): string {
  const output = textOf(input, 'output');
  if (output === undefined) throw new UsageError('Specify the folder with -o.');
  return resolve(output);
}

/** Writes to a file, or to standard output. The file appears under its name only when it is complete. */
async function writeStream(output: string | undefined, lines: AsyncIterable<string>): Promise<void> {
  if (output === undefined || output === '-') return pipeline(lines, process.stdout, { end: false });
  const file = resolve(output);
  await assertWritable(file);
  await writeFileWhole(file, lines);
}

/** Checks that the file can be written. Call this before anything is fetched. */
async function assertWritable(file: string): Promise<void> {
  const isFolder = async (path: string) => (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
  if (await isFolder(file)) throw new CliError(`${file} is a folder. Specify a file with -o.`);
  if (!(await isFolder(dirname(file)))) throw new CliError(`Cannot write ${file}: there is no folder ${dirname(file)}.`);
}
