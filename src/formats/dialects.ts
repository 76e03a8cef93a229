import { isPortable } from '../contract/composition.ts';
import type { TemplateSyntax } from '../contract/versions.ts';
import { parseMustache, type Token } from '../domain/templates/mustache-parser.ts';
import { handlebarsToLiquid } from './handlebars.ts';
import { handlebarsWords } from './handlebars-scopes.ts';
import { jinjaToLiquid } from './jinja.ts';
import { createLineFinder } from './line-numbers.ts';
import { type LiquidTools, NoLiquidForm, toRaw } from './liquid-forms.ts';
import type { Report } from './report.ts';
import { listTemplateTags, type TemplateTag } from './template-tags.ts';

/** The template languages of other formats. */
export type Dialect = LogicDialect | 'mustache';
type LogicDialect = 'handlebars' | 'jinja' | 'nunjucks';

/** A piece of text in a file, and the line on which it begins. */
export interface SourceText {
  text: string;
  line: number;
}

/** For each dialect, the variable names that both the dialect and mustache allow, and the words that are not variables in the dialect. */
const handlebarsName = /^[\p{L}_$][\p{L}\p{N}_$-]*(?:\.[\p{L}\p{N}_$-]+)*$/u;
const jinjaName = /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*$/u;
const jinjaWords = new Set([
  ...['true', 'false', 'none', 'True', 'False', 'None', 'self', 'loop', 'super', 'caller'],
  ...['range', 'dict', 'lipsum', 'cycler', 'joiner', 'namespace', 'and', 'or', 'not', 'in', 'is', 'if', 'else'],
]);
/** The reserved words of Nunjucks and of promptfoo. In promptfoo, `env` is the environment of the process. */
const nunjucksWords = new Set([
  ...['true', 'false', 'none', 'null', 'loop', 'range', 'cycler', 'joiner', 'env', 'super', 'caller'],
  ...['and', 'or', 'not', 'in', 'is', 'if', 'else'],
]);
/** The methods of Python's dictionaries. In Jinja, a field with one of these names is a method. */
const pythonMethods = new Set(['items', 'keys', 'values', 'get', 'pop', 'popitem', 'copy', 'update', 'clear', 'setdefault', 'fromkeys']);

const languages = { jinja: { words: jinjaWords, methods: pythonMethods }, nunjucks: { words: nunjucksWords, methods: new Set<string>() } };

/** The options of a conversion. */
export interface ConvertOptions {
  report: Report;
  /** Whether tags that Liquid cannot express are kept as text. Otherwise, they prevent the import of the prompt. */
  asText: boolean;
  /** Returns the type of a variable, such as `boolean`, if the file declares it. */
  typeOf(name: string): string | undefined;
}

/** Texts in the language in which the service renders them. */
interface ConvertedTexts {
  syntax: TemplateSyntax;
  texts: string[];
}

/**
 * Converts texts so that the service renders them exactly as the original program would. Texts with only plain variables stay unchanged.
 * They become templates in Liquid or, if Liquid would render them differently, in mustache. All other texts are translated to Liquid,
 * including conditions and loops. If this is not possible, returns undefined, and the report names each tag.
 */
export function convertTexts(sources: SourceText[], dialect: Dialect, options: ConvertOptions): ConvertedTexts | undefined {
  const texts = sources.map(({ text }) => text);
  const isExact = dialect === 'mustache' ? checkMustaches(sources, options.report) : texts.every((text) => isExactText(text, dialect));
  if (isExact) return { syntax: texts.every(isPortable) ? 'liquid' : 'mustache', texts };
  if (dialect === 'mustache') return undefined;
  const converted = sources.map((source) => toLiquid(source, dialect, options));
  return options.asText || converted.every(({ isComplete }) => isComplete)
    ? { syntax: 'liquid', texts: converted.map(({ text }) => text) }
    : undefined;
}

function isExactText(text: string, dialect: LogicDialect): boolean {
  const opens = dialect === 'handlebars' ? ['{{{', '{{!--', '{{'] : ['{{', '{%', '{#'];
  return listTemplateTags(text, opens).every((tag) => isExactTag(tag, text, dialect));
}

function toLiquid({ text, line }: SourceText, dialect: LogicDialect, { report, asText, typeOf }: ConvertOptions) {
  const lineAt = createLineFinder(text, line);
  let isComplete = true;
  const tools: LiquidTools = {
    typeOf,
    onConverted({ source, start }, liquid) {
      report.note(source, liquid === '' ? 'Comment; skipped' : `Converted to ${liquid}`, lineAt(start));
    },
    onForeign({ source, start }, reason) {
      isComplete = false;
      if (!asText) report.error(source, `${reason}; prompt not imported`, lineAt(start));
      else report.warn(source, `${reason}; kept as text`, lineAt(start));
      return toRaw(source);
    },
  };
  try {
    const converted = dialect === 'handlebars' ? handlebarsToLiquid(text, tools) : jinjaToLiquid(text, languages[dialect], tools);
    return { text: converted, isComplete };
  } catch (err) {
    if (!(err instanceof NoLiquidForm)) throw err;
    report.error('the template', `${err.message}; prompt not imported`, line);
    return { text, isComplete: false };
  }
}

function isExactTag({ open, body, isClosed, start, end }: TemplateTag, text: string, dialect: LogicDialect): boolean {
  if (!isClosed) return false;
  if (dialect !== 'handlebars') return open === '{{' && isVariable(body, dialect);
  if (text[start - 1] === '\\') return false;
  if (open === '{{!--') return !body.includes('}}');
  if (open === '{{{') return isVariable(body, dialect);
  if (body.startsWith('!')) return !body.endsWith('~');
  return text[end] !== '}' && isVariable(body.replace(/^&\s*/, ''), dialect);
}

function isVariable(body: string, dialect: LogicDialect): boolean {
  const [first = '', ...fields] = body.split('.');
  if (dialect === 'handlebars') return handlebarsName.test(body) && !handlebarsWords.has(first);
  if (!jinjaName.test(body)) return false;
  return dialect === 'jinja' ? !jinjaWords.has(first) && !fields.some((field) => pythonMethods.has(field)) : !nunjucksWords.has(first);
}

function checkMustaches(sources: SourceText[], report: Report): boolean {
  return sources.map((source) => checkMustache(source, report)).every((isValid) => isValid);
}

function checkMustache({ text, line }: SourceText, report: Report): boolean {
  const lineAt = createLineFinder(text, line);
  try {
    const partials = listIncludedVersions(parseMustache(text));
    for (const { value: name, start } of partials) {
      report.error(`{{> ${name}}}`, 'Partials are not supported; prompt not imported', lineAt(start));
    }
    return partials.length === 0;
  } catch (err) {
    const message = err instanceof Error ? err.message : String(err);
    report.error(
      'the template',
      `Not valid mustache: ${message.replace(/ at \d+$/, '')}`,
      lineAt(Number(/ at (\d+)$/.exec(message)?.[1] ?? 0)),
    );
    return false;
  }
}

function listIncludedVersions(tokens: Token[]): Token[] {
  return tokens.flatMap((token) => (token.kind === '>' ? [token] : listIncludedVersions(token.inner)));
}

/** Removes comments in the same way as Jinja and Nunjucks, and reports them. */
export function removeComments({ text, line }: SourceText, report: Report): SourceText {
  const lineAt = createLineFinder(text, line);
  let result = '';
  let last = 0;
  for (const { open, body, source, start, end, isClosed } of listTemplateTags(text, ['{{', '{%', '{#'])) {
    if (open !== '{#' || !isClosed || body.startsWith('-') || body.endsWith('-')) continue;
    report.note(source, 'Comment; skipped', lineAt(start));
    result += text.slice(last, start);
    last = end;
  }
  return { text: result + text.slice(last), line };
}
