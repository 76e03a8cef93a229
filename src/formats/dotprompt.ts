import type { ContentPart } from '../contract/content-parts.ts';
import { listTemplates } from '../contract/message-content.ts';
import { messageRoles } from '../contract/message-roles.ts';
import type { Messages } from '../contract/versions.ts';
import { type ConvertOptions, convertTexts, type SourceText } from './dialects.ts';
import type { ConvertedPrompt, PromptDraft, SourceFile } from './draft-types.ts';
import { FileProblem } from './file-problem.ts';
import { type FrontMatter, splitFrontMatter } from './front-matter.ts';
import { isPlainObject } from './json-values.ts';
import { createLineFinder } from './line-numbers.ts';
import { parsePicoschema } from './picoschema.ts';
import { catchProblem, createReport, type Path, type Report } from './report.ts';
import { keepValue, readParameters, toResponseFormat, toTool, withVariables } from './settings.ts';
import { listTemplateTags } from './template-tags.ts';
import { convertEither, nameIn, readDescription, toConverted, trimMessages, withTexts } from './text-rules.ts';

/** Converts a `.prompt` file of Google's dotprompt. */
export function convertDotprompt(file: SourceFile): ConvertedPrompt {
  return convertEither((asText) => convertFile(file, asText));
}

function convertFile({ path, text }: SourceFile, asText: boolean): ConvertedPrompt {
  const report = createReport(path);
  const fileName = path.slice(path.lastIndexOf('/') + 1).replace(/\.prompt$/i, '');
  const file = catchProblem(report, () => splitFrontMatter(text, report));
  const name = nameIn(path, file && readName(file, fileName), fileName);
  return toConverted({ path, format: 'dotprompt', name }, report, () => file && convert(name, file, { report, asText }));
}

/** Returns whether this file is a partial, which other files include. */
export function isPartial({ path }: SourceFile): boolean {
  return /(?:^|\/)_[^/]*$/.test(path);
}

/** Returns the name of a prompt. A variant is a separate prompt, such as `greeting.formal`. */
function readName({ fields }: FrontMatter, fileName: string): string | undefined {
  if (typeof fields.name !== 'string' || fields.name === '') return undefined;
  const dot = fileName.indexOf('.');
  const variant = typeof fields.variant === 'string' ? fields.variant : dot > 0 ? fileName.slice(dot + 1) : '';
  return variant === '' || fields.name.endsWith(`.${variant}`) ? fields.name : `${fields.name}.${variant}`;
}

function convert(name: string, file: FrontMatter, { report, asText }: { report: Report; asText: boolean }): PromptDraft | undefined {
  const { fields, body, bodyLine } = file;
  const description = readDescription(fields.description, report);
  const config = readConfig(file, report);
  const variables = isPlainObject(config.variables) ? config.variables : {};
  const typeOf = (variable: string) => typeIn(variables[variable]);
  const content = readBody(body, bodyLine, { report, asText, typeOf });
  if (!content) return undefined;
  const { syntax, messages } = content;
  const [only] = messages;
  // A file without roles is one user message, which is the same as a text prompt.
  if (!content.hasRoles && only && 'content' in only && typeof only.content === 'string') {
    return { name, ...description, syntax, template: only.content, config };
  }
  if (messages.length === 0) throw new FileProblem('The file has no text', bodyLine);
  return { name, ...description, syntax, messages, config };
}

const knownKeys = ['name', 'variant', 'description', 'model', 'config', 'input', 'output', 'toolDefs', 'tools'];

function readConfig({ fields }: FrontMatter, report: Report): Record<string, unknown> {
  if (fields.tools !== undefined) report.warn(['tools'], 'Tools that are defined in a program are not supported; skipped');
  report.warnOthers(fields, knownKeys);
  const model = keepValue(fields.model, ['model'], report);
  return withVariables(
    {
      ...(typeof model === 'string' && model !== '' && { model }),
      ...readParameters(fields.config, ['config'], report),
      ...readOutput(fields.output, report),
      ...readTools(fields.toolDefs, report),
    },
    readVariables(fields.input, report),
  );
}

function readOutput(output: unknown, report: Report): Record<string, unknown> {
  if (!isPlainObject(output)) return {};
  const { format, schema } = output;
  report.warnOthers(output, ['format', 'schema'], ['output']);
  const parsed = tryPicoschema(schema, ['output', 'schema'], report);
  if (parsed) return { response_format: toResponseFormat(parsed) };
  if (format === 'json') return { response_format: { type: 'json_object' } };
  if (format !== undefined && format !== 'text') {
    report.warn(`output.format: ${format}`, 'Unknown format; skipped', report.lineOf('output', 'format'));
  }
  return {};
}

function readTools(tools: unknown, report: Report): Record<string, unknown> {
  if (!Array.isArray(tools)) return {};
  const found = tools.flatMap((tool: unknown, index) => {
    const path = ['toolDefs', index];
    if (isPlainObject(tool) && typeof tool.name === 'string') {
      return [toTool(tool.name, tool.description, tryPicoschema(tool.inputSchema, path, report))];
    }
    report.warn(path, 'The tool has no name; skipped');
    return [];
  });
  return found.length > 0 ? { tools: found } : {};
}

/** Reads the description of each variable from the input schema. */
function readVariables(input: unknown, report: Report): Record<string, unknown> {
  if (!isPlainObject(input)) return {};
  const schema = tryPicoschema(input.schema, ['input', 'schema'], report);
  const properties = isPlainObject(schema?.properties) ? schema.properties : {};
  const required = Array.isArray(schema?.required) ? schema.required : [];
  const defaults = isPlainObject(input.default) ? input.default : {};
  const variables: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    variables[name] = { ...(isPlainObject(property) && property), ...(!required.includes(name) && { optional: true }) };
  }
  for (const [name, value] of Object.entries(defaults)) {
    variables[name] = { ...(isPlainObject(variables[name]) && variables[name]), default: value };
  }
  return variables;
}

function tryPicoschema(schema: unknown, path: Path, report: Report): Record<string, unknown> | undefined {
  if (schema === undefined) return undefined;
  try {
    return parsePicoschema(schema);
  } catch (err) {
    if (!(err instanceof FileProblem)) throw err;
    report.warn(path, `${err.message}; skipped`);
    return undefined;
  }
}

/** Splits the text at `{{role}}`, `{{history}}` and images. Returns undefined if it contains something that cannot be converted. */
function readBody(body: string, bodyLine: number, options: ConvertOptions) {
  const { report } = options;
  const lineAt = createLineFinder(body, bodyLine);
  const texts: SourceText[] = [];
  const messages: Messages = [];
  let parts: ContentPart[] = [];
  let [role, last, depth, hasRoles] = ['user', 0, 0, false];
  const addPart = (part: ContentPart, start: number) => {
    for (const { text } of listTemplates([part])) texts.push({ text, line: lineAt(start) });
    parts.push(part);
  };
  const addText = (end: number) => addPart({ type: 'text', text: body.slice(last, end) }, last);
  const addMessage = (end: number) => {
    addText(end);
    const [only] = parts;
    messages.push({ role, content: parts.length === 1 && only?.type === 'text' ? only.text : parts });
    parts = [];
  };
  for (const { open, body: tag, source, start, end } of listTemplateTags(body, ['{{{', '{{!--', '{{'])) {
    if (open !== '{{' || body[start - 1] === '\\') continue;
    depth += /^[#^]/.test(tag) ? 1 : tag.startsWith('/') ? -1 : 0;
    const media = depth === 0 ? readMedia(tag) : undefined;
    if (media) {
      addText(start);
      addPart(media, start);
      last = end;
    }
    if (!/^(?:role|history)\b/.test(tag)) continue;
    const given = /^role\s+(?:"([^"]*)"|'([^']*)')$/.exec(tag);
    const name = given ? toRole(given[1] ?? given[2] ?? '') : undefined;
    // A variable may have a name such as `role.name`. Such a tag stays in the text.
    if (!name && tag !== 'history') {
      if (given) report.error(source, `Unknown role; prompt not imported. Use ${messageRoles.join(', ')}`, lineAt(start));
      continue;
    }
    addMessage(start);
    if (name === undefined) messages.push({ placeholder: 'history' });
    // After the history, text without a role belongs to the model.
    role = name ?? 'assistant';
    last = end;
    hasRoles = true;
  }
  addMessage(body.length);
  const converted = convertTexts(texts, 'handlebars', options);
  return converted && { syntax: converted.syntax, messages: trimMessages(withTexts(messages, converted.texts)), hasRoles };
}

/** Reads `{{media url=photo}}`, with a variable or text as its URL. Returns undefined for other tags, and for audio and video. */
function readMedia(tag: string): ContentPart | undefined {
  const [, literal, single, variable] = /^media\s[^}]*?\burl=(?:"([^"]*)"|'([^']*)'|([A-Za-z_][\w.]*))/.exec(tag) ?? [];
  const url = literal ?? single ?? (variable === undefined ? undefined : `{{${variable}}}`);
  const [, type] = /\b(?:contentType|type)=["']([^"']*)["']/.exec(tag) ?? [];
  if (url === undefined || /^(?:audio|video)\//.test(type ?? '')) return undefined;
  return type === undefined || type.startsWith('image/') ? { type: 'image', url } : { type: 'file', url };
}

/** Returns the type in the schema of a variable. */
function typeIn(schema: unknown): string | undefined {
  return isPlainObject(schema) && typeof schema.type === 'string' ? schema.type : undefined;
}

function toRole(role: string): string | undefined {
  if (role === 'model') return 'assistant';
  return messageRoles.find((known) => known === role);
}
