import { isChat, readChat } from './chat-texts.ts';
import { chooseSyntax, type Dialect, removeComments, type SourceText } from './dialects.ts';
import { isPlainObject } from './json-values.ts';
import { createMatcher, isFilePath, resolvePath } from './promptfoo-paths.ts';
import { type ConvertedCase, convertTests } from './promptfoo-tests.ts';
import { catchProblem, createReport, type Report } from './report.ts';
import { readParameters } from './settings.ts';
import { parseJson, parseYaml, type Structured } from './structured-text.ts';
import { checkDraft, nameIn, readDescription, toNamePart } from './text-rules.ts';
import type { ConvertedPrompt, Finding, PromptDraft, SourceFile } from './types.ts';

/** Converts the prompts of a promptfoo config, which may be in files beside it, and its tests. */
export function convertPromptfoo(
  config: SourceFile,
  files: ReadonlyMap<string, SourceFile>,
): { prompts: ConvertedPrompt[]; findings: Finding[] } {
  const report = createReport(config.path);
  const parsed = catchProblem(report, () => parseConfig(config));
  if (!parsed || !isPlainObject(parsed.value)) return { prompts: [], findings: report.findings };
  const fields = parsed.value;
  const context: Context = { config, files, report, lineOf: parsed.lineOf };
  const settings = readSettings(fields, context);
  const cases = readTests(fields, context);
  reportOthers(fields, context);
  const sources = listSources(fields.prompts, context);
  const prompts = sources.map((source) => convertSource(source, { settings, cases }));
  return { prompts, findings: report.findings };
}

/** A file with one prompt, or several between lines of `---`, that no config names. */
export function convertPromptText(file: SourceFile): ConvertedPrompt[] {
  const report = createReport(file.path);
  const sources = readFileSources(file, { config: file, files: new Map(), report, lineOf: () => undefined });
  return sources.map((source) => convertSource(source, { settings: {}, cases: [] }));
}

/** Whether a file is a config: it has a list of prompts. */
export function isPromptfooConfig(value: unknown): boolean {
  return isPlainObject(value) && value.prompts !== undefined && !isPlainObject(value.messages);
}

/** The paths of the files that a config names, as far as they are below its folder. */
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

interface Context {
  config: SourceFile;
  files: ReadonlyMap<string, SourceFile>;
  report: Report;
  lineOf: Structured['lineOf'];
}

/** A prompt before it is converted. */
interface Source {
  path: string;
  line: number;
  name: string;
  /** What tests call it. */
  label: string | undefined;
  text: string;
  config: Record<string, unknown>;
  dialect: Dialect;
  report: Report;
}

function parseConfig({ path, text }: SourceFile): Structured {
  return /\.json$/i.test(path) ? parseJson(text) : parseYaml(text);
}

const knownKeys = ['$schema', 'description', 'prompts', 'providers', 'targets', 'tests', 'defaultTest', 'tags'];

function reportOthers(fields: Record<string, unknown>, { report, lineOf }: Context): void {
  for (const key of Object.keys(fields).filter((each) => !knownKeys.includes(each))) {
    report.warn(key, 'Has no counterpart here, left out', lineOf(key));
  }
}

/** The model and its parameters, if the config has a single provider. */
function readSettings(fields: Record<string, unknown>, { report, lineOf }: Context): Record<string, unknown> {
  const key = fields.providers === undefined ? 'targets' : 'providers';
  const given = fields[key];
  const providers = Array.isArray(given) ? given : given === undefined ? [] : [given];
  const [provider] = providers;
  if (providers.length > 1) {
    report.warn(`${key}: ${providers.length}`, 'A prompt has one model; none of them is taken over', lineOf(key));
    return {};
  }
  if (provider === undefined) return {};
  const id = typeof provider === 'string' ? provider : isPlainObject(provider) ? provider.id : undefined;
  const model = typeof id === 'string' ? readModel(id) : undefined;
  if (model === undefined) report.warn(key, 'Not the name of a model, left out', lineOf(key));
  const parameters = isPlainObject(provider) ? readParameters(provider.config, { report, lineOf, path: [key, 0, 'config'] }) : {};
  return { ...(model !== undefined && { model }), ...parameters };
}

/** `openai:chat:gpt-5-mini` is the model `gpt-5-mini`. */
function readModel(id: string): string | undefined {
  const match = /^[a-z][a-z0-9-]*:(?:(?:chat|completion|responses|messages|assistant|text):)?([\w./:@-]+)$/i.exec(id);
  return id.startsWith('file:') || id.startsWith('http') ? undefined : match?.[1];
}

function readTests(fields: Record<string, unknown>, context: Context): ConvertedCase[] {
  const { report, lineOf } = context;
  const external = typeof fields.tests === 'string' ? findFile(fields.tests, context) : undefined;
  const defaultFile = typeof fields.defaultTest === 'string' ? findFile(fields.defaultTest, context) : undefined;
  const defaultTest = defaultFile ? catchProblem(report, () => parseConfig(defaultFile))?.value : fields.defaultTest;
  if (external && /\.(?:ya?ml|json)$/i.test(external.path)) {
    const own = createReport(external.path);
    const parsed = catchProblem(own, () => parseConfig(external));
    const converted = parsed
      ? convertTests({ tests: parsed.value, defaultTest, lineOf: (index, ...path) => parsed.lineOf(index, ...path), report: own })
      : [];
    report.findings.push(
      ...own.findings.map((finding) => ({ ...finding, severity: finding.severity === 'error' ? ('warning' as const) : finding.severity })),
    );
    return converted;
  }
  return convertTests({ tests: fields.tests, defaultTest, lineOf: (index, ...path) => lineOf('tests', index, ...path), report });
}

interface Entry {
  raw: unknown;
  label?: string | undefined;
  config?: unknown;
  path: (string | number)[];
}

/** A prompt may be a text, the path of a file, an object, or (formerly) a path with its label. */
function listEntries(prompts: unknown): Entry[] {
  if (typeof prompts === 'string') return [{ raw: prompts, path: ['prompts'] }];
  if (isPlainObject(prompts)) {
    return Object.entries(prompts).map(([raw, label]) => ({
      raw,
      label: typeof label === 'string' ? label : undefined,
      path: ['prompts', raw],
    }));
  }
  if (!Array.isArray(prompts)) return [];
  return prompts.map((prompt: unknown, index) => {
    const path = ['prompts', index];
    if (!isPlainObject(prompt) || isChat(prompt)) return { raw: prompt, path };
    const label = [prompt.label, prompt.raw === undefined ? undefined : prompt.id].find((each) => typeof each === 'string');
    return { raw: prompt.raw ?? prompt.id, label: typeof label === 'string' ? label : undefined, config: prompt.config, path };
  });
}

function listSources(prompts: unknown, context: Context): Source[] {
  const { config, report, lineOf } = context;
  const used = new Set<string>();
  let inline = 0;
  return listEntries(prompts).flatMap(({ raw, label, config: given, path }): Source[] => {
    const line = lineOf(...path) ?? 1;
    const parameters = readParameters(given, { report, lineOf, path: [...path, 'config'] });
    if (typeof raw !== 'string') {
      report.warn(path.join('.'), 'Neither a text nor a file, left out', line);
      return [];
    }
    if (isFilePath(raw)) {
      const found = findFiles(raw, context);
      if (found.length === 0) report.warn(raw, describeMissing(raw), line);
      return found
        .filter((file) => !used.has(file.path) && used.add(file.path))
        .flatMap((file) => readFileSources(file, context, label))
        .map((source) => ({ ...source, config: parameters }));
    }
    inline += 1;
    const own = createReport(config.path);
    const name = nameIn(config.path, label === undefined ? undefined : toNamePart(label), `prompt-${inline}`);
    return [{ path: config.path, line, name, label, text: raw.trim(), config: parameters, dialect: 'nunjucks', report: own }];
  });
}

function describeMissing(raw: string): string {
  if (/\.(?:js|cjs|mjs|ts|cts|mts|py|rb|sh|exe|bat|cmd|ps1)(?::\w+)?$/i.test(raw) || raw.startsWith('exec:')) return 'A program, left out';
  if (/\.csv$/i.test(raw)) return 'A table, left out';
  return 'The file is not among those that were chosen, left out. Choose the folder that has both';
}

const textFile = /\.(?:txt|md|j2|json|jsonl|ya?ml)$/i;

/** The prompts of a file that a config names. */
function readFileSources(file: SourceFile, { config }: Context, label?: string): Source[] {
  const base = file.path.slice(file.path.lastIndexOf('/') + 1).replace(textFile, '');
  const isSplit = /\.(?:txt|jsonl)$/i.test(file.path);
  const parts = isSplit ? splitText(file) : [{ text: file.text.replace(/^\uFEFF/, '').trim(), line: 1 }];
  // Beside the config, so that prompts of one project are in one folder.
  const place = label === undefined ? file.path : config.path;
  return parts.map(({ text, line }, index) => {
    const own = label === undefined ? base : toNamePart(label);
    const numbered = parts.length > 1 ? `${own}-${index + 1}` : own;
    return {
      path: file.path,
      line,
      name: nameIn(place, numbered, base),
      label,
      text,
      config: {},
      dialect: dialectOf(file),
      report: createReport(file.path),
    };
  });
}

function dialectOf({ path }: SourceFile): Dialect {
  return /\.j2$/i.test(path) ? 'jinja' : 'nunjucks';
}

/** Lines of `---` separate prompts; in a .jsonl file every line is one. */
function splitText({ path, text }: SourceFile): SourceText[] {
  const isLines = /\.jsonl$/i.test(path);
  const parts: SourceText[] = [];
  let current: string[] = [];
  let start = 1;
  const flush = (next: number) => {
    const blank = current.findIndex((line) => line.trim() !== '');
    const joined = current.join('\n').trim();
    if (joined !== '') parts.push({ text: joined, line: start + Math.max(0, blank) });
    current = [];
    start = next;
  };
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (isLines) {
      current.push(line);
      flush(index + 2);
    } else if (line.trim() === '---') flush(index + 2);
    else current.push(line);
  }
  flush(0);
  return parts;
}

interface Shared {
  settings: Record<string, unknown>;
  cases: ConvertedCase[];
}

function convertSource(source: Source, { settings, cases }: Shared): ConvertedPrompt {
  const { path, name, label, report } = source;
  const draft = catchProblem(report, () => toDraft(source, settings));
  if (draft) checkDraft(draft, report);
  const own = cases
    .filter(({ prompts }) => prompts === undefined || (label !== undefined && prompts.includes(label)))
    .map((each) => each.case);
  return { path, format: 'promptfoo', name, draft: report.hasErrors() ? undefined : draft, cases: own, findings: report.findings };
}

function toDraft({ path, line, name, text, config, dialect, report }: Source, settings: Record<string, unknown>): PromptDraft | undefined {
  const chat = readMessages(path, text);
  const own = { name, ...readDescription(undefined, report), config: { ...settings, ...config } };
  if (text === '') report.error('the file', 'It has no text');
  if (!chat) {
    const source = removeComments({ text, line }, report);
    const syntax = chooseSyntax([source], dialect, report);
    return syntax && { ...own, syntax, template: source.text };
  }
  const lineAt = (index: number) => (chat.lineOf(index) ?? 1) + line - 1;
  const messages = readChat(chat.value, report, lineAt).map((message, index) =>
    'content' in message ? { ...message, content: removeComments({ text: message.content, line: lineAt(index) }, report).text } : message,
  );
  const texts = messages.map((message, index) => ({ text: 'content' in message ? message.content : '', line: lineAt(index) }));
  const syntax = chooseSyntax(texts, dialect, report);
  return syntax && { ...own, syntax, messages };
}

/** A chat, if the text is one in JSON, or the file one in YAML. */
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

function findFile(reference: string, { config, files }: Context): SourceFile | undefined {
  const path = resolvePath(config.path, reference);
  return path === undefined ? undefined : files.get(path);
}

/** The files that a path with `*` stands for, by path. */
function findFiles(reference: string, { config, files }: Context): SourceFile[] {
  const path = resolvePath(config.path, reference);
  if (path === undefined) return [];
  if (!path.includes('*')) return [files.get(path)].filter((file) => file !== undefined).filter((file) => textFile.test(file.path));
  const matches = createMatcher(path);
  return [...files.values()].filter((file) => textFile.test(file.path) && matches(file.path));
}
