import assert from 'node:assert/strict';
import type { HistoryEntry } from '../../src/contract/history.ts';
import type { ReleaseFields, SavedRelease } from '../../src/contract/releases.ts';
import type { ReleaseReaders } from '../../src/domain/releases/release-progress.ts';
import type { ArmResults } from '../../src/store/statistics/release-results.ts';
import { type Client, type ListBody, pathOf } from './prompts.ts';

export const releasePath = (name: string, rest = '') => pathOf(name, `/labels/production/release${rest}`);

/** Creates a prompt with two versions, and starts a release of the second one. */
export async function startRelease(client: Client, fields: object = {}, name = 'a'): Promise<SavedRelease> {
  await client.create({ name, template: 'one' });
  await client.save(name, { template: 'two' });
  const response = await client.call('PUT', releasePath(name), {
    control: 1,
    arms: [{ version: 2, weight: 500 }],
    steps: [1000, 5000],
    ...fields,
  });
  assert.equal(response.status, 200, response.text);
  return response.body as SavedRelease;
}

export const releaseOf = (client: Client, name = 'a') => client.get<ReleaseFields>(releasePath(name));

/** Lists the changes that the service has made to a release, oldest first. */
export async function automaticOf(client: Client, name = 'a'): Promise<HistoryEntry[]> {
  const { data } = await client.get<ListBody<HistoryEntry>>(pathOf(name, '/history?limit=100'));
  return data.filter(({ release }) => release?.automatic).reverse();
}

/** Returns the results of two versions, each with its number of units and the share of units whose calls failed. */
export function errorsOf(...arms: [units: number, failed: number][]): ArmResults[] {
  return arms.map(([units, failed], index) => ({
    ...{ version: index + 1, units, calls: units * 2 },
    metrics: new Map([['errorRate', { units, total: units * failed, squares: units * failed }]]),
  }));
}

/** Results with which an arm of 5% is widened. */
export const goodResults = errorsOf([19_000, 0.01], [1000, 0.01]);
/** Results with which an arm of 5% is rolled back. */
export const badResults = errorsOf([19_000, 0.01], [1000, 0.1]);
/** Results whose units do not match a weight of 5%. */
export const unbalancedResults = errorsOf([10_000, 0.01], [5000, 0.01]);

/** Creates readers that return the results that a test sets for a release and stage. All other stages have no results. */
export function createReaders(): ReleaseReaders & { set(release: { id: string }, stage: number, results: ArmResults[]): void } {
  const chosen = new Map<string, ArmResults[]>();
  return {
    set: ({ id }, stage, results) => void chosen.set(`${id} ${stage}`, results),
    readReleaseResults: async ({ releaseId, stage }) => chosen.get(`${releaseId} ${stage}`) ?? [],
    readReleaseReads: async () => [
      { version: 1, reason: 'SPLIT', calls: 90 },
      { version: 2, reason: 'SPLIT', calls: 8 },
      { version: 2, reason: 'RULE', calls: 2 },
      { version: 1, reason: 'NO_KEY', calls: 12 },
    ],
  };
}
