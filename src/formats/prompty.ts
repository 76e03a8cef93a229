import type { NewCase } from '../contract/cases.ts';
import type { ContentPart } from '../contract/content-parts.ts';
import { messageRoles } from '../contract/message-roles.ts';
import type { Messages } from '../contract/versions.ts';
import { type ConvertOptions, convertTexts, type Dialect, removeComments, type SourceText } from './dialects.ts';
import type { ConvertedPrompt, PromptDraft, SourceFile } from './draft-types.ts';
import { FileProblem } from './file-problem.ts';
import { type FrontMatter, splitFrontMatter } from './front-matter.ts';
import { isPlainObject } from './json-values.ts';
import { createLineFinder } from './line-numbers.ts';
import { listProperties, type Property, toObjectSchema, toSchema } from './property-schema.ts';
import { catchProblem, createReport, type Path, type Report } from './report.ts';
import { keepValue, readParameters, toResponseFormat, toTool, withVariables } from './settings.ts';
import { listTemplateTags } from './template-tags.ts';
import { convertEither, nameIn, readDescription, readTags, toConverted, toNamePart, trimMessages, withTexts } from './text-rules.ts';

/** Converts a `.prompty` file of Microsoft's Prompty, version 1 or 2. */
export function convertPrompty(file: SourceFile): ConvertedPrompt {
  return convertEither((asText) => convertFile(file, asText));
}

function convertFile({ path, text }: SourceFile, asText: boolean): ConvertedPrompt {
  const report = createReport(path);
  const fileName = path.slice(path.lastIndexOf('/') + 1).replace(/\.prompty$/i, '');
  const file = catchProblem(report, () => splitFrontMatter(text, report));
  const given = typeof file?.fields.name === 'string' ? toNamePart(file.fields.name) : undefined;
  const name = nameIn(path, given, fileName);
  const cases = file ? readSample(file.fields, report) : [];
  return toConverted({ path, format: 'prompty', name, cases }, report, () => file && convert(name, file, { report, asText }));
}

function convert(name: string, file: FrontMatter, { report, asText }: { report: Report; asText: boolean }): PromptDraft | undefined {
  const { fields, bodyLine } = file;
  const metadata = isPlainObject(fields.metadata) ? fields.metadata : {};
  const hasOwnTags = fields.tags !== undefined;
  const details = {
    ...readDescription(fields.description, report),
    ...readTags(hasOwnTags ? fields.tags : metadata.tags, report, hasOwnTags ? ['tags'] : ['metadata', 'tags']),
  };
  const inputs = listProperties(fields.inputs ?? fields.inputSchema ?? fields.input);
  const config = withVariables(readConfig(file, report), describeInputs(inputs));
  report.warnOthers(fields, knownKeys);
  report.warnOthers(metadata, ['tags'], ['metadata']);
  const typeOf = (variable: string) => inputs.find((input) => input.name === variable)?.kind;
  const messages = readBody(file, inputs, { report, asText, typeOf });
  if (!messages) return undefined;
  if (messages.messages.length === 0) throw new FileProblem('The file has no text', bodyLine);
  return { name, ...details, ...messages, config };
}

const knownKeys = [
  ...['$schema', 'kind', 'name', 'displayName', 'description', 'tags', 'metadata', 'model', 'inputs', 'inputSchema', 'input'],
  ...['outputs', 'outputSchema', 'output', 'tools', 'template', 'sample'],
];

function readConfig({ fields }: FrontMatter, report: Report): Record<string, unknown> {
  const outputs = listProperties(fields.outputs ?? fields.outputSchema ?? fields.output);
  return {
    ...readModel(fields.model, report),
    ...(outputs.length > 0 && { response_format: toResponseFormat(toObjectSchema(outputs)) }),
    ...readTools(fields.tools, ['tools'], report),
  };
}

/** Converts a sample to a test case. */
function readSample({ sample }: Record<string, unknown>, report: Report): NewCase[] {
  if (sample === undefined || sample === null) return [];
  if (isPlainObject(sample)) return [{ name: 'sample', variables: sample, checks: [] }];
  report.warn(['sample'], 'The values are in a file or have no names; skipped');
  return [];
}

const modelKeys = ['id', 'options', 'parameters', 'configuration', 'connection', 'api', 'apiType', 'provider'];

/** Reads the model. Version 2 has `id` and `options`; version 1 has `configuration` and `parameters`, which may contain tools. */
function readModel(model: unknown, report: Report): Record<string, unknown> {
  if (typeof model === 'string') return { ...(keepValue(model, ['model'], report) !== undefined && { model }) };
  if (!isPlainObject(model)) return {};
  const { id, options, parameters, configuration, connection, api, apiType = api } = model;
  report.warnOthers(model, modelKeys, ['model']);
  const former = isPlainObject(configuration) ? configuration : {};
  if (connection !== undefined) report.warn(['model', 'connection'], 'Connections are set up in the settings; skipped');
  if (configuration !== undefined) {
    report.warn(['model', 'configuration'], 'Connections are set up in the settings; only the model is kept');
  }
  if (apiType !== undefined && apiType !== 'chat') {
    const line = report.lineOf('model', api === undefined ? 'apiType' : 'api');
    report.warn(`model.apiType: ${apiType}`, 'Only chat models are supported', line);
  }
  const named = id ?? former.azure_deployment ?? former.model ?? former.name;
  const kept = typeof named === 'string' ? keepValue(named, ['model', 'id'], report) : undefined;
  const { additionalProperties, ...known } = isPlainObject(options) ? options : {};
  const { tools, ...settings } = isPlainObject(parameters) ? parameters : {};
  return {
    ...(kept !== undefined && { model: kept }),
    ...readParameters(known, ['model', 'options'], report),
    ...readParameters(additionalProperties, ['model', 'options', 'additionalProperties'], report),
    ...readParameters(settings, ['model', 'parameters'], report),
    ...readTools(tools, ['model', 'parameters', 'tools'], report),
  };
}

function readTools(tools: unknown, path: Path, report: Report): Record<string, unknown> {
  if (tools === undefined || tools === null) return {};
  if (!Array.isArray(tools)) {
    report.warn(path, 'Not a list of tools; skipped');
    return {};
  }
  const found = tools.flatMap((tool: unknown, index): Record<string, unknown>[] => {
    if (isPlainObject(tool) && isPlainObject(tool.function)) return [tool];
    if (isPlainObject(tool) && typeof tool.name === 'string' && (tool.kind ?? 'function') === 'function') {
      return [toTool(tool.name, tool.description, toObjectSchema(listProperties(tool.parameters)))];
    }
    report.warn([...path, index], 'Only functions are supported; skipped');
    return [];
  });
  return found.length > 0 ? { tools: found } : {};
}

/** Reads the descriptions of variables in the inputs. Threads are placeholders and not variables. */
function describeInputs(inputs: Property[]): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const input of inputs) {
    if (input.kind === 'thread') continue;
    const { name, required, default: given, example = input.sample } = input;
    variables[name] = {
      ...toSchema(input),
      ...(input.kind === 'image' && { type: 'image' }),
      ...(required === false && { optional: true }),
      ...(given !== undefined && { default: given }),
      ...(example !== undefined && { example }),
    };
  }
  return variables;
}

const roleLine = new RegExp(`^\\s*#?\\s*(${messageRoles.join('|')})\\s*(\\[[^\\]]*\\])?\\s*:\\s*$`, 'i');

/** Splits the text at lines such as `system:`. Text without such a line is one system message. */
function readBody(file: FrontMatter, inputs: Property[], options: ConvertOptions) {
  const { report } = options;
  const dialect = readDialect(file.fields.template, report);
  const namesOf = (...kinds: string[]) => inputs.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
  const [threads, images] = [namesOf('thread'), namesOf('image')];
  const { text } = dialect === 'mustache' ? { text: file.body } : removeComments({ text: file.body, line: file.bodyLine }, report);
  // If a comment with several lines was removed, line numbers refer to the text without the comment.
  const lines = text.split(/\r\n|\r|\n/);
  const sections: { role: string; lines: string[]; line: number }[] = [{ role: 'system', lines: [], line: file.bodyLine }];
  for (const [index, line] of lines.entries()) {
    const match = line.length < 1000 ? roleLine.exec(line) : null;
    if (!match) sections.at(-1)?.lines.push(line);
    else {
      if (match[2]) report.warn(line, 'Message attributes are not supported; skipped', file.bodyLine + index);
      sections.push({ role: (match[1] ?? '').toLowerCase(), lines: [], line: file.bodyLine + index + 1 });
    }
  }
  const texts: SourceText[] = [];
  const messages = sections.flatMap(({ role, lines: own, line }) =>
    splitText(own.join('\n'), { role, line, threads, images, texts, report }),
  );
  reportMedia(texts, namesOf('file', 'audio'), report);
  const converted = convertTexts(texts, dialect, options);
  return converted && { syntax: converted.syntax, messages: trimMessages(withTexts(messages, converted.texts)) };
}

interface Section {
  role: string;
  line: number;
  threads: string[];
  images: string[];
  /** The collected template texts. */
  texts: SourceText[];
  report: Report;
}

/** Splits text at threads, which represent the messages of a conversation, and at images, which become parts of their message. */
function splitText(text: string, { role, line, threads, images, texts, report }: Section): Messages {
  const lineAt = createLineFinder(text, line);
  const messages: Messages = [];
  let parts: ContentPart[] = [];
  let [last, depth] = [0, 0];
  const addText = (end: number) => {
    texts.push({ text: text.slice(last, end), line: lineAt(last) });
    parts.push({ type: 'text', text: text.slice(last, end) });
  };
  const addMessage = (end: number) => {
    addText(end);
    const [only] = parts;
    messages.push({ role, content: parts.length === 1 && only?.type === 'text' ? only.text : parts });
    parts = [];
  };
  for (const { open, body, source, start, end } of listTemplateTags(text, ['{{{', '{{', '{%', '{#'])) {
    depth += depthOf(open, body);
    if (open !== '{{') continue;
    if (depth > 0) {
      if (images.includes(body)) report.error(source, 'An image inside a block cannot be imported; prompt not imported', lineAt(start));
    } else if (threads.includes(body)) {
      addMessage(start);
      messages.push({ placeholder: body });
      last = end;
    } else if (images.includes(body)) {
      addText(start);
      texts.push({ text: source, line: lineAt(start) });
      parts.push({ type: 'image', url: source });
      last = end;
    }
  }
  addMessage(text.length);
  return messages;
}

/** Returns how a tag changes the depth of blocks. Text cannot be split inside a block. */
function depthOf(open: string, body: string): number {
  const [, word = ''] = /^[-+]?\s*(\w+|[#^/])/.exec(body) ?? [];
  if (open === '{{') return word === '#' || word === '^' ? 1 : word === '/' ? -1 : 0;
  if (open !== '{%') return 0;
  return word.startsWith('end') ? -1 : ['if', 'for', 'raw', 'macro', 'block', 'filter', 'call', 'with'].includes(word) ? 1 : 0;
}

function reportMedia(texts: SourceText[], media: string[], report: Report): void {
  for (const { text, line } of texts) {
    const lineAt = createLineFinder(text, line);
    for (const { body, source, start } of listTemplateTags(text, ['{{'])) {
      if (media.includes(body)) report.error(source, 'Only images can be imported, not other media; prompt not imported', lineAt(start));
    }
  }
}

function readDialect(template: unknown = 'jinja2', report: Report): Dialect {
  const given = isPlainObject(template) ? (template.format ?? template.type ?? 'jinja2') : template;
  const format = isPlainObject(given) ? (given.kind ?? 'jinja2') : given;
  if (format === 'jinja2' || format === 'nunjucks') return format === 'jinja2' ? 'jinja' : 'nunjucks';
  if (format === 'mustache') {
    report.note('template: mustache', 'Values are inserted without HTML escaping', report.lineOf('template'));
    return 'mustache';
  }
  throw new FileProblem(`The template language "${String(format)}" is not supported. Use jinja2 or mustache`, report.lineOf('template'));
}
