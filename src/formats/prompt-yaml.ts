import type { NewCase } from '../contract/cases.ts';
import { maxPromptCases } from '../contract/limits.ts';
import { takeFromConfig } from './config-parts.ts';
import type { ConvertedPrompt, PromptDraft, SourceFile } from './draft-types.ts';
import { FileProblem } from './file-problem.ts';
import { isPlainObject } from './json-values.ts';
import { fromModelContent } from './model-parts.ts';
import { readDeclarations } from './prompt-declarations.ts';
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
  const converted = toConverted(
    { path, format: 'prompt-yaml', name },
    report,
    () => fields && convert(name, readForeign(fields, report), report),
  );
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
    const own = { ...fields, ...(fields.variables !== undefined && { variables: omitInferred(fields.variables) }) };
    return toConverted({ path, format: 'json', name }, report, () => convert(name, own, report));
  });
}

/** The fields that the API adds to a variable in a response. */
const inferredKeys = ['required', 'inherited', 'kind', 'fields', 'items'];

/** Returns the declared variables of an export. An export contains all variables in the form in which the API lists them. */
function omitInferred(variables: unknown): unknown {
  if (!Array.isArray(variables)) return variables;
  return variables
    .filter((variable: unknown) => !isPlainObject(variable) || variable.inherited !== true)
    .map((variable: unknown) =>
      isPlainObject(variable) ? Object.fromEntries(Object.entries(variable).filter(([key]) => !inferredKeys.includes(key))) : variable,
    );
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

function convert(name: string, fields: Record<string, unknown>, report: Report): PromptDraft {
  const known: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) {
    if (knownKeys.includes(key)) known[key] = value;
    else if (!ignoredKeys.includes(key)) report.warn([key], 'Unknown key; skipped');
  }
  if (fields.evaluators !== undefined) report.warn(['evaluators'], 'Not supported; skipped');
  const { description, tags, syntax = 'liquid', ...content } = readContent(known);
  return {
    name,
    ...(readText(fields, 'description') !== undefined && { description }),
    ...(fields.tags !== undefined && { tags }),
    syntax,
    ...content,
  };
}

/** Returns the fields of a file. Fields that GitHub and LangWatch write in another form are replaced with the fields of this format. */
function readForeign(given: Record<string, unknown>, report: Report): Record<string, unknown> {
  const { jsonSchema, response_format, ...fields } = given;
  for (const key of ['variables', 'tools', 'output']) {
    const problem = findDeclarationProblem({ [key]: fields[key] });
    if (problem === undefined) continue;
    report.warn([key], `${problem}; skipped`);
    delete fields[key];
  }
  if (Array.isArray(fields.messages)) fields.messages = fields.messages.map(readParts);
  const format = readFormat(given, report);
  if (format === undefined) return fields;
  delete fields.responseFormat;
  const { output } = takeFromConfig({ response_format: format });
  if (output && fields.output === undefined) return { ...fields, output };
  const { model, modelParameters, config, ...rest } = fields;
  const whole = config ?? { ...(model !== undefined && { model }), ...(isPlainObject(modelParameters) && modelParameters) };
  return { ...rest, config: isPlainObject(whole) ? { ...whole, response_format: format } : whole };
}

function findDeclarationProblem(fields: Record<string, unknown>): string | undefined {
  try {
    readDeclarations(fields);
    return undefined;
  } catch (err) {
    if (err instanceof FileProblem) return err.message;
    throw err;
  }
}

/** Converts the parts of a message from the form of OpenAI's chat completions to the service's form. */
function readParts(message: unknown): unknown {
  if (!isPlainObject(message) || !Array.isArray(message.content)) return message;
  return { ...message, content: fromModelContent(message.content) ?? message.content };
}

/**
 * Reads the output format. GitHub writes the schema as text next to `responseFormat`. LangWatch writes the format that model servers
 * expect, and `responseFormat` can contain this format too.
 */
function readFormat({ response_format, responseFormat, jsonSchema }: Record<string, unknown>, report: Report): unknown {
  if (response_format !== undefined) return response_format;
  if (jsonSchema === undefined) return takeFromConfig({ response_format: responseFormat }).output && responseFormat;
  const schema = typeof jsonSchema === 'string' ? catchProblem(report, () => parseJson(jsonSchema).value) : jsonSchema;
  if (!isPlainObject(schema)) {
    report.warn(['jsonSchema'], 'Not a JSON Schema; skipped');
    return undefined;
  }
  const hasName = typeof schema.name === 'string' && isPlainObject(schema.schema);
  const format = { type: 'json_schema', json_schema: hasName ? schema : { name: 'output', schema } };
  const isOutput = takeFromConfig({ response_format: format }).output !== undefined;
  report.note(['jsonSchema'], `Saved as ${isOutput ? 'output' : 'response_format'}`);
  return format;
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
