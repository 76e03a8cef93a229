import { register, signIn } from '../client.ts';
import type { Random } from '../random.ts';
import { createCollectionWriter } from './collection.ts';
import { createCollections } from './collections.ts';
import { createKeyWriter } from './keys.ts';
import { createRevisionReader } from './revisions.ts';
import { createStatisticsWriter } from './statistics.ts';
import { createVersionWriters } from './versions.ts';
import { request, type Target, type Writer } from './writer.ts';

/** How many writers save versions of one prompt at the same time. */
const savers = 2;

/**
 * Starts writers of every kind in a new workspace. The writers that reset a key and count calls have separate accounts. An earlier version
 * of the service may not support all kinds.
 */
export async function startWriters(target: Target, random: Random, { isEarlier = false } = {}): Promise<Writer[]> {
  const { token: key } = await register(target);
  const counted = await register(target);
  const [labeled, saved] = ['labeled', 'saved'];
  for (const name of [labeled, saved]) await request(target, 'POST', '/api/prompts', { key, body: { name, template: 'first' } });
  for (const template of ['2', '3', '4']) await request(target, 'POST', `/api/prompts/${labeled}/versions`, { key, body: { template } });
  const writers = [
    ...createCollections(key, labeled).map((collection) => createCollectionWriter(collection, random)),
    ...createVersionWriters(key, saved, savers),
    createKeyWriter(await register(target)),
    createStatisticsWriter({ ...counted, cookie: await signIn(target, counted) }),
    createRevisionReader(key, saved),
  ];
  const started: Writer[] = [];
  for (const writer of writers) {
    try {
      await writer.verify(target);
      started.push(writer);
    } catch (err) {
      if (!isEarlier || !String(err).includes(': 404 ')) throw err;
    }
  }
  return started;
}
