import assert from 'node:assert/strict';
import { assign, type Split } from '../../src/contract/release-assignment.ts';
import type { ReleaseFields, SavedRelease } from '../../src/contract/releases.ts';
import type { ReportReceipt } from '../../src/contract/results.ts';
import { stepReleases } from '../../src/domain/releases/release-steps.ts';
import type { ArmResults } from '../../src/store/statistics/release-results.ts';
import { type Client, newClient, pathOf } from './prompts.ts';
import type { Service } from './service.ts';

export const releasedPrompt = 'support/triage';
const releasePath = pathOf(releasedPrompt, '/labels/production/release');
const minuteMs = 60_000;

/** The release of a prompt with three versions: the first is the control, and the second gets half of the keys. */
export interface TestRelease extends Client {
  release: SavedRelease;
  promptId: string;
  versionOf(key: string): number;
  /** Returns a number of keys that have a version. */
  keysOf(version: number, count: number): string[];
  /** Returns a call of a key, with the version that the key has. */
  callOf(key: string, call?: object): object;
  report(...calls: object[]): Promise<void>;
  /** Moves the recorded time of the last change to the release some minutes into the past, so that calls that start now are counted. */
  settle(): Promise<void>;
  change(body: object): Promise<ReleaseFields>;
  /** Reads the results of a stage, which is the current one by default. */
  results(options?: { scores?: string[]; stage?: number }): Promise<ArmResults[]>;
}

export async function startTestRelease(service: Service, options: object = {}, existing?: Client): Promise<TestRelease> {
  const client = existing ?? (await newClient(service));
  if (!existing) {
    await client.create({ name: releasedPrompt, template: 'one' });
    await client.save(releasedPrompt, { template: 'two' });
    await client.save(releasedPrompt, { template: 'three' });
  }
  const started = await client.call('PUT', releasePath, { control: 1, arms: [{ version: 2, weight: 5000 }], ...options });
  assert.equal(started.status, 200, started.text);
  const release = started.body as SavedRelease;
  const { releases, reportedPrompts, statistics } = service.ctx.store;
  const promptId = (await reportedPrompts.find(client.userId, [releasedPrompt])).get(releasedPrompt)?.id ?? '';
  const owner = { accountId: client.userId, promptId };

  async function find() {
    const found = await releases.find(owner, 'production');
    assert.ok(found);
    return found;
  }
  const { id, salt, control, arms } = release;
  const split: Split = { id, salt, control, arms, rules: [] };
  const versionOf = (key: string) => assign(split, { key }).version;
  const settle = async () => {
    const found = await find();
    await releases.put({ ...found, changedAt: new Date(Date.parse(found.changedAt) - 5 * minuteMs).toISOString() });
  };
  await settle();

  return {
    ...client,
    release,
    promptId,
    settle,
    versionOf,
    keysOf(version, count) {
      const keys: string[] = [];
      for (let index = 0; keys.length < count; index += 1) {
        if (versionOf(`KEY-OF-A-PERSON-${index}`) === version) keys.push(`KEY-OF-A-PERSON-${index}`);
      }
      return keys;
    },
    callOf: (key, call = {}) => ({
      prompt: releasedPrompt,
      version: versionOf(key),
      label: 'production',
      release: id,
      key,
      durationMs: 100,
      ...call,
    }),
    async report(...calls) {
      const response = await client.call('POST', '/api/results', { calls });
      const { hint: _, ...receipt } = response.body as ReportReceipt;
      assert.deepEqual(receipt, { accepted: calls.length, dropped: 0 }, response.text);
    },
    async change(body) {
      const response = await client.call('PATCH', releasePath, body);
      assert.equal(response.status, 200, response.text);
      return response.body as ReleaseFields;
    },
    async results({ scores = [], stage } = {}) {
      return statistics.readReleaseResults({ accountId: client.userId, releaseId: id, stage: stage ?? (await find()).stage, scores });
    },
  };
}

/** Measures all running releases now, and widens them, pauses them or rolls them back. */
export const measureReleases = ({ ctx }: Service): Promise<void> => stepReleases(ctx, ctx.store.statistics);

/** Returns the number of units and calls by version. */
export function countsOf(arms: ArmResults[]): Record<number, [units: number, calls: number]> {
  return Object.fromEntries(arms.map(({ version, units, calls }) => [version, [units, calls]]));
}

/** Returns the sums of a score by version. */
export function scoresOf(arms: ArmResults[], name: string): Record<number, [units: number, total: number] | undefined> {
  return Object.fromEntries(
    arms.map(({ version, metrics }) => {
      const sums = metrics.get(`score:${name}`);
      return [version, sums && [sums.units, sums.total]];
    }),
  );
}
