import { findNameProblem } from '../contract/prompt-names.ts';
import { convertDotprompt, isPartial } from './dotprompt.ts';
import type { Conversion, ConvertedPrompt, FileFormat, Finding, SourceFile } from './draft-types.ts';
import { isExport } from './export-file.ts';
import { convertJson, convertPromptYaml } from './prompt-yaml.ts';
import { convertPromptfoo, convertPromptText } from './promptfoo.ts';
import { convertPrompty } from './prompty.ts';
import { recognizeFormat } from './recognize.ts';

/** The number of files that are converted before a pause, which keeps a page responsive. */
const filesAtOnce = 20;

/**
 * Converts files in other formats, or only files in one `format`, to prompts. Each prompt has a report of the parts that could not be
 * converted.
 */
export async function convertFiles(
  files: SourceFile[],
  options: { format?: FileFormat } = {},
  pause = async () => {},
): Promise<Conversion> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const prompts: ConvertedPrompt[] = [];
  const findings: Finding[] = [];
  const others: SourceFile[] = [];
  for (const [index, file] of [...byPath.values()].entries()) {
    if (index % filesAtOnce === filesAtOnce - 1) await pause();
    if (isExport(file.text)) {
      findings.push({ path: file.path, ...exportFinding });
      continue;
    }
    const format = recognizeFormat(file);
    if (format === undefined || (options.format !== undefined && format !== options.format)) {
      others.push(file);
      continue;
    }
    const converted = convertFile(file, format, byPath);
    prompts.push(...converted.prompts);
    findings.push(...converted.findings);
  }
  const used = new Set([...prompts, ...findings].map(({ path }) => path));
  return {
    prompts: refuseTwice(prompts),
    findings,
    ignored: others.map(({ path }) => path).filter((path) => !used.has(path)),
  };
}

function convertFile(
  file: SourceFile,
  format: FileFormat,
  files: ReadonlyMap<string, SourceFile>,
): Pick<Conversion, 'prompts' | 'findings'> {
  switch (format) {
    case 'dotprompt':
      return isPartial(file) ? { prompts: [], findings: [partialFinding(file)] } : { prompts: [convertDotprompt(file)], findings: [] };
    case 'prompty':
      return { prompts: [convertPrompty(file)], findings: [] };
    case 'prompt-yaml':
      return { prompts: [convertPromptYaml(file)], findings: [] };
    case 'json':
      return { prompts: convertJson(file), findings: [] };
    case 'promptfoo':
      return convertPromptfoo(file, files);
  }
}

const exportFinding: Omit<Finding, 'path'> = {
  construct: 'the file',
  message: 'This is an export with all versions. Import it with "promptharbor import json"',
  severity: 'error',
};

function partialFinding({ path }: SourceFile): Finding {
  return { path, construct: 'the file', message: 'A partial is not a prompt; skipped', severity: 'warning' };
}

/** Converts a text or chat file of promptfoo that no config names. */
export function convertText(file: SourceFile): ConvertedPrompt[] {
  return refuseTwice(convertPromptText(file));
}

/** Moves a prompt into a folder. An empty string means no folder. */
export function moveToFolder(folder: string, prompt: ConvertedPrompt): ConvertedPrompt {
  if (folder === '') return prompt;
  const name = `${folder}/${prompt.name}`;
  const { draft, path, findings, asText } = prompt;
  const problem = (draft ?? asText) && findNameProblem(name);
  if (!problem) return { ...prompt, name, draft: draft && { ...draft, name }, asText: asText && moveToFolder(folder, asText) };
  const finding: Finding = { path, construct: name, message: `Not a valid prompt name: ${problem}`, severity: 'error' };
  return { ...prompt, name, draft: undefined, asText: undefined, findings: [...findings, finding] };
}

/** Refuses duplicate names: two files cannot become one prompt, so only the first is imported. */
function refuseTwice(prompts: ConvertedPrompt[]): ConvertedPrompt[] {
  const first = new Map<string, ConvertedPrompt>();
  return prompts.map((prompt) => {
    const other = first.get(prompt.name);
    if (!other) {
      first.set(prompt.name, prompt);
      return prompt;
    }
    const message = `${other.path} has the same name; prompt not imported. Rename one of them`;
    const finding: Finding = { path: prompt.path, construct: `name: ${prompt.name}`, message, severity: 'error' };
    return { ...prompt, draft: undefined, asText: undefined, findings: [...prompt.findings, finding] };
  });
}
