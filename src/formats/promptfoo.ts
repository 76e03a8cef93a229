import { listTemplates } from '../contract/message-content.ts';
import { isChat, readChat } from './chat-texts.ts';
import { convertTexts, removeComments } from './dialects.ts';
import type { ConvertedPrompt, Finding, PromptDraft, SourceFile } from './draft-types.ts';
import { isPlainObject } from './json-values.ts';
import { isFilePath, resolvePath } from './promptfoo-paths.ts';
import { type Context, findFile, listEntries, listSources, readFileSources, type Source } from './promptfoo-sources.ts';
import { type ConvertedCase, convertTests } from './promptfoo-tests.ts';
import { catchProblem, createReport, type Report } from './report.ts';
import { readParameters } from './settings.ts';
import { parseJson, parseYaml, type Structured } from './structured-text.ts';
import { convertEither, toConverted, withTexts } from './text-rules.ts';

/** Converts the prompts and tests of a promptfoo config. The prompts may be in separate files. */
export function convertPromptfoo(
  config: SourceFile,
  files: ReadonlyMap<string, SourceFile>,
): { prompts: ConvertedPrompt[]; findings: Finding[] } {
  const report = createReport(config.path);
  const parsed = catchProblem(report, () => parseConfig(config));
  if (!parsed || !isPlainObject(parsed.value)) return { prompts: [], findings: report.findings };
  const fields = parsed.value;
  report.lineOf = parsed.lineOf;
  const context: Context = { config, files, report };
  const settings = readSettings(fields, report);
  const cases = readTests(fields, context);
  report.warnOthers(fields, knownKeys);
  const sources = listSources(fields.prompts, context);
  const prompts = sources.map((source) => convertSource(source, { settings, cases }));
  return { prompts, findings: report.findings };
}

/** Converts a file that no config names. The file contains one prompt, or several prompts separated by lines of `---`. */
export function convertPromptText(file: SourceFile): ConvertedPrompt[] {
  const report = createReport(file.path);
  return readFileSources(file, { config: file, files: new Map(), report })
    .filter((source) => !isOtherData(source))
    .map((source) => convertSource(source, { settings: {}, cases: [] }));
}

/** Returns whether the text is JSON or YAML that is not a chat, such as the settings of another program. */
function isOtherData({ path, text }: Source): boolean {
  if (!/\.(?:jsonl?|ya?ml)$/i.test(path)) return false;
  try {
    const { value } = /\.ya?ml$/i.test(path) ? parseYaml(text) : parseJson(text);
    return (isPlainObject(value) || Array.isArray(value)) && !isChat(value);
  } catch {
    return false;
  }
}

/** Returns whether a file is a config. Every config has a list of prompts. */
export function isPromptfooConfig(value: unknown): boolean {
  return isPlainObject(value) && value.prompts !== undefined && !isPlainObject(value.messages);
}

/** Lists the paths of the files that a config names, if they are below its folder. */
export function listReferences(config: SourceFile): string[] {
  try {
    const { value } = parseConfig(config);
    if (!isPlainObject(value)) return [];
    const entries = listEntries(value.prompts).flatMap(({ raw }) => (typeof raw === 'string' && isFilePath(raw) ? [raw] : []));
    const others = [value.tests, value.defaultTest].flatMap((each) => (typeof each === 'string' ? [each] : []));
    return [...entries, ...others].flatMap((entry) => resolvePath(config.path, entry) ?? []);
  } catch {
    return [];
  }
}

function parseConfig({ path, text }: SourceFile): Structured {
  return /\.json$/i.test(path) ? parseJson(text) : parseYaml(text);
}

const knownKeys = ['$schema', 'description', 'prompts', 'providers', 'targets', 'tests', 'defaultTest', 'tags'];

/** Reads the model and its parameters, if the config has a single provider. */
function readSettings(fields: Record<string, unknown>, report: Report): Record<string, unknown> {
  const key = fields.providers === undefined ? 'targets' : 'providers';
  const providers = fields[key] === undefined ? [] : [fields[key]].flat();
  const [provider] = providers;
  if (providers.length > 1) {
    report.warn(`${key}: ${providers.length}`, 'A prompt can have only one model; all skipped', report.lineOf(key));
    return {};
  }
  if (provider === undefined) return {};
  const id = typeof provider === 'string' ? provider : isPlainObject(provider) ? provider.id : undefined;
  const model = typeof id === 'string' ? readModel(id) : undefined;
  if (model === undefined) report.warn([key], 'Not a model name; skipped');
  const parameters = isPlainObject(provider) ? readParameters(provider.config, [key, 0, 'config'], report) : {};
  return { ...(model !== undefined && { model }), ...parameters };
}

/** Reads the model of a provider: `openai:chat:gpt-5-mini` means the model `gpt-5-mini`. */
function readModel(id: string): string | undefined {
  const match = /^[a-z][a-z0-9-]*:(?:(?:chat|completion|responses|messages|assistant|text):)?([\w./:@-]+)$/i.exec(id);
  return id.startsWith('file:') || id.startsWith('http') ? undefined : match?.[1];
}

function readTests({ tests, defaultTest: common }: Record<string, unknown>, context: Context): ConvertedCase[] {
  const { report } = context;
  const external = typeof tests === 'string' ? findFile(tests, context) : undefined;
  const defaultFile = typeof common === 'string' ? findFile(common, context) : undefined;
  const defaultTest = defaultFile ? catchProblem(report, () => parseConfig(defaultFile))?.value : common;
  if (!external || !/\.(?:ya?ml|json)$/i.test(external.path)) return convertTests(tests, { defaultTest, path: ['tests'], report });
  const own = createReport(external.path);
  const parsed = catchProblem(own, () => parseConfig(external));
  if (parsed) own.lineOf = parsed.lineOf;
  const converted = convertTests(parsed?.value, { defaultTest, path: [], report: own });
  // Problems in tests do not prevent the import of the prompts.
  for (const finding of own.findings)
    report.findings.push({ ...finding, severity: finding.severity === 'error' ? 'warning' : finding.severity });
  return converted;
}

interface Shared {
  settings: Record<string, unknown>;
  cases: ConvertedCase[];
}

function convertSource(source: Source, { settings, cases }: Shared): ConvertedPrompt {
  const { path, name, label } = source;
  const own = cases
    .filter(({ prompts }) => prompts === undefined || (label !== undefined && prompts.includes(label)))
    .map((each) => each.case);
  return convertEither((asText) => {
    const report = createReport(path);
    return toConverted({ path, format: 'promptfoo', name, cases: own }, report, () => toDraft(source, settings, { report, asText }));
  });
}

function toDraft(
  { path, line, name, text, config, dialect }: Source,
  settings: Record<string, unknown>,
  { report, asText }: { report: Report; asText: boolean },
): PromptDraft | undefined {
  const chat = readMessages(path, text);
  const own = { name, config: { ...settings, ...config } };
  const options = { report, asText, typeOf: () => undefined };
  if (text === '') report.error('the file', 'The file has no text');
  if (!chat) {
    const converted = convertTexts([removeComments({ text, line }, report)], dialect, options);
    return converted && { ...own, syntax: converted.syntax, template: converted.texts.join('') };
  }
  const lineAt = (index: number) => (chat.lineOf(index) ?? 1) + line - 1;
  const messages = readChat(chat.value, report, lineAt);
  const texts = messages.flatMap((message, index) =>
    'content' in message
      ? listTemplates(message.content).map(({ text: part }) => removeComments({ text: part, line: lineAt(index) }, report))
      : [],
  );
  const converted = convertTexts(texts, dialect, options);
  return converted && { ...own, syntax: converted.syntax, messages: withTexts(messages, converted.texts) };
}

/** Reads chat messages, if the text is JSON or YAML with a list of messages. */
function readMessages(path: string, text: string): (Structured & { value: Record<string, unknown>[] }) | undefined {
  const isYaml = /\.ya?ml$/i.test(path) && /^\s*- /.test(text);
  if (!isYaml && !text.startsWith('[')) return undefined;
  try {
    const parsed = text.startsWith('[') ? parseJson(text) : parseYaml(text);
    return isChat(parsed.value) ? { value: parsed.value, lineOf: parsed.lineOf } : undefined;
  } catch {
    return undefined;
  }
}
