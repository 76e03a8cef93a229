import { ApiError } from '../../../client/src/errors.ts';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { type ImportService, readRefusal } from '../../../src/formats/import.ts';
import { call } from '../lib/api.ts';
import { readPages } from '../lib/read-pages.ts';
import { fetchByName } from '../prompts/usage.ts';

/** The requests of an import, in the current workspace. */
export const importService: ImportService = {
  findPrompts: (names) => fetchByName(names, { include: 'content', label: 'latest' }),
  savePrompts: (items) => call('savePrompts', { body: { items, skipUnchanged: true } }),
  async listCases(name) {
    const { data } = await readPages((cursor) => call('listCases', { path: { name }, query: { limit: maxPageLimit, cursor } }));
    return data;
  },
  addCases: (name, data) => call('importCases', { path: { name }, body: { data } }),
  findRefusal: (err) => (err instanceof ApiError ? readRefusal(err) : undefined),
};
