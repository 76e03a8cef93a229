import type { PromptHarbor } from '../../../client/src/client.ts';
import { ApiError } from '../../../client/src/errors.ts';
import type { Batch, SavedBatch } from '../../contract/batch.ts';
import { latestLabel } from '../../contract/label-names.ts';
import { maxPageLimit } from '../../contract/limits.ts';
import { findNameProblem, normalizeName } from '../../contract/prompt-names.ts';
import { splitNames } from '../../contract/split-names.ts';
import { convertFiles, convertText, moveToFolder } from '../../formats/convert.ts';
import type { Conversion, FileFormat, Finding } from '../../formats/draft-types.ts';
import { type ImportResult, type ImportService, readCurrent, readRefusal, runImport } from '../../formats/import.ts';
import { type PlannedAction, type PlannedPrompt, planPrompt } from '../../formats/plan.ts';
import { listReferences } from '../../formats/promptfoo.ts';
import { recognizeFormat } from '../../formats/recognize.ts';
import { hasOption, type Input, type Run, textOf } from '../command.ts';
import { connect } from '../connection.ts';
import { type ExitCode, exitCodes, UsageError } from '../errors.ts';
import { findProject } from '../files/project.ts';
import { createProgressBar } from '../progress-bar.ts';
import { labelsOf } from '../prompts/choice.ts';
import { count, note, paint, print, printJson, toLine } from '../terminal.ts';
import { readReferences, readSourceFiles } from './source-files.ts';

type ImportedFormat = Extract<FileFormat, 'dotprompt' | 'prompty' | 'promptfoo'>;

/** The command that imports files of a format. */
export function createFileImport(format: ImportedFormat): Run {
  return (input) => importFiles(format, input.args, input);
}

/** Imports files: one way, and what is there already stays as it is. */
export async function importFiles(format: ImportedFormat, paths: string[], options: Input): Promise<ExitCode> {
  const labels = readLabels(options);
  const conversion = await convertPaths(format, paths, readFolderName(options));
  const ph = await connect(options, findProject());
  const service = createService(ph);
  const current = await readCurrent(conversion.prompts, service);
  const planned = conversion.prompts.map((prompt) => planPrompt(prompt, current.get(prompt.name), labels));
  const results = new Map<string, ImportResult>();
  const isTrial = hasOption(options, 'dry-run');
  if (!isTrial) await save(planned, { labels, service, results });
  report(options, { conversion, planned, results, labels, isTrial });
  const isComplete =
    planned.every(({ action }) => action !== 'refuse') && [...results.values()].every(({ problems }) => problems.length === 0);
  return isComplete && conversion.findings.every(({ severity }) => severity !== 'error') ? exitCodes.ok : exitCodes.failed;
}

function readLabels(options: Input): string[] {
  const labels = [...new Set(labelsOf(options))];
  if (labels.includes(latestLabel)) throw new UsageError('latest always is the newest version, and cannot be set.');
  return labels;
}

function readFolderName(options: Input): string {
  const folder = textOf(options, 'folder');
  if (folder === undefined) return '';
  const name = normalizeName(folder).replace(/\/+$/, '');
  const problem = findNameProblem(name);
  if (problem) throw new UsageError(`"${folder}" cannot be a folder: ${problem}.`);
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
  const wrong = format === 'promptfoo' ? [] : named;
  const refused = wrong.map(
    ({ path }): Finding => ({ path, construct: 'the file', message: `Not a file of ${format}`, severity: 'error' }),
  );
  const prompts = [...conversion.prompts, ...texts].map((prompt) => moveToFolder(folder, prompt));
  return { ...conversion, prompts, findings: [...found.findings, ...conversion.findings, ...refused] };
}

function createService(ph: PromptHarbor): ImportService {
  return {
    async findPrompts(names) {
      const found = [];
      for (const name of splitNames(names)) {
        for await (const prompt of ph.prompts.list({ name, include: 'content', label: 'latest', limit: maxPageLimit })) found.push(prompt);
      }
      return found;
    },
    async savePrompts(items) {
      const body: Batch = { items, skipUnchanged: true };
      // May be sent again after a lost response: what is saved already is not saved twice. The response is what the contract describes.
      return (await ph.request({ method: 'POST', path: '/api/prompts/batch', body, isRepeatable: true })) as SavedBatch;
    },
    async listCases(name) {
      const cases = [];
      for await (const each of ph.cases.list(name, { limit: maxPageLimit })) cases.push(each);
      return cases;
    },
    addCases: (name, data) => ph.cases.import(name, { data }),
    findRefusal: (err) => (err instanceof ApiError ? readRefusal(err) : undefined),
  };
}

interface Saving {
  labels: string[];
  service: ImportService;
  results: Map<string, ImportResult>;
}

async function save(planned: PlannedPrompt[], { labels, service, results }: Saving): Promise<void> {
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
  } catch (err) {
    if (results.size > 0) note(`${count(results.size, 'prompt')} of ${total} imported before this. Run the command again for the others.`);
    throw err;
  } finally {
    bar?.end();
  }
}

interface Outcome {
  conversion: Conversion;
  planned: PlannedPrompt[];
  results: ReadonlyMap<string, ImportResult>;
  labels: string[];
  isTrial: boolean;
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

function report(input: Input, { conversion, planned, results, labels, isTrial }: Outcome): void {
  const findings = [...conversion.findings, ...planned.flatMap((prompt) => prompt.findings), ...listProblems(planned, results)];
  const isRefused = ({ name, action }: PlannedPrompt) =>
    action === 'refuse' || (!isTrial && results.get(name)?.version === undefined && action !== 'same');
  const refused = planned.filter(isRefused).length;
  const changed = planned.filter((prompt) => prompt.action !== 'same' && !isRefused(prompt)).length;
  if (hasOption(input, 'json')) {
    const prompts = planned.map((prompt) => {
      const { name, path, action, current, newCases } = prompt;
      const version = results.get(name)?.version ?? (action === 'create' ? undefined : current?.latestVersion);
      return { name, path, action: isRefused(prompt) ? 'refuse' : action, version, cases: newCases.length };
    });
    printJson({ imported: isTrial ? 0 : changed, unchanged: planned.length - changed - refused, refused, prompts, findings });
    return;
  }
  for (const prompt of planned) {
    const action = isRefused(prompt) ? 'refuse' : prompt.action;
    const [style, mark] = marks[action];
    print(`${paint(style, mark)} ${toLine(prompt.name)}  ${paint('dim', toLine(describeAction(prompt, action, { results, labels })))}`);
  }
  for (const { path, line, construct, message, severity } of findings) {
    const place = line === undefined ? path : `${path}:${line}`;
    print(
      `${paint(severity === 'error' ? 'red' : severity === 'warning' ? 'yellow' : 'dim', severity)} ${toLine(place)}: ${toLine(construct)}: ${toLine(message)}`,
    );
  }
  const verb = isTrial ? 'would be imported' : 'imported';
  note(`${count(changed, 'prompt')} ${verb}, ${planned.length - changed - refused} unchanged, ${refused} refused.`);
  if (refused > 0)
    note('Use plain {{ variables }} in the files that are refused for their tags, or write these prompts in the editor with Liquid.');
}

function listProblems(planned: PlannedPrompt[], results: ReadonlyMap<string, ImportResult>): Finding[] {
  return planned.flatMap(({ name, path }) =>
    (results.get(name)?.problems ?? []).map((message): Finding => ({ path, construct: name, message, severity: 'error' })),
  );
}

function describeAction(
  { name, current, path, newCases }: PlannedPrompt,
  action: PlannedAction,
  { results, labels }: Pick<Outcome, 'labels' | 'results'>,
): string {
  const cases = newCases.length > 0 ? `, ${count(newCases.length, 'case')}` : '';
  const labeled = labels.length > 0 ? `, ${labels.join(', ')}` : '';
  const next = results.get(name)?.version ?? (current?.latestVersion ?? 0) + 1;
  switch (action) {
    case 'create':
      return `new${labels.length > 0 ? labeled : ', without a label'}${cases}`;
    case 'update':
      return `version ${next}${labeled}${cases}`;
    case 'describe':
      return `description or tags${labeled}${cases}`;
    case 'label':
      return `${labels.join(', ')} → version ${current?.latestVersion}${cases}`;
    case 'cases':
      return count(newCases.length, 'case');
    case 'same':
      return 'the same already';
    case 'refuse':
      return `not imported, see ${path}`;
  }
}
