import { isChat } from './chat-texts.ts';
import type { Dialect, SourceText } from './dialects.ts';
import type { SourceFile } from './draft-types.ts';
import { isPlainObject } from './json-values.ts';
import { createMatcher, isFilePath, resolvePath } from './promptfoo-paths.ts';
import type { Path, Report } from './report.ts';
import { readParameters } from './settings.ts';
import { nameIn, toNamePart } from './text-rules.ts';

/** The state of the conversion of a config. */
export interface Context {
  config: SourceFile;
  files: ReadonlyMap<string, SourceFile>;
  report: Report;
}

/** A prompt before it is converted. */
export interface Source {
  path: string;
  line: number;
  name: string;
  /** The label with which tests refer to the prompt. */
  label: string | undefined;
  text: string;
  config: Record<string, unknown>;
  dialect: Dialect;
}

interface Entry {
  raw: unknown;
  label?: string | undefined;
  config?: unknown;
  path: Path;
}

/** Lists the prompts of a config. A prompt may be text, the path of a file, an object, or (in old configs) a path with its label. */
export function listEntries(prompts: unknown): Entry[] {
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

/** Lists the prompts of a config: texts in the config, and prompts in files that it names. */
export function listSources(prompts: unknown, context: Context): Source[] {
  const { config, report } = context;
  const used = new Set<string>();
  let inline = 0;
  return listEntries(prompts).flatMap(({ raw, label, config: given, path }): Source[] => {
    const line = report.lineOf(...path) ?? 1;
    const parameters = readParameters(given, [...path, 'config'], report);
    if (typeof raw !== 'string') {
      report.warn(path, 'Neither a string nor a file; skipped');
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
    const name = nameIn(config.path, label === undefined ? undefined : toNamePart(label), `prompt-${inline}`);
    return [{ path: config.path, line, name, label, text: raw.trim(), config: parameters, dialect: 'nunjucks' }];
  });
}

function describeMissing(raw: string): string {
  if (/\.(?:js|cjs|mjs|ts|cts|mts|py|rb|sh|exe|bat|cmd|ps1)(?::\w+)?$/i.test(raw) || raw.startsWith('exec:'))
    return 'Programs are not supported; skipped';
  if (/\.csv$/i.test(raw)) return 'Tables are not supported; skipped';
  return 'The file was not selected; skipped. Select the folder that contains the config and this file';
}

const textFile = /\.(?:txt|md|j2|json|jsonl|ya?ml)$/i;

/** Reads the prompts of a file that a config names. */
export function readFileSources(file: SourceFile, { config }: Context, label?: string): Source[] {
  const base = file.path.slice(file.path.lastIndexOf('/') + 1).replace(textFile, '');
  const isSplit = /\.(?:txt|jsonl)$/i.test(file.path);
  const parts = isSplit ? splitText(file) : [{ text: file.text.replace(/^\uFEFF/, '').trim(), line: 1 }];
  // A labeled prompt is placed in the folder of the config, so that all prompts of a project are in one folder.
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
    };
  });
}

function dialectOf({ path }: SourceFile): Dialect {
  return /\.j2$/i.test(path) ? 'jinja' : 'nunjucks';
}

/** Splits a file into prompts at lines that consist of `---`. In a .jsonl file, every line is a prompt. */
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

export function findFile(reference: string, { config, files }: Context): SourceFile | undefined {
  const path = resolvePath(config.path, reference);
  return path === undefined ? undefined : files.get(path);
}

/** Finds the files that match a path with `*`, sorted by path. */
function findFiles(reference: string, { config, files }: Context): SourceFile[] {
  const path = resolvePath(config.path, reference);
  if (path === undefined) return [];
  if (!path.includes('*')) return [files.get(path)].filter((file) => file !== undefined).filter((file) => textFile.test(file.path));
  const matches = createMatcher(path);
  return [...files.values()].filter((file) => textFile.test(file.path) && matches(file.path));
}
