import assert from 'node:assert/strict';
import type { ActivityEntry } from '../../src/contract/workspace-activity.ts';
import type { RequestOptions } from './client.ts';
import type { Client, ListBody } from './prompts.ts';
import type { Service } from './service.ts';

/** Waits until all events that have happened are stored. */
export async function flushActivity({ ctx }: Service): Promise<void> {
  // Flushes twice, because the first flush may join a write that began before the newest event.
  await ctx.recorder.flush();
  await ctx.recorder.flush();
}

/** Returns one page of a workspace's activity, after everything that has happened is stored. */
export async function readActivity(client: Client, query = '', options?: RequestOptions): Promise<ListBody<ActivityEntry>> {
  await flushActivity(client.service);
  const response = await client.call('GET', `/api/activity${query}`, undefined, options);
  assert.equal(response.status, 200, response.text);
  return response.body as ListBody<ActivityEntry>;
}

export async function typesOf(client: Client, query = '', options?: RequestOptions): Promise<string[]> {
  return (await readActivity(client, query, options)).data.map(({ type }) => type);
}
