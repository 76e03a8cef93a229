import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Finished } from './command-host.ts';
import { type RunningProgram, runProgram, startProgram } from './process.ts';

/** A folder in which commands run, with a separate key and home folder. */
export interface CliFolder {
  path: string;
  /** Runs a command to its end, with `input` on its standard input. */
  run(args: string[], input?: string): Promise<Finished>;
  /** Runs a command that must exit with 0. Returns its output. */
  runWell(args: string[]): Promise<string>;
  start(args: string[]): RunningProgram;
  /** Returns all files by path, except those of the home folder. */
  files(): Promise<Map<string, string>>;
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
}

/** `t` is the context of a test, or anything else that calls functions at its end. */
export async function createCliFolder(t: { after(remove: () => Promise<void>): void }, env: Record<string, string>): Promise<CliFolder> {
  const parent = await mkdtemp(join(tmpdir(), 'promptharbor-cli-'));
  t.after(() => rm(parent, { recursive: true, force: true }));
  const path = join(parent, 'project');
  await mkdir(path);
  const settings = { HOME: parent, XDG_CONFIG_HOME: join(parent, 'settings'), GIT_CEILING_DIRECTORIES: parent, CI: '', ...env };
  const run = (args: string[], input = '') => runProgram(args, settings, input, path);
  return {
    path,
    run,
    async runWell(args) {
      const { code, stdout, stderr } = await run(args);
      assert.equal(code, 0, `${args.join(' ')}: ${stdout}${stderr}`);
      return stdout;
    },
    start: (args) => startProgram(args, settings, path),
    files: async () => new Map(await readFiles(path, '')),
    read: (file) => readFile(join(path, file), 'utf8'),
    async write(file, text) {
      await mkdir(dirname(join(path, file)), { recursive: true });
      await writeFile(join(path, file), text);
    },
    remove: (file) => rm(join(path, file)),
  };
}

/** Returns the environment variables for commands of an account. */
export function cliSettings(service: { url: string }, { token }: { token: string }): Record<string, string> {
  return { PROMPTHARBOR_URL: service.url, PROMPTHARBOR_API_KEY: token };
}

async function readFiles(root: string, below: string): Promise<[string, string][]> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  const files = await Promise.all(
    entries.map(async (entry): Promise<[string, string][]> => {
      const path = join(below, entry.name);
      if (entry.isDirectory()) return readFiles(root, path);
      // A file that is still being written may disappear before it is read.
      if (entry.name.startsWith('.promptharbor-')) return [];
      return entry.isFile() ? [[path, await readFile(join(root, path), 'utf8')]] : [];
    }),
  );
  return files.flat().sort(([one], [other]) => (one < other ? -1 : 1));
}
