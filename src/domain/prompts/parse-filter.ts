import { normalizeName } from '../../contract/prompt-names.ts';
import type { PromptListQuery } from '../../contract/prompts.ts';
import { invalidField } from '../../errors.ts';
import type { PromptFilter } from '../../store/prompts/prompt-query.ts';
import { assertPlainText } from './versions/version-content.ts';

/** The filters that a list of prompts and the overview have in common, and the names that only a list accepts. */
type FilterQuery = Pick<
  PromptListQuery,
  'search' | 'searchIn' | 'tag' | 'folder' | 'subfolders' | 'label' | 'author' | 'deployed' | 'changedSince' | 'name'
>;

/** Parses the filters of a request. */
export function parseFilter({ searchIn, tag, label, author, name, ...query }: FilterQuery): PromptFilter {
  const search = query.search?.normalize('NFC');
  for (const [path, text] of Object.entries({ search, tag, author })) assertPlainText(`/${path}`, text);
  return {
    search,
    searchIn,
    tag,
    folder: parseFolder(query.folder),
    subfolders: query.subfolders === undefined,
    label,
    author,
    deployed: query.deployed === undefined ? undefined : query.deployed === 'true',
    updatedFrom: parseTime('/changedSince', query.changedSince),
    names: name === undefined ? undefined : [name].flat().map(normalizeName),
  };
}

/** Returns a time in the format of the stored times. */
export function parseTime(path: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  // Times in years with more than four digits do not sort as text.
  if (Number.isNaN(time.getTime()) || time.toISOString().length !== '2026-11-15T08:30:00.000Z'.length)
    throw invalidField(path, 'Must be an ISO 8601 time, such as 2026-11-15T08:30:00Z');
  return time.toISOString();
}

/** Returns a folder in the form in which names are stored, or undefined for the top folder. */
function parseFolder(text: string | undefined): string | undefined {
  const folder = text && normalizeName(text).replace(/\/+$/, '');
  assertPlainText('/folder', folder);
  return folder || undefined;
}
