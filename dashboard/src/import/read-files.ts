import { convertFiles, convertText } from '../../../src/formats/convert.ts';
import type { Conversion, Finding, SourceFile } from '../../../src/formats/draft-types.ts';
import { exportSignBytes, isExport } from '../../../src/formats/export-file.ts';
import { readableFile } from '../../../src/formats/recognize.ts';

const maxFiles = 5000;
const maxFileBytes = 4 * 1024 * 1024;

/** A selected or dropped file, with its path below the selected or dropped folder. */
export interface ChosenFile {
  path: string;
  file: File;
}

/** Returns the files of an input. Files from a folder have a path. */
export function listChosen(files: FileList): ChosenFile[] {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/**
 * Returns the dropped files, including those in folders. Call this function in the event handler, because the browser clears the items
 * afterwards.
 */
export function listDropped({ items, files }: DataTransfer): Promise<ChosenFile[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return Promise.resolve(listChosen(files));
  return listEntries(entries);
}

async function listEntries(entries: FileSystemEntry[]): Promise<ChosenFile[]> {
  const found: ChosenFile[] = [];
  const rest = [...entries];
  for (let entry = rest.shift(); entry && found.length <= maxFiles; entry = rest.shift()) {
    if (isHidden(entry.name) && !entries.includes(entry)) continue;
    if (entry.isFile) found.push({ path: entry.fullPath.replace(/^\//, ''), file: await readEntry(entry as FileSystemFileEntry) });
    else rest.push(...(await listFolder(entry as FileSystemDirectoryEntry)));
  }
  return found;
}

function readEntry(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** Lists the entries of a folder. A reader returns up to 100 entries at a time, and an empty list at the end. */
async function listFolder(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return entries;
    entries.push(...part);
  }
}

/** Returns whether a file or folder is used by other programs, such as `.git` and `node_modules`. */
function isHidden(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

export interface ReadProgress {
  done: number;
  total: number;
}

/** The content of the selected files. */
export interface ReadResult {
  conversion: Conversion;
  /** The selected files that are exports of a workspace. */
  exports: ChosenFile[];
}

/** Reads and converts files. Pauses regularly, so that the page stays responsive. */
export async function readFiles(chosen: ChosenFile[], onProgress: (progress: ReadProgress) => void): Promise<ReadResult> {
  const all = withoutRoot(chosen).filter(({ path }) => path.split('/').every((part) => !isHidden(part)));
  const exports = await findExports(all.slice(0, maxFiles));
  const wanted = all.filter((file) => !exports.includes(file));
  const findings: Finding[] = [];
  const files: SourceFile[] = [];
  const ignored = wanted.filter(({ path }) => !readableFile.test(path)).map(({ path }) => path);
  const readable = wanted.filter(({ path }) => readableFile.test(path));
  const refuse = (path: string, message: string) => findings.push({ path, construct: 'the file', message, severity: 'error' });
  for (const [index, { path, file }] of readable.slice(0, maxFiles).entries()) {
    if (file.size > maxFileBytes) refuse(path, `The file is too large for a prompt (${file.size} bytes)`);
    else {
      const text = await decode(file);
      if (text === undefined) refuse(path, 'The file is not a UTF-8 text file');
      else files.push({ path, text });
    }
    if (index % 50 === 49) onProgress({ done: index + 1, total: readable.length });
  }
  if (readable.length > maxFiles)
    refuse('', `Only the first ${maxFiles} of ${readable.length} files were read. Import one folder at a time`);
  const conversion = await convertFiles(files, {}, () => new Promise((resolve) => setTimeout(resolve)));
  // A single file that is not a known format is imported as one prompt.
  const [only] = files;
  const texts = files.length === 1 && only && conversion.ignored.length === 1 ? convertText(only) : [];
  return {
    conversion: {
      prompts: [...conversion.prompts, ...texts],
      findings: [...findings, ...conversion.findings],
      ignored: texts.length > 0 ? ignored : [...ignored, ...conversion.ignored],
    },
    exports,
  };
}

/** Finds the exports among the files by their first bytes, because an export may have any name and size. */
async function findExports(files: ChosenFile[]): Promise<ChosenFile[]> {
  const found: ChosenFile[] = [];
  for (const chosen of files) {
    const start = await decode(chosen.file.slice(0, exportSignBytes));
    if (start !== undefined && isExport(start)) found.push(chosen);
  }
  return found;
}

/** Removes the selected folder from the paths, because this folder does not become a folder of prompts. */
function withoutRoot(chosen: ChosenFile[]): ChosenFile[] {
  const [first] = chosen;
  const root = first?.path.includes('/') ? first.path.slice(0, first.path.indexOf('/') + 1) : '';
  return root !== '' && chosen.every(({ path }) => path.startsWith(root))
    ? chosen.map(({ path, file }) => ({ path: path.slice(root.length), file }))
    : chosen;
}

async function decode(file: Blob): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
  } catch {
    return undefined;
  }
}
