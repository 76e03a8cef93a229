import { call, messageOf, switchedText } from '../lib/api.ts';
import { currentWorkspaceId } from '../lib/current-workspace.ts';
import { forEachLimited } from './for-each-limited.ts';

export interface CopyOrder {
  workspace: string;
  move: boolean;
  /** The names of the copies, by prompt name. */
  names: ReadonlyMap<string, string>;
}

export interface CopyReport {
  done: string[];
  /** The prompts that were not copied, and the notes that the user should read about the copies. */
  problems: { name: string; text: string; isFailure: boolean }[];
}

/**
 * Copies prompts one by one, a few at a time. `onProgress` is called after each prompt. Stops when the user switches to another workspace.
 */
export async function copyPrompts({ workspace, move, names }: CopyOrder, onProgress: (count: number) => void): Promise<CopyReport> {
  const report: CopyReport = { done: [], problems: [] };
  const startedIn = currentWorkspaceId();
  let count = 0;
  await forEachLimited([...names], async ([name, copyName]) => {
    if (currentWorkspaceId() !== startedIn) {
      report.problems.push({ name, text: switchedText, isFailure: true });
      return;
    }
    try {
      const { warnings } = await call('copyPrompt', { path: { name }, body: { workspace, move, name: copyName } });
      report.done.push(name);
      report.problems.push(...warnings.map(({ message }) => ({ name: copyName, text: message, isFailure: false })));
    } catch (err) {
      report.problems.push({ name, text: messageOf(err), isFailure: true });
    }
    count += 1;
    onProgress(count);
  });
  return report;
}
