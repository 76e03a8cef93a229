import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import type { PromptHarbor } from '../../../client/src/client.ts';
import type { Warning } from '../../contract/warnings.ts';
import { hasOption, type Input, textsOf } from '../command.ts';
import { connect, getWorkspace } from '../connection.ts';
import { CliError, exitCodes, UsageError } from '../errors.ts';
import { compareSides, type Difference } from '../files/compare.ts';
import { findPaths, type LocalPrompt, type LocalPrompts, readFolder, removePrompt, showPlace, writePrompt } from '../files/folder.ts';
import { type Lock, type LockEntry, readLock } from '../files/lock-file.ts';
import { findProject, type Project, projectFileName } from '../files/project.ts';
import { assertNoLinks } from '../files/text-file.ts';
import { type RemotePrompt, readRemote } from '../remote-prompts.ts';
import { note, printJson, printMarked } from '../terminal.ts';
import { selectItems } from './selection.ts';

/** A prompt in the files and in the service. */
export interface ComparedPrompt {
  name: string;
  difference: Difference;
  here: LocalPrompt | undefined;
  there: RemotePrompt | undefined;
  base: LockEntry | undefined;
}

export interface Comparison {
  ph: PromptHarbor;
  project: Project;
  local: LocalPrompts;
  remote: ReadonlyMap<string, RemotePrompt>;
  /** The lock. It is updated with each change, and written at the end. */
  lock: Lock;
  /** The prompts that the arguments name, sorted by name. */
  items: ComparedPrompt[];
}

/**
 * Reads the files and the prompts on the service, and compares them. A file with a problem ends the command, because a file that cannot be
 * read must not count as deleted. With `mayBegin`, which only commands that write files set, the folder need not be a project yet.
 */
export async function compare(input: Input, { mayBegin = false } = {}): Promise<Comparison> {
  const project = findProject();
  const local = await readProjectFiles(project, { mayBegin });
  if (local.problems.length > 0) {
    const rows = local.problems.map((problem) => `  ${showPlace(project.folder, problem)}: ${problem.message}`);
    throw new CliError(`Fix these files first:\n${rows.join('\n')}`);
  }
  const ph = await connect(input, project);
  const lock = await readLock(project.lockFile);
  const workspace = await getWorkspace(ph, input);
  if (lock.workspace !== undefined && lock.workspace !== workspace.id) {
    throw new CliError(
      `${project.lockFile} belongs to the workspace ${lock.workspace}, but this command uses ${workspace.id}. ` +
        `Use ${lock.workspace} with --workspace or its key, or delete the lock file to start over with ${workspace.id}.`,
    );
  }
  lock.workspace = workspace.id;
  const remote = await readRemote(ph);
  const names = new Set([...local.prompts.keys(), ...remote.keys(), ...lock.prompts.keys()]);
  const items = [...names].sort().flatMap((name): ComparedPrompt[] => {
    const here = local.prompts.get(name);
    const there = remote.get(name);
    const base = lock.prompts.get(name);
    const difference = compareSides({ here: here?.digest, there: there?.digest, base });
    if (difference === undefined) lock.prompts.delete(name);
    if (difference === 'same' && there) lock.prompts.set(name, toLockEntry(there));
    return difference === undefined ? [] : [{ name, difference, here, there, base }];
  });
  return { ph, project, local, remote, lock, items: selectItems(items, input.args, { project, local }) };
}

export async function readProjectFiles(project: Project, { mayBegin = false } = {}): Promise<LocalPrompts> {
  const folder = relative(project.root, project.folder).replaceAll('\\', '/');
  await assertNoLinks(project.root, folder);
  const local = await readFolder(project.folder);
  const isProject = project.settings || local.prompts.size + local.problems.length > 0 || existsSync(project.lockFile);
  if (isProject || mayBegin) return local;
  throw new CliError(
    `This folder is not a project. There is no ${projectFileName} in it or above it, and no prompt in ${folder}/. Change to the folder of your ` +
      'project, or start one with "promptharbor init" or "promptharbor pull".',
    exitCodes.usage,
  );
}

export function toLockEntry({ version, digest }: RemotePrompt): LockEntry {
  return { version, digest };
}

/** The side that `--ours` or `--theirs` chooses for a conflict, or undefined if neither option applies to it. */
export type Choice = 'ours' | 'theirs' | undefined;

export function createResolver(input: Input): (name: string) => Choice {
  const named = (option: string) => new Set(textsOf(input, option).map((name) => name.normalize('NFC')));
  const [ours, theirs] = [named('ours'), named('theirs')];
  const twice = [...ours].find((name) => theirs.has(name));
  if (twice !== undefined) throw new UsageError(`"${twice}" appears in both --ours and --theirs.`);
  return (name) => {
    if (ours.has(name)) return 'ours';
    if (theirs.has(name)) return 'theirs';
    if (ours.has('*')) return 'ours';
    return theirs.has('*') ? 'theirs' : undefined;
  };
}

/** Creates, changes or removes files so that they match the service. Each file is written before its entry in the lock. */
export async function writeFiles({ project, local, remote, lock }: Comparison, items: ComparedPrompt[]): Promise<void> {
  if (items.length === 0) return;
  const { formatPromptFile, updatePromptFile } = await import('../files/prompt-file.ts');
  const paths = findPaths(remote.keys(), local);
  for (const { name, here, there } of items) {
    const path = paths.get(name);
    if (there && path !== undefined) {
      const text = here ? updatePromptFile(here.text, name, there.content) : formatPromptFile(name, there.content);
      await writePrompt(project.folder, path, text);
      lock.prompts.set(name, toLockEntry(there));
    } else if (!there) {
      if (here) await removePrompt(project.folder, here.path);
      lock.prompts.delete(name);
    }
  }
}

/** The result that a command reports for a prompt. */
export interface Report {
  action: 'create' | 'update' | 'delete' | 'label' | 'conflict' | 'skip';
  name: string;
  text: string;
  version?: number | undefined;
  /** Warnings about the labels that were moved. */
  warnings?: Warning[] | undefined;
}

/** The step that a command takes for a prompt, and the action that it reports. If there is no action, nothing is reported. */
export type Decision<Step> = [step: Step | 'conflict' | 'nothing', action?: Report['action'], text?: string];

export function planItems<Step>(items: ComparedPrompt[], decide: (item: ComparedPrompt) => Decision<Step>) {
  const plan = items.map((item) => ({ item, decision: decide(item) }));
  return {
    itemsOf: (step: Step | 'conflict') => plan.filter(({ decision }) => decision[0] === step).map(({ item }) => item),
    reports: plan.flatMap(({ item: { name, there }, decision: [, action, text = ''] }): Report[] =>
      action ? [{ action, name, text, version: there?.version }] : [],
    ),
  };
}

const marks = {
  create: ['green', '+'],
  update: ['cyan', '~'],
  delete: ['red', '-'],
  label: ['cyan', '>'],
  conflict: ['red', '!'],
  skip: ['yellow', '?'],
} as const;

export function printReports(input: Input, reports: Report[], summary: Record<string, unknown>): void {
  if (hasOption(input, 'json')) printJson({ ...summary, prompts: reports.map(({ text: _text, ...report }) => report) });
  else for (const { action, name, text } of reports) printMarked(marks[action], name, text);
}

export function explainConflicts(conflicts: ComparedPrompt[]): void {
  note(
    `${conflicts.length === 1 ? 'One prompt was' : `${conflicts.length} prompts were`} changed both in the files and on the service. Neither side was overwritten. ` +
      'See "promptharbor diff", then run the command again with --ours <name> or --theirs <name>.',
  );
}

export function describeConflict({ here, there }: ComparedPrompt): string {
  if (!here) return 'file deleted, but changed on the service';
  return there ? `file changed, and changed on the service in version ${there.version}` : 'file changed, but deleted on the service';
}
