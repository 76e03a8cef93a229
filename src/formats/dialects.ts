import { isPortable } from '../contract/composition.ts';
import type { TemplateSyntax } from '../contract/versions.ts';
import { parseMustache, type Token } from '../domain/templates/mustache-parser.ts';
import { createLineFinder } from './line-numbers.ts';
import type { Report } from './report.ts';
import { listTemplateTags, type TemplateTag } from './template-tags.ts';

/** The template languages of other formats. */
export type Dialect = 'handlebars' | 'jinja' | 'nunjucks' | 'mustache';

/** A text of a file, and the line on which it begins. */
export interface SourceText {
  text: string;
  line: number;
}

/** The names of variables that both the dialect and mustache know, and what is a name there but no variable. */
const handlebarsName = /^[\p{L}_$][\p{L}\p{N}_$-]*(?:\.[\p{L}\p{N}_$-]+)*$/u;
const jinjaName = /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*$/u;
/** What dotprompt and Handlebars take for something else than a variable. */
export const handlebarsWords = new Set([
  ...['this', 'else', 'true', 'false', 'null', 'undefined', 'if', 'unless', 'each', 'with', 'lookup', 'log'],
  ...['json', 'role', 'history', 'section', 'media', 'ifEquals', 'unlessEquals'],
]);
const jinjaWords = new Set([
  ...['true', 'false', 'none', 'True', 'False', 'None', 'self', 'loop', 'super', 'caller'],
  ...['range', 'dict', 'lipsum', 'cycler', 'joiner', 'namespace', 'and', 'or', 'not', 'in', 'is', 'if', 'else'],
]);
/** Nunjucks with what promptfoo adds: `env` is the environment of the process. */
const nunjucksWords = new Set([
  ...['true', 'false', 'none', 'null', 'loop', 'range', 'cycler', 'joiner', 'env', 'super', 'caller'],
  ...['and', 'or', 'not', 'in', 'is', 'if', 'else'],
]);
/** In Jinja, a field with such a name is a method of Python's dictionaries. */
const pythonMethods = new Set(['items', 'keys', 'values', 'get', 'pop', 'popitem', 'copy', 'update', 'clear', 'setdefault', 'fromkeys']);

/**
 * The language in which the service renders these texts exactly as their own language does: Liquid if there are plain variables only, else
 * mustache if that has the same tags. Undefined if neither does; then the report names each tag.
 */
export function chooseSyntax(texts: SourceText[], dialect: Dialect, report: Report): TemplateSyntax | undefined {
  let isExact = true;
  for (const source of texts) if (!checkText(source, dialect, report)) isExact = false;
  if (!isExact) return undefined;
  return texts.every(({ text }) => isPortable(text)) ? 'liquid' : 'mustache';
}

function checkText(source: SourceText, dialect: Dialect, report: Report): boolean {
  if (dialect === 'mustache') return checkMustache(source, report);
  const { text, line } = source;
  const opens = dialect === 'handlebars' ? ['{{{', '{{!--', '{{'] : ['{{', '{%', '{#'];
  const foreign = listTemplateTags(text, opens).filter((tag) => !isExactTag(tag, text, dialect));
  const lineAt = createLineFinder(text, line);
  for (const tag of foreign) report.error(tag.source, describeTag(tag, text, dialect), lineAt(tag.start));
  return foreign.length === 0;
}

function isExactTag({ open, body, isClosed, start, end }: TemplateTag, text: string, dialect: Dialect): boolean {
  if (!isClosed) return false;
  if (dialect !== 'handlebars') return open === '{{' && isVariable(body, dialect);
  if (text[start - 1] === '\\') return false;
  if (open === '{{!--') return !body.includes('}}');
  if (open === '{{{') return isVariable(body, dialect);
  if (body.startsWith('!')) return !body.endsWith('~');
  return text[end] !== '}' && isVariable(body.replace(/^&\s*/, ''), dialect);
}

function isVariable(body: string, dialect: Dialect): boolean {
  const [first = '', ...fields] = body.split('.');
  if (dialect === 'handlebars') return handlebarsName.test(body) && !handlebarsWords.has(first);
  if (!jinjaName.test(body)) return false;
  return dialect === 'jinja' ? !jinjaWords.has(first) && !fields.some((field) => pythonMethods.has(field)) : !nunjucksWords.has(first);
}

const advice = 'The prompt is not imported';

function describeTag({ open, body, isClosed, start }: TemplateTag, text: string, dialect: Dialect): string {
  if (!isClosed) return `The tag has no end. ${advice}`;
  if (dialect !== 'handlebars') {
    if (open === '{%') return `A tag of ${languageNames[dialect]}, which Liquid may render differently. ${advice}`;
    if (open === '{#') return `A comment that trims spaces. ${advice}`;
    if (/^env\b/.test(body) && dialect === 'nunjucks') return `A variable of the environment, which the service does not have. ${advice}`;
    return `An expression of ${languageNames[dialect]}, which Liquid may render differently. ${advice}`;
  }
  if (text[start - 1] === '\\') return `An escaped tag, which would be filled in here. ${advice}`;
  if (/^#|^\/|^\^|^else\b/.test(body)) return `A block of Handlebars, which Liquid does not have. ${advice}`;
  if (body.startsWith('>')) return `A partial of Handlebars, which Liquid does not have. ${advice}`;
  if (/^media\b/.test(body)) return 'Messages have text only, and no media. The prompt is not imported';
  return `A helper or an expression of Handlebars, which Liquid does not have. ${advice}`;
}

const languageNames = { jinja: 'Jinja', nunjucks: 'Nunjucks', handlebars: 'Handlebars', mustache: 'mustache' } satisfies Record<
  Dialect,
  string
>;

function checkMustache({ text, line }: SourceText, report: Report): boolean {
  const lineAt = createLineFinder(text, line);
  try {
    const partials = listPartials(parseMustache(text));
    for (const { value: name, start } of partials) {
      report.error(`{{> ${name}}}`, `A partial, which is empty here. ${advice}`, lineAt(start));
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

function listPartials(tokens: Token[]): Token[] {
  return tokens.flatMap((token) => (token.kind === '>' ? [token] : listPartials(token.inner)));
}

/** Removes comments as Jinja and Nunjucks do, and reports them. */
export function removeComments({ text, line }: SourceText, report: Report): SourceText {
  const lineAt = createLineFinder(text, line);
  let result = '';
  let last = 0;
  for (const { open, body, source, start, end, isClosed } of listTemplateTags(text, ['{{', '{%', '{#'])) {
    if (open !== '{#' || !isClosed || body.startsWith('-') || body.endsWith('-')) continue;
    report.note(source, 'A comment, left out', lineAt(start));
    result += text.slice(last, start);
    last = end;
  }
  return { text: result + text.slice(last), line };
}
