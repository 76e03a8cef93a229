import type { SavedBatch } from '../../../src/contract/batch.ts';
import type { Case } from '../../../src/contract/cases.ts';
import { maxPageLimit } from '../../../src/contract/limits.ts';
import { type ImportService, readRefusal } from '../../../src/formats/import.ts';
import { ApiError, promptPath, request } from '../lib/api.ts';
import type { Page } from '../lib/types.ts';
import { fetchByName } from '../prompts/usage.ts';

/** The requests of an import, in the current workspace. */
export const importService: ImportService = {
  findPrompts: (names) => fetchByName(names, 'include=content&label=latest'),
  savePrompts: (items) => request<SavedBatch>('POST', '/api/prompts/batch', { items, skipUnchanged: true }),
  async listCases(name) {
    const cases: Case[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const after: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const page: Page<Case> = await request('GET', promptPath(name, `/cases?limit=${maxPageLimit}${after}`));
      cases.push(...page.data);
      cursor = page.nextCursor;
    }
    return cases;
  },
  addCases: (name, data) => request('POST', promptPath(name, '/cases/import'), { data }),
  findRefusal: (err) => (err instanceof ApiError ? readRefusal(err) : undefined),
};
