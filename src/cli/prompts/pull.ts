import { hasOption, type Input, textOf } from '../command.ts';
import { type ExitCode, exitCodes, UsageError } from '../errors.ts';
import { writeLock } from '../files/lock-file.ts';
import { count, note } from '../terminal.ts';
import { pullState } from './state.ts';
import {
  type Choice,
  type ComparedPrompt,
  type Comparison,
  compare,
  createResolver,
  type Decision,
  describeConflict,
  explainConflicts,
  planItems,
  printReports,
  toLockEntry,
  writeFiles,
} from './sync.ts';

export async function pull(input: Input): Promise<ExitCode> {
  const stateFile = textOf(input, 'state');
  if (stateFile !== undefined) return pullState(input, stateFile);
  for (const name of ['label', 'folder']) if (textOf(input, name) !== undefined) throw new UsageError(`Use --${name} only with --state.`);
  const resolve = createResolver(input);
  const comparison = await compare(input, { mayBegin: true });
  const prune = hasOption(input, 'prune');
  const { itemsOf, reports } = planItems(comparison.items, (item) => decide(item, { choice: resolve(item.name), prune }));
  const [written, kept, conflicts] = [itemsOf('write'), itemsOf('keep'), itemsOf('conflict')];
  const isTrial = hasOption(input, 'dry-run') || hasOption(input, 'check');
  if (!isTrial) await apply(comparison, written, kept);
  printReports(input, reports, { pulled: isTrial ? 0 : written.length, conflicts: conflicts.length });
  if (conflicts.length > 0) explainConflicts(conflicts);
  else if (!hasOption(input, 'json')) note(summarize({ changed: written.length, kept, isTrial }));
  if (conflicts.length > 0) return exitCodes.failed;
  return hasOption(input, 'check') && written.length > 0 ? exitCodes.failed : exitCodes.ok;
}

function decide(item: ComparedPrompt, { choice, prune }: { choice: Choice; prune: boolean }): Decision<'write' | 'keep'> {
  const { difference, here, there, base } = item;
  switch (difference) {
    case 'added there':
      return ['write', 'create', `version ${there?.version}`];
    case 'changed there':
      return ['write', 'update', `version ${base?.version} → ${there?.version}`];
    case 'deleted there':
      if (prune || choice === 'theirs') return ['write', 'delete', 'deleted on the service'];
      return ['nothing', 'skip', 'deleted on the service; use --prune to delete the file'];
    case 'deleted here':
      if (choice === 'theirs') return ['write', 'create', 'restored'];
      return ['nothing', 'skip', 'file deleted; use --theirs to restore it, or "push --prune" to delete the prompt'];
    case 'conflict':
      if (choice === 'theirs') return ['write', there ? (here ? 'update' : 'create') : 'delete', 'theirs'];
      if (choice === 'ours') return ['keep', 'skip', here ? 'the file is kept' : 'the file stays deleted'];
      return ['conflict', 'conflict', describeConflict(item)];
    default:
      return ['nothing'];
  }
}

/** Writes the files. The lock is written last, even after an error, so that it reflects all changes that were made. */
async function apply(comparison: Comparison, written: ComparedPrompt[], kept: ComparedPrompt[]): Promise<void> {
  const { lock, project } = comparison;
  try {
    await writeFiles(comparison, written);
    // For a kept file, the lock records the service's version as the common state, so that the file counts as a change to that version.
    for (const { name, there } of kept) {
      if (there) lock.prompts.set(name, toLockEntry(there));
      else lock.prompts.delete(name);
    }
  } finally {
    await writeLock(project.lockFile, lock);
  }
}

function summarize({ changed, kept, isTrial }: { changed: number; kept: ComparedPrompt[]; isTrial: boolean }): string {
  const files = isTrial ? `${count(changed, 'file')} would change.` : `${count(changed, 'file')} changed.`;
  if (kept.length === 0) return changed === 0 ? 'The files are up to date.' : files;
  const push = kept.some(({ here }) => !here) ? 'push --prune' : 'push';
  const ours = `${count(kept.length, 'file')} ${isTrial ? 'would be kept' : kept.length === 1 ? 'was kept' : 'were kept'}.`;
  return `${changed === 0 ? '' : `${files} `}${ours} To save ${kept.length === 1 ? 'it' : 'them'} on the service, run "promptharbor ${push}".`;
}
