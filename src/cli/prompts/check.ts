import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { PromptHarbor } from '../../../client/src/client.ts';
import { ApiError } from '../../../client/src/errors.ts';
import type { CheckRequest } from '../../../client/src/types.ts';
import type { CaseResult } from '../../contract/checks.ts';
import { productionLabel } from '../../contract/label-names.ts';
import { maxPageLimit } from '../../contract/limits.ts';
import { hasOption, type Input, pickTexts, textOf } from '../command.ts';
import { connect, explainError } from '../connection.ts';
import { CliError, type ExitCode, exitCodes, messageOf, UsageError } from '../errors.ts';
import { createProgressBar } from '../progress-bar.ts';
import { count, note, printJson, toLine } from '../terminal.ts';
import { type CheckedPrompt, formatCost, printChecked } from './check-report.ts';
import { choiceOf } from './choice.ts';
import { formatJunit } from './junit.ts';

/** Runs the test cases of prompts, one prompt at a time. Ctrl+C cancels the check runs, including their requests to the model. */
export async function check(input: Input): Promise<ExitCode> {
  const request = requestOf(input);
  const ph = await connect(input);
  const prompts = await findPrompts(ph, input);
  const writeReport = await createReport(textOf(input, 'junit'));
  const canceled = new AbortController();
  const cancel = () => canceled.abort();
  process.once('SIGINT', cancel).once('SIGTERM', cancel);
  const checked: CheckedPrompt[] = [];
  const skipped: string[] = [];
  let isLabelFound = false;
  for (const [name, isNamed] of prompts) {
    try {
      checked.push(await checkPrompt(ph, name, request, canceled.signal));
    } catch (err) {
      if (!isNamed && isNothingToCheck(err)) {
        skipped.push(name);
        isLabelFound ||= err.code === 'no_cases';
        continue;
      }
      const failure = canceled.signal.aborted
        ? new CliError('The check run was canceled.', exitCodes.interrupted)
        : explainFailure(err, input);
      const problem = failure instanceof Error ? failure.message : String(failure);
      await writeReport(formatJunit(checked, [{ name, problem }]));
      throw failure instanceof CliError ? new CliError(`${toLine(name)}: ${problem}`, failure.exitCode) : failure;
    }
    const last = checked.at(-1);
    if (last && !hasOption(input, 'json')) printChecked(last);
  }
  if (checked.length === 0 && !isLabelFound) {
    const problem = `No prompt has the label "${toLine(request.label ?? productionLabel)}".`;
    await writeReport(formatJunit([], [{ name: 'promptharbor check', problem }]));
    throw new CliError(problem, exitCodes.notFound);
  }
  await writeReport(formatJunit(checked));
  return report(input, checked, skipped);
}

function requestOf(input: Input): CheckRequest {
  const isAll = hasOption(input, 'all');
  if (isAll === input.args.length > 0) throw new UsageError('Specify the prompts or folders to check, or use --all.');
  const choice = choiceOf(input);
  if (choice.version !== undefined && (isAll || input.args.length > 1)) {
    throw new UsageError('--version works with one prompt only. Use --label for several prompts.');
  }
  const candidate = textOf(input, 'candidate');
  if (candidate !== undefined && (isAll || input.args.length > 1 || Object.keys(choice).length > 0)) {
    throw new UsageError('--candidate works with one prompt only, and cannot be used with --label or --version.');
  }
  const parallel = textOf(input, 'parallel');
  if (parallel !== undefined && !/^[1-8]$/.test(parallel)) throw new UsageError('--parallel must be a number from 1 to 8.');
  return {
    ...choice,
    ...pickTexts(input, ['candidate', 'connection', 'model']),
    ...(parallel !== undefined && { parallel: Number(parallel) }),
  };
}

/** Finds the prompts to check. The value is true if an argument names the prompt itself, and false if it names its folder. */
async function findPrompts(ph: PromptHarbor, input: Input): Promise<Map<string, boolean>> {
  if (hasOption(input, 'all')) {
    const all = await listNames(ph, {});
    if (all.length === 0) throw new CliError('There are no prompts yet.', exitCodes.notFound);
    return new Map(all.map((name) => [name, false]));
  }
  const found = new Map<string, boolean>();
  for (const arg of input.args) {
    const [name] = await listNames(ph, { name: [arg] });
    const inFolder = await listNames(ph, { folder: arg });
    if (name === undefined && inFolder.length === 0) {
      throw new CliError(`There is no prompt or folder "${toLine(arg)}".`, exitCodes.notFound);
    }
    if (name !== undefined) found.set(name, true);
    for (const other of inFolder) found.set(other, found.get(other) ?? false);
  }
  return found;
}

async function listNames(ph: PromptHarbor, filter: { name?: string[]; folder?: string }): Promise<string[]> {
  return Array.fromAsync(ph.prompts.list({ ...filter, limit: maxPageLimit }), ({ name }) => name);
}

async function checkPrompt(ph: PromptHarbor, name: string, request: CheckRequest, signal: AbortSignal): Promise<CheckedPrompt> {
  const bar = createProgressBar(process.stderr);
  const cases: CaseResult[] = [];
  bar.show(0, 1, toLine(name));
  try {
    for await (const event of ph.checks.stream(name, request, { signal })) {
      if (event.type === 'done') {
        // Each result arrives when its test case has finished. Sorting by id restores the order in which the test cases were added.
        return { name, check: event.check, cases: cases.sort((one, other) => (one.id < other.id ? -1 : 1)) };
      }
      cases.push(event.case);
      bar.show(event.done, event.total, toLine(name));
    }
    throw new CliError('The check run ended without a result.');
  } finally {
    bar.clear();
  }
}

/** If the service refuses the model connection, adds the name of the option to the error. */
function explainFailure(err: unknown, input: Input): unknown {
  const refused = err instanceof ApiError ? err.details.find(({ path }) => path === '/connection') : undefined;
  return refused ? new CliError(toLine(`--connection: ${refused.message}`), exitCodes.usage) : explainError(err, input);
}

/**
 * Returns whether the error means that the prompt has no test cases or lacks the label. Such a prompt is skipped unless the user named it.
 */
function isNothingToCheck(err: unknown): err is ApiError {
  return err instanceof ApiError && (err.code === 'no_cases' || err.code === 'label_not_found');
}

/** Writes an empty report before the checks, so that an invalid path is noticed early, and so that no older report remains. */
async function createReport(path: string | undefined): Promise<(xml: string) => Promise<void>> {
  if (path === undefined) return async () => undefined;
  const file = resolve(path);
  const write = async (xml: string) => {
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, xml);
    } catch (err) {
      throw new CliError(`Cannot write ${file}: ${messageOf(err)}`);
    }
  };
  await write(formatJunit([]));
  return write;
}

function report(input: Input, checked: CheckedPrompt[], skipped: string[]): ExitCode {
  const sum = (of: (one: CheckedPrompt) => number) => checked.reduce((total, one) => total + of(one), 0);
  const [passed, failed] = [sum(({ check: { passed } }) => passed), sum(({ check: { failed } }) => failed)];
  const cost = checked.some(({ check }) => check.cost !== null) ? sum(({ check }) => check.cost ?? 0) : null;
  if (hasOption(input, 'json')) {
    printJson({ passed, failed, cost, prompts: checked.map(({ name, check, cases }) => ({ name, ...check, cases })), skipped });
  } else {
    if (skipped.length > 0) note(`${count(skipped.length, 'prompt')} skipped, because they have no test cases or do not have the label.`);
    const stale = checked.filter(({ check: { current } }) => !current).map(({ name }) => toLine(name));
    if (stale.length > 0)
      note(
        `The test cases of these prompts were changed in the meantime: ${stale.join(', ')}. Their results do not count for labels that require passing checks.`,
      );
    note(`${count(checked.length, 'prompt')} checked, ${passed} of ${count(passed + failed, 'test case')} passed${formatCost(cost)}.`);
  }
  return failed > 0 ? exitCodes.failed : exitCodes.ok;
}
