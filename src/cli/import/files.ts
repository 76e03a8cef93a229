import type { PromptHarbor } from '../../../client/src/client.ts';
import { ApiError } from '../../../client/src/errors.ts';
import { latestLabel } from '../../contract/label-names.ts';
import { maxPageLimit } from '../../contract/limits.ts';
import { findNameProblem, normalizeName } from '../../contract/prompt-names.ts';
import { convertFiles, convertText, moveToFolder } from '../../formats/convert.ts';
import type { Conversion, FileFormat, Finding } from '../../formats/draft-types.ts';
import { type ImportResult, type ImportService, readCurrent, readRefusal, runImport } from '../../formats/import.ts';
import { type PlannedAction, type PlannedPrompt, planPrompt } from '../../formats/plan.ts';
import { listReferences } from '../../formats/promptfoo.ts';
import { recognizeFormat } from '../../formats/recognize.ts';
import { hasOption, type Input, textOf, textsOf } from '../command.ts';
import { connect } from '../connection.ts';
import { type ExitCode, exitCodes, UsageError } from '../errors.ts';
import { createProgressBar } from '../progress-bar.ts';
import { labelsOf } from '../prompts/choice.ts';
import { findPrompts, savePrompts } from '../remote-prompts.ts';
import { count, note, paint, print, printJson, printMarked, toLine } from '../terminal.ts';
import { readReferences, readSourceFiles } from './source-files.ts';

export type ImportedFormat = Extract<FileFormat, 'dotprompt' | 'prompty' | 'promptfoo'>;

/** Imports files. Existing content that the files do not mention stays unchanged. */
export async function importFiles(format: ImportedFormat, options: Input): Promise<ExitCode> {
  const labels = readLabels(options);
  const conversion = chooseForms(await convertPaths(format, options.args, readFolderName(options)), options);
  const service = createService(await connect(options));
  const current = await readCurrent(conversion.prompts, service);
  const planned = conversion.prompts.map((prompt) => planPrompt(prompt, current.get(prompt.name), labels));
  const isTrial = hasOption(options, 'dry-run');
  const results = isTrial ? new Map<string, ImportResult>() : await save(planned, labels, service);
  const problems = listProblems(planned, results);
  const outcomes = planned.map((prompt) => toOutcome(prompt, results.get(prompt.name), isTrial));
  const findings = [
    ...conversion.findings,
    ...planned.flatMap((prompt) => prompt.findings),
    ...problems,
    ...listWarnings(planned, results),
  ];
  report(options, { outcomes, findings, labels, isTrial });
  const isComplete = planned.every(({ action }) => action !== 'refuse') && problems.length === 0;
  return isComplete && conversion.findings.every(({ severity }) => severity !== 'error') ? exitCodes.ok : exitCodes.failed;
}

/** Applies the options: removes the prompts to skip, and keeps tags as text where this was requested. */
function chooseForms(conversion: Conversion, options: Input): Conversion {
  const skipped = new Set(textsOf(options, 'skip').map(normalizeName));
  const isAsText = hasOption(options, 'as-text');
  const unknown = [...skipped].find((name) => conversion.prompts.every((prompt) => prompt.name !== name));
  if (unknown !== undefined) throw new UsageError(`None of the files contains the prompt "${unknown}", which --skip names.`);
  const prompts = conversion.prompts.filter(({ name }) => !skipped.has(name));
  return { ...conversion, prompts: isAsText ? prompts.map((prompt) => prompt.asText ?? prompt) : prompts };
}

function readLabels(options: Input): string[] {
  const labels = [...new Set(labelsOf(options))];
  if (labels.includes(latestLabel)) throw new UsageError('The label latest always points at the newest version and cannot be set.');
  return labels;
}

function readFolderName(options: Input): string {
  const folder = textOf(options, 'folder');
  if (folder === undefined) return '';
  const name = normalizeName(folder).replace(/\/+$/, '');
  const problem = findNameProblem(name);
  if (problem) throw new UsageError(`"${folder}" is not a valid folder name: ${problem}.`);
  return name;
}

async function convertPaths(format: ImportedFormat, paths: string[], folder: string): Promise<Conversion> {
  const found = await readSourceFiles(paths);
  if (format === 'promptfoo') {
    const configs = found.files.filter((file) => recognizeFormat(file) === 'promptfoo');
    await readReferences(configs.flatMap(listReferences), found);
  }
  const conversion = await convertFiles(found.files, { format });
  const named = found.files.filter(({ path }) => found.named.has(path) && conversion.ignored.includes(path));
  const texts = format === 'promptfoo' ? named.flatMap(convertText) : [];
  const wrong = named.filter((file) => texts.every((text) => text.path !== file.path));
  const refused = wrong.map(({ path }): Finding => ({ path, construct: 'the file', message: `Not a ${format} file`, severity: 'error' }));
  const prompts = [...conversion.prompts, ...texts].map((prompt) => moveToFolder(folder, prompt));
  return { ...conversion, prompts, findings: [...found.findings, ...conversion.findings, ...refused] };
}

function createService(ph: PromptHarbor): ImportService {
  return {
    findPrompts: (names) => findPrompts(ph, names, latestLabel),
    savePrompts: (items) => savePrompts(ph, items),
    listCases: (name) => Array.fromAsync(ph.cases.list(name, { limit: maxPageLimit })),
    addCases: (name, data) => ph.cases.import(name, { data }),
    findRefusal: (err) => (err instanceof ApiError ? readRefusal(err) : undefined),
  };
}

async function save(planned: PlannedPrompt[], labels: string[], service: ImportService): Promise<Map<string, ImportResult>> {
  const results = new Map<string, ImportResult>();
  const total = planned.filter(({ action }) => action !== 'same' && action !== 'refuse').length;
  const bar = process.stderr.isTTY ? createProgressBar(process.stderr) : undefined;
  try {
    await runImport(planned, {
      labels,
      service,
      onResult(result) {
        results.set(result.name, result);
        bar?.show(results.size, total, 'Importing prompts');
      },
    });
    return results;
  } catch (err) {
    if (results.size > 0)
      note(`${count(results.size, 'prompt')} of ${total} were imported before this error. Run the command again to import the rest.`);
    throw err;
  } finally {
    bar?.end();
  }
}

/** The result of importing one prompt. In a dry run, this is the result that an import would have. */
interface Outcome extends PlannedPrompt {
  /** The version, or undefined if there is none yet. */
  version: number | undefined;
}

function toOutcome(prompt: PlannedPrompt, result: ImportResult | undefined, isTrial: boolean): Outcome {
  const { action, current } = prompt;
  const isRefused = !isTrial && action !== 'same' && result?.version === undefined;
  return { ...prompt, action: isRefused ? 'refuse' : action, version: result?.version ?? current?.latestVersion };
}

const marks = {
  create: ['green', '+'],
  update: ['cyan', '~'],
  describe: ['cyan', '~'],
  label: ['cyan', '>'],
  cases: ['cyan', '~'],
  same: ['dim', '='],
  refuse: ['red', '!'],
} as const satisfies Record<PlannedAction, readonly [string, string]>;

function report(
  input: Input,
  { outcomes, findings, labels, isTrial }: { outcomes: Outcome[]; findings: Finding[]; labels: string[]; isTrial: boolean },
): void {
  const numberOf = (...actions: PlannedAction[]) => outcomes.filter(({ action }) => actions.includes(action)).length;
  const [refused, unchanged] = [numberOf('refuse'), numberOf('same')];
  const changed = outcomes.length - refused - unchanged;
  if (hasOption(input, 'json')) {
    const prompts = outcomes.map(({ name, path, action, version, newCases }) => ({ name, path, action, version, cases: newCases.length }));
    printJson({ imported: isTrial ? 0 : changed, unchanged, refused, prompts, findings });
    return;
  }
  for (const outcome of outcomes) printMarked(marks[outcome.action], outcome.name, describeOutcome(outcome, labels, isTrial));
  for (const { path, line, construct, message, severity } of findings) {
    const place = line === undefined ? path : `${path}:${line}`;
    print(
      `${paint(severity === 'error' ? 'red' : severity === 'warning' ? 'yellow' : 'dim', severity)} ${toLine(place)}: ${toLine(construct)}: ${toLine(message)}`,
    );
  }
  note(`${count(changed, 'prompt')} ${isTrial ? 'would be imported' : 'imported'}, ${unchanged} unchanged, ${refused} refused.`);
  if (refused > 0) note('With --as-text, tags that Liquid does not support are kept as text, so that you can edit them later.');
}

function listProblems(planned: PlannedPrompt[], results: ReadonlyMap<string, ImportResult>): Finding[] {
  return planned.flatMap(({ name, path }) =>
    (results.get(name)?.problems ?? []).map((message): Finding => ({ path, construct: name, message, severity: 'error' })),
  );
}

function listWarnings(planned: PlannedPrompt[], results: ReadonlyMap<string, ImportResult>): Finding[] {
  return planned.flatMap(({ name, path }) =>
    (results.get(name)?.warnings ?? []).map((message): Finding => ({ path, construct: name, message, severity: 'warning' })),
  );
}

function describeOutcome({ action, version, current, path, newCases }: Outcome, labels: string[], isTrial: boolean): string {
  const cases = newCases.length > 0 ? `, ${count(newCases.length, 'test case')}` : '';
  const labeled = labels.length > 0 ? `, ${labels.join(', ')}` : '';
  switch (action) {
    case 'create':
      return `new${labels.length > 0 ? labeled : ', without a label'}${cases}`;
    case 'update':
      return `version ${isTrial ? (version ?? 0) + 1 : version}${labeled}${cases}`;
    case 'describe':
      return `description or tags${labeled}${cases}`;
    case 'label':
      return `${labels.join(', ')} → version ${current?.latestVersion}${cases}`;
    case 'cases':
      return count(newCases.length, 'test case');
    case 'same':
      return 'unchanged';
    case 'refuse':
      return `not imported; see ${path}`;
  }
}
