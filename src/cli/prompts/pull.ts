import { hasOption, type Input } from '../command.ts';
import { type ExitCode, exitCodes } from '../errors.ts';
import { writeLock } from '../files/lock-file.ts';
import { count, note } from '../terminal.ts';
import {
  type ComparedPrompt,
  type Comparison,
  compare,
  createResolver,
  describeConflict,
  explainConflicts,
  printReports,
  type Report,
  toLockEntry,
  writeFiles,
} from './sync.ts';

export async function pull(input: Input): Promise<ExitCode> {
  const resolve = createResolver(input);
  const comparison = await compare(input);
  const plan = comparison.items.map((item) => planItem(item, { resolve, prune: hasOption(input, 'prune') }));
  const reports = plan.flatMap(({ report }) => report ?? []);
  const written = plan.filter(({ step }) => step === 'write').map(({ item }) => item);
  const conflicts = plan.filter(({ step }) => step === 'conflict').map(({ item }) => item);
  const kept = plan.filter(({ step }) => step === 'keep').map(({ item }) => item);
  const isTrial = hasOption(input, 'dry-run') || hasOption(input, 'check');
  if (!isTrial) {
    await apply(comparison, written, kept);
  }
  printReports(input, reports, { pulled: isTrial ? 0 : written.length, conflicts: conflicts.length });
  if (conflicts.length > 0) explainConflicts(conflicts);
  else if (!hasOption(input, 'json')) note(summarize({ changed: written.length, kept, isTrial }));
  if (conflicts.length > 0) return exitCodes.failed;
  return hasOption(input, 'check') && written.length > 0 ? exitCodes.failed : exitCodes.ok;
}

type Step = 'write' | 'keep' | 'conflict' | 'nothing';

interface Planned {
  item: ComparedPrompt;
  step: Step;
  report?: Report;
}

function planItem(item: ComparedPrompt, options: { resolve: ReturnType<typeof createResolver>; prune: boolean }): Planned {
  const { name, difference, there } = item;
  const version = there?.version;
  const report = (action: Report['action'], text: string): Report => ({ action, name, text, version });
  const write = (text: string): Planned => ({
    item,
    step: 'write',
    report: report(there ? (item.here ? 'update' : 'create') : 'delete', text),
  });
  const choice = options.resolve(name);
  switch (difference) {
    case 'added there':
      return write(`version ${version}`);
    case 'changed there':
      return write(`version ${item.base?.version} → ${version}`);
    case 'deleted there':
      if (options.prune || choice === 'theirs') return write('deleted there');
      return { item, step: 'nothing', report: report('skip', 'deleted there; --prune deletes the file') };
    case 'deleted here':
      if (choice === 'theirs') return write('restored');
      return { item, step: 'nothing', report: report('skip', 'deleted here; --theirs restores it, "push --prune" deletes it there') };
    case 'conflict':
      if (choice === 'theirs') return write('theirs');
      if (choice === 'ours') return { item, step: 'keep', report: report('skip', item.here ? 'ours is kept' : 'stays deleted here') };
      return { item, step: 'conflict', report: report('conflict', describeConflict(item)) };
    default:
      return { item, step: 'nothing' };
  }
}

/** The lock is written last, and also when something fails: it then has what was done. */
async function apply(comparison: Comparison, written: ComparedPrompt[], kept: ComparedPrompt[]): Promise<void> {
  const { lock, project } = comparison;
  try {
    await writeFiles(comparison, written);
    // Their version counts as seen, so that ours is a change of it.
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
  if (kept.length === 0) return changed === 0 ? 'The files have everything that the service has.' : files;
  const push = kept.some(({ here }) => !here) ? 'push --prune' : 'push';
  const ours = `${count(kept.length, 'prompt')} ${isTrial ? 'would stay' : kept.length === 1 ? 'stays' : 'stay'} as here`;
  return `${changed === 0 ? '' : `${files} `}${ours}; "promptharbor ${push}" takes ${kept.length === 1 ? 'it' : 'them'} there.`;
}
