import type { NewCase } from '../contract/cases.ts';
import { maxPromptCases } from '../contract/limits.ts';
import type { ConvertedPrompt, PromptDraft, SourceFile } from './draft-types.ts';
import { isPlainObject } from './json-values.ts';
import { ignoredKeys, knownKeys, readContent, readText } from './prompt-fields.ts';
import { catchProblem, createReport, type Report } from './report.ts';
import { parseJson, parseYaml } from './structured-text.ts';
import { nameIn, toConverted } from './text-rules.ts';

/** Converts a `.prompt.yaml` file of PromptHarbor, GitHub or LangWatch. */
export function convertPromptYaml({ path, text }: SourceFile): ConvertedPrompt {
  const report = createReport(path);
  const parsed = catchProblem(report, () => parseYaml(text));
  if (parsed) report.lineOf = parsed.lineOf;
  const fields = isPlainObject(parsed?.value) ? parsed.value : undefined;
  if (parsed && !fields) report.error('the file', 'It must have keys such as "template" or "messages"', 1);
  const name = nameIn(path, typeof fields?.name === 'string' ? fields.name : undefined, fileNameOf(path));
  const converted = toConverted({ path, format: 'prompt-yaml', name }, report, () => fields && convert(name, fields, report));
  return converted.draft && fields ? { ...converted, cases: readTestData(fields.testData, report) } : converted;
}

/** Converts the JSON file that the dashboard exports: prompts in the form in which the API creates them. */
export function convertJson({ path, text }: SourceFile): ConvertedPrompt[] {
  const file = createReport(path);
  const parsed = catchProblem(file, () => parseJson(text));
  const items = isPlainObject(parsed?.value) && Array.isArray(parsed.value.items) ? parsed.value.items : [];
  if (items.length === 0) return [{ path, format: 'json', name: path, draft: undefined, cases: [], findings: file.findings }];
  return items.map((item: unknown, index): ConvertedPrompt => {
    const report = createReport(path, (...rest) => parsed?.lineOf('items', index, ...rest));
    const { type: _type, labels, ...fields } = isPlainObject(item) ? item : {};
    const name = typeof fields.name === 'string' ? fields.name.normalize('NFC') : `${path} ${index + 1}`;
    if (Array.isArray(labels) && labels.length > 0) {
      report.note(`labels: ${labels.join(', ')}`, 'Choose labels when you import', report.lineOf('labels'));
    }
    return toConverted({ path, format: 'json', name }, report, () => convert(name, fields, report));
  });
}

/** Returns the name that the path represents. In the path, some characters are encoded as in URLs. */
function fileNameOf(path: string): string {
  const own = path.slice(path.lastIndexOf('/') + 1).replace(/\.prompt\.ya?ml$/i, '');
  try {
    return decodeURIComponent(own);
  } catch {
    return own;
  }
}

/** GitHub's and LangWatch's keys for the format of the output. */
const formatKeys = ['jsonSchema', 'response_format'];

function convert(name: string, fields: Record<string, unknown>, report: Report): PromptDraft {
  const known: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (knownKeys.includes(key)) known[key] = value;
    else if (!ignoredKeys.includes(key) && !formatKeys.includes(key)) report.warn([key], 'Not a key of this format; skipped');
  }
  if (fields.evaluators !== undefined) report.warn(['evaluators'], 'Not supported; skipped');
  if (isPlainObject(fields.variables)) report.note(['variables'], 'Not imported; they stay in the file');
  const format = readFormat(fields, report);
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

/**
 * Reads the output format. GitHub has the schema as a string next to `responseFormat`. LangWatch has the format that model servers expect.
 */
function readFormat({ response_format, jsonSchema }: Record<string, unknown>, report: Report): unknown {
  if (response_format !== undefined) return response_format;
  if (jsonSchema === undefined) return undefined;
  const schema = typeof jsonSchema === 'string' ? catchProblem(report, () => parseJson(jsonSchema).value) : jsonSchema;
  if (!isPlainObject(schema)) {
    report.warn(['jsonSchema'], 'Not a JSON schema; skipped');
    return undefined;
  }
  report.note(['jsonSchema'], 'Saved as response_format');
  const hasName = typeof schema.name === 'string' && isPlainObject(schema.schema);
  return { type: 'json_schema', json_schema: hasName ? schema : { name: 'output', schema } };
}

/** Converts GitHub's test data to the variables of test cases. */
function readTestData(rows: unknown, report: Report): NewCase[] {
  if (!Array.isArray(rows)) return [];
  if (rows.length > maxPromptCases) report.warn('testData', `Only the first ${maxPromptCases} are imported, the most a prompt can have`);
  return rows.slice(0, maxPromptCases).flatMap((row: unknown, index): NewCase[] => {
    const path = ['testData', index];
    if (!isPlainObject(row)) {
      report.warn(path, 'Has no variables; skipped');
      return [];
    }
    const { expected, ...variables } = row;
    if (expected !== undefined) report.warn(`expected of test ${index + 1}`, 'Not supported as a check; skipped', report.lineOf(...path));
    return [{ name: `test ${index + 1}`, variables, checks: [] }];
  });
}
