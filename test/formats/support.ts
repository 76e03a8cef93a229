import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { convertFiles } from '../../src/formats/convert.ts';
import type { Conversion, ConvertedPrompt, Finding, SourceFile } from '../../src/formats/draft-types.ts';

export const examples = join(import.meta.dirname, 'files');

/** Reads the example files of a format. */
export async function readExamples(format: string): Promise<SourceFile[]> {
  const root = join(examples, format);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(paths.map(async (path) => ({ path: relative(root, path).split(sep).join('/'), text: await readFile(path, 'utf8') })));
}

export async function convertExamples(format: string): Promise<Conversion> {
  return convertFiles(await readExamples(format));
}

/** Converts a file that contains exactly one prompt. */
export async function convertOne(path: string, text: string): Promise<ConvertedPrompt> {
  const { prompts } = await convertFiles([{ path, text }]);
  const [prompt] = prompts;
  if (!prompt || prompts.length !== 1) throw new Error(`${prompts.length} prompts in ${path}`);
  return prompt;
}

/** Returns each finding as `line construct: message`, in the order of the lines. */
export function summarize(findings: Finding[]): string[] {
  return findings
    .toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
    .map(({ line, construct, message, severity }) => `${severity} ${line ?? '-'} ${construct}: ${message}`);
}

export function promptNamed({ prompts }: Conversion, name: string): ConvertedPrompt {
  const prompt = prompts.find((each) => each.name === name);
  if (!prompt) throw new Error(`No prompt ${name} among ${prompts.map((each) => each.name).join(', ')}`);
  return prompt;
}
