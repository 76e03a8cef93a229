import type { NewCase } from '../contract/cases.ts';
import { maxPromptCases } from '../contract/limits.ts';
import type { ConvertedPrompt, PromptDraft, SourceFile } from './draft-types.ts';
import { FileProblem } from './file-problem.ts';
import { isPlainObject } from './json-values.ts';
import { ignoredKeys, knownKeys, readContent, readText } from './prompt-fields.ts';
import { catchProblem, createReport, type Report } from './report.ts';
import { parseJson, parseYaml, type Structured } from './structured-text.ts';
import { checkDraft, nameIn } from './text-rules.ts';

/** Converts a `.prompt.yaml` file: ours, GitHub's or LangWatch's. */
export function convertPromptYaml({ path, text }: SourceFile): ConvertedPrompt {
  const report = createReport(path);
  const parsed = catchProblem(report, () => parseYaml(text));
  const fields = isPlainObject(parsed?.value) ? parsed.value : undefined;
  if (parsed && !fields) report.error('the file', 'It must have keys such as "template" or "messages"', 1);
  const name = nameIn(path, typeof fields?.name === 'string' ? fields.name : undefined, fileNameOf(path));
  const source = parsed && fields ? { name, fields, lineOf: parsed.lineOf } : undefined;
  const draft = source && catchProblem(report, () => convert(source, report));
  if (draft) checkDraft(draft, report);
  const cases = source && draft ? readTestData(source, report) : [];
  return { path, format: 'prompt-yaml', name, draft: report.hasErrors() ? undefined : draft, cases, findings: report.findings };
}

/** Converts the JSON file that the dashboard exports: prompts in the form in which the API creates them. */
export function convertJson({ path, text }: SourceFile): ConvertedPrompt[] {
  const file = createReport(path);
  const parsed = catchProblem(file, () => parseJson(text));
  const items = isPlainObject(parsed?.value) && Array.isArray(parsed.value.items) ? parsed.value.items : [];
  if (items.length === 0) return [{ path, format: 'json', name: path, draft: undefined, cases: [], findings: file.findings }];
  return items.map((item: unknown, index): ConvertedPrompt => {
    const report = createReport(path);
    const { type: _type, labels, ...fields } = isPlainObject(item) ? item : {};
    const name = typeof fields.name === 'string' ? fields.name.normalize('NFC') : `${path} ${index + 1}`;
    const at = (...rest: (string | number)[]) => parsed?.lineOf('items', index, ...rest);
    if (Array.isArray(labels) && labels.length > 0)
      report.note(`labels: ${labels.join(', ')}`, 'Labels are chosen when importing', at('labels'));
    const draft = catchProblem(report, () => convert({ name, fields, lineOf: at }, report));
    if (draft) checkDraft(draft, report);
    return { path, format: 'json', name, draft: report.hasErrors() ? undefined : draft, cases: [], findings: report.findings };
  });
}

/** The name that the path stands for: some characters are written as in URLs. */
function fileNameOf(path: string): string {
  const own = path.slice(path.lastIndexOf('/') + 1).replace(/\.prompt\.ya?ml$/i, '');
  try {
    return decodeURIComponent(own);
  } catch {
    return own;
  }
}

interface Source {
  name: string;
  fields: Record<string, unknown>;
  lineOf: Structured['lineOf'];
}

/** GitHub's and LangWatch's keys for the format of the output. */
const formatKeys = ['jsonSchema', 'response_format'];

function convert({ name, fields, lineOf }: Source, report: Report): PromptDraft {
  const known: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (knownKeys.includes(key)) known[key] = value;
    else if (!ignoredKeys.includes(key) && !formatKeys.includes(key)) report.warn(key, 'Not a key of this format, left out', lineOf(key));
  }
  if (fields.evaluators !== undefined) report.warn('evaluators', 'Have no counterpart here, left out', lineOf('evaluators'));
  if (isPlainObject(fields.variables)) report.note('variables', 'Stay in the file', lineOf('variables'));
  const format = readFormat({ name, fields, lineOf }, report);
  if (format) delete known.responseFormat;
  const { description, tags, config, syntax = 'liquid', ...texts } = readContent(known);
  return {
    name,
    ...(readText(fields, 'description') !== undefined && { description }),
    ...(fields.tags !== undefined && { tags }),
    syntax,
    ...texts,
    config: format && isPlainObject(config) ? { ...config, response_format: format } : config,
  };
}

/** GitHub has the schema as a text beside `responseFormat`; LangWatch has the format that servers take. */
function readFormat({ fields, lineOf }: Source, report: Report): unknown {
  if (fields.response_format !== undefined) return fields.response_format;
  if (fields.jsonSchema === undefined) return undefined;
  const schema =
    typeof fields.jsonSchema === 'string' ? catchProblem(report, () => parseJson(String(fields.jsonSchema)).value) : fields.jsonSchema;
  if (!isPlainObject(schema)) {
    report.warn('jsonSchema', 'Not a JSON schema, left out', lineOf('jsonSchema'));
    return undefined;
  }
  report.note('jsonSchema', 'Saved as response_format', lineOf('jsonSchema'));
  const hasName = typeof schema.name === 'string' && isPlainObject(schema.schema);
  return { type: 'json_schema', json_schema: hasName ? schema : { name: 'output', schema } };
}

/** GitHub's test data are the variables of cases. */
function readTestData({ fields, lineOf }: Source, report: Report): NewCase[] {
  if (!Array.isArray(fields.testData)) return [];
  const data = fields.testData.slice(0, maxPromptCases);
  if (data.length < fields.testData.length) report.warn('testData', `Only the first ${maxPromptCases}: a prompt has no more cases`);
  return data.flatMap((row: unknown, index): NewCase[] => {
    if (!isPlainObject(row)) throw new FileProblem('"testData" must be a list of variables', lineOf('testData', index));
    const { expected, ...variables } = row;
    if (expected !== undefined) report.warn(`expected of test ${index + 1}`, 'Becomes no check, left out', lineOf('testData', index));
    return [{ name: `test ${index + 1}`, variables, checks: [] }];
  });
}
