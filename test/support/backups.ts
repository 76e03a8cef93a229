import assert from 'node:assert/strict';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Finished } from './command-host.ts';
import { runProgram } from './process.ts';

/** Runs a command, which must succeed. */
export async function runWell(args: string[], env: Record<string, string>, input = ''): Promise<Finished> {
  const finished = await runProgram(args, env, input);
  assert.equal(finished.code, 0, `${args.join(' ')}: ${finished.stdout}${finished.stderr}`);
  return finished;
}

/** Creates a database with one account. */
export async function createDatabase(env: Record<string, string>): Promise<void> {
  await runWell(['accounts', 'create', '--email', 'first@example.com'], env, 'a long enough password\n');
}

/** Asserts that a command is refused with one sentence. */
export async function assertCommandRefused(args: string[], env: Record<string, string>, expected: RegExp, exitCode = 1): Promise<void> {
  const { code, stdout, stderr } = await runProgram(args, env);
  assert.equal(code, exitCode, `${args.join(' ')}: ${stdout}${stderr}`);
  assert.match(stderr, expected);
  assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
}

/** Enlarges the database of a stopped service, so that copying it takes a while. */
export function enlarge(dataDir: string, mebibytes: number): void {
  const database = new DatabaseSync(join(dataDir, 'promptharbor.db'));
  database.exec('create table filler (bytes blob)');
  const insert = database.prepare('insert into filler values (zeroblob(1048576))');
  for (let count = 0; count < mebibytes; count += 1) insert.run();
  database.close();
}

/** Copies only the secret, as if to the data folder of another machine. */
export async function copySecret(from: string, to: string): Promise<void> {
  await cp(join(from, 'secret.key'), join(to, 'secret.key'));
}

export async function listDrafts(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.includes('.partial') || name.startsWith('.restore-'));
}
