import type { SavedBatch } from '../../contract/batch.ts';
import { maxVersionMessageLength } from '../../contract/limits.ts';
import { type BatchItem, splitBatches } from '../../formats/import-batches.ts';
import { isPlainObject } from '../../formats/json-values.ts';
import { hasOption, type Input, textOf } from '../command.ts';
import { type ExitCode, exitCodes } from '../errors.ts';
import { writeLock } from '../files/lock-file.ts';
import { createProgressBar } from '../progress-bar.ts';
import { savePrompts } from '../remote-prompts.ts';
import { count, note } from '../terminal.ts';
import { labelsOf } from './choice.ts';
import { isApprovalRequired, type LinkedProposal, noteProposals, proposeMoves } from './propose.ts';
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
  type Report,
  writeFiles,
} from './sync.ts';
import { noteWarnings } from './warnings.ts';

export async function push(input: Input): Promise<ExitCode> {
  const resolve = createResolver(input);
  const labels = labelsOf(input);
  const comparison = await compare(input);
  const prune = hasOption(input, 'prune');
  const { itemsOf, reports } = planItems(comparison.items, (item) => decide(item, { choice: resolve(item.name), labels, prune }));
  const [saved, deleted, taken, conflicts] = [itemsOf('save'), itemsOf('delete'), itemsOf('take'), itemsOf('conflict')];
  const isTrial = hasOption(input, 'dry-run') || hasOption(input, 'check');
  // Nothing is changed if there is a conflict.
  const isApplied = !isTrial && conflicts.length === 0;
  const { free, ruled } = conflicts.length === 0 ? await splitLabels(comparison, labels) : { free: labels, ruled: [] };
  const wouldPropose = isTrial && ruled.length > 0 ? findUnmoved(saved, ruled) : [];
  const done = isApplied
    ? await apply(comparison, {
        saved,
        deleted,
        taken,
        labels: free,
        message: await findMessage(input, comparison),
        strict: hasOption(input, 'strict'),
      })
    : new Map<string, SavedPrompt>();
  const proposals = await moveRuled(comparison, input, { labels: ruled, done, strict: hasOption(input, 'strict') });
  const changed = saved.length + deleted.length;
  const saidReports = reports.map((report) => describeSaved(report, done, free));
  const summary = { pushed: isApplied ? changed : 0, conflicts: conflicts.length };
  printReports(input, saidReports, {
    ...summary,
    ...(proposals.length > 0 && { proposals }),
    ...(wouldPropose.length > 0 && { wouldPropose }),
  });
  if (conflicts.length > 0) {
    explainConflicts(conflicts);
    note('Nothing was pushed.');
    return exitCodes.failed;
  }
  if (!hasOption(input, 'json')) {
    for (const { name, warnings = [] } of done.values()) noteWarnings(name, warnings);
    note(summarize(changed, isTrial));
    noteProposals(proposals);
    for (const label of new Set(wouldPropose.map((move) => move.label))) {
      const names = wouldPropose.filter((move) => move.label === label).map(({ prompt }) => prompt);
      note(
        `Moving ${label} requires a proposal. A push would propose to move it for ${count(names.length, 'prompt')}: ${names.join(', ')}.`,
      );
    }
  }
  if (proposals.length > 0) return exitCodes.refused;
  return hasOption(input, 'check') && changed + taken.length > 0 ? exitCodes.failed : exitCodes.ok;
}

function decide(
  item: ComparedPrompt,
  { choice, labels, prune }: { choice: Choice; labels: string[]; prune: boolean },
): Decision<'save' | 'delete' | 'take'> {
  const { difference, here, there } = item;
  switch (difference) {
    case 'added here':
      return ['save', 'create', labels.length > 0 ? '' : 'new, without a label'];
    case 'changed here':
      return ['save', 'update', `based on version ${there?.version}`];
    case 'same': {
      const missing = labels.filter((label) => there?.labels[label] !== there?.version);
      return missing.length === 0 ? ['nothing'] : ['save', 'label', `${missing.join(', ')} → version ${there?.version}`];
    }
    case 'deleted here':
      if (prune || choice === 'ours') return ['delete', 'delete', 'deleted here'];
      return ['nothing', 'skip', 'file deleted; use --prune to delete the prompt'];
    case 'deleted there':
      if (choice === 'ours') return ['save', 'create', 'restored'];
      return ['nothing', 'skip', 'deleted on the service; use --ours to create it again, or "pull --prune" to delete the file'];
    case 'added there':
    case 'changed there':
      return ['nothing', 'skip', 'newer on the service; use "pull" to update the file'];
    case 'conflict':
      if (choice === 'theirs') return ['take', 'skip', 'replaced with the version on the service'];
      if (choice === 'ours')
        return here ? ['save', there ? 'update' : 'create', 'overwrites the change on the service'] : ['delete', 'delete', 'deleted here'];
      return ['conflict', 'conflict', describeConflict(item)];
  }
}

interface Work {
  saved: ComparedPrompt[];
  deleted: ComparedPrompt[];
  taken: ComparedPrompt[];
  labels: string[];
  message: string | undefined;
  /** Whether to save nothing if the labels would cause warnings. */
  strict: boolean;
}

type SavedPrompt = SavedBatch['data'][number];

/** Returns the report with the saved version and the labels that point at it. */
function describeSaved(report: Report, done: ReadonlyMap<string, SavedPrompt>, labels: string[]): Report {
  const { version, warnings } = done.get(report.name) ?? {};
  if (version === undefined) return report;
  if (report.action === 'label') return { ...report, warnings };
  const labeled = labels.length > 0 ? `, ${labels.join(', ')}` : report.action === 'create' ? ', without a label' : '';
  return { ...report, version, text: `version ${version}${labeled}`, warnings };
}

/**
 * Saves the changes and returns them by name. The lock is written last, even after an error, so that it reflects all changes that were
 * made.
 */
async function apply(comparison: Comparison, { saved, deleted, taken, labels, message, strict }: Work): Promise<Map<string, SavedPrompt>> {
  const { ph, lock, project } = comparison;
  const results = new Map<string, SavedPrompt>();
  const bar = process.stderr.isTTY ? createProgressBar(process.stderr) : undefined;
  try {
    let done = 0;
    for (const batch of splitBatches(saved.map((prompt) => toItem(prompt, { labels, message })))) {
      const { data } = await savePrompts(ph, batch, { strict });
      for (const result of data) {
        const { name, version } = result;
        results.set(name, result);
        const here = comparison.local.prompts.get(name);
        if (here) lock.prompts.set(name, { version, digest: here.digest });
      }
      done += batch.length;
      bar?.show(done, saved.length, 'Saving prompts');
    }
    for (const { name } of deleted) {
      await ph.prompts.delete(name);
      lock.prompts.delete(name);
    }
    await writeFiles(comparison, taken);
    return results;
  } finally {
    bar?.end();
    await writeLock(project.lockFile, lock);
  }
}

/** Lists the moves of labels with a rule that a push would make or propose. */
function findUnmoved(saved: ComparedPrompt[], labels: string[]): { prompt: string; label: string }[] {
  const isThere = ({ difference, there }: ComparedPrompt, label: string) =>
    difference === 'same' && there?.labels[label] === there?.version;
  return saved.flatMap((item) => labels.filter((label) => !isThere(item, label)).map((label) => ({ prompt: item.name, label })));
}

/**
 * Splits labels into those without a rule, which move when the versions are saved, and those with a rule, whose moves may require a
 * proposal.
 */
async function splitLabels({ ph }: Comparison, labels: string[]): Promise<{ free: string[]; ruled: string[] }> {
  if (labels.length === 0) return { free: [], ruled: [] };
  const { labelRules } = await ph.workspace.get();
  const hasRule = (label: string) => Object.hasOwn(labelRules ?? {}, label);
  return { free: labels.filter((label) => !hasRule(label)), ruled: labels.filter(hasRule) };
}

/**
 * Moves labels that have rules to the saved versions, and proposes only the moves that are refused. Not every move is refused: a move back
 * to a version at which the label pointed before needs no proposal.
 */
async function moveRuled(
  { ph, remote }: Comparison,
  input: Input,
  { labels, done, strict }: { labels: string[]; done: ReadonlyMap<string, SavedPrompt>; strict: boolean },
): Promise<LinkedProposal[]> {
  const refused: { prompt: string; label: string; version: number }[] = [];
  for (const { name, version } of done.values()) {
    for (const label of labels) {
      if (remote.get(name)?.labels[label] === version) continue;
      try {
        await ph.labels.move(name, { label, version }, { strict });
      } catch (err) {
        if (!isApprovalRequired(err)) throw err;
        refused.push({ prompt: name, label, version });
      }
    }
  }
  return proposeMoves(ph, input, refused);
}

/** Returns the item to send. With `baseVersion`, the service refuses the item if someone else changed the prompt after it was read. */
function toItem({ name, here, there }: ComparedPrompt, { labels, message }: Pick<Work, 'labels' | 'message'>): BatchItem {
  const changed = here && there && here.digest !== there.digest;
  const content = changed ? { ...here.content, config: orderKeys(here.content.config, there.content.config) } : (there ?? here)?.content;
  return { name, ...content, labels, ...(message && { message }), baseVersion: there?.version ?? 0 };
}

/**
 * Puts the keys of a config into the order of the previous version. The order in a file may differ, and a comparison of versions would show
 * this as a change.
 */
function orderKeys(config: unknown, previous: unknown): unknown {
  if (!isPlainObject(config) || !isPlainObject(previous)) return config;
  const known = Object.keys(previous).filter((key) => Object.hasOwn(config, key));
  return { ...Object.fromEntries(known.map((key) => [key, config[key]])), ...config };
}

/** Returns the value of `--message` or, if all files are committed, the subject of the last commit. */
async function findMessage(input: Input, { project }: Comparison): Promise<string | undefined> {
  const given = textOf(input, 'message');
  if (given !== undefined) return given;
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  const git = async (...args: string[]) => (await promisify(execFile)('git', args, { cwd: project.root, timeout: 5000 })).stdout.trim();
  try {
    if ((await git('status', '--porcelain', '--', project.folder)) !== '') return undefined;
    return [...(await git('log', '-1', '--format=%s (%h)'))].slice(0, maxVersionMessageLength).join('');
  } catch {
    // An error means that Git is not installed, or that there is no commit yet.
    return undefined;
  }
}

function summarize(changed: number, isTrial: boolean): string {
  if (changed === 0) return 'The service is up to date.';
  return isTrial ? `${count(changed, 'prompt')} would change.` : `${count(changed, 'prompt')} changed.`;
}
