import { openStream, type ReceivedEvent } from '../event-stream.ts';
import { request, type Target, type Writer } from './writer.ts';

/** The number of ETags that are kept with the content that was read. */
const remembered = 2000;
const mark = 'mark';

/**
 * Reads a prompt that others change and, after a restart, all events since the last one. An ETag must never belong to two contents,
 * revisions must only grow, and each version must have one event, in order.
 */
export function createRevisionReader(key: string, prompt: string): Writer {
  const contents = new Map<string, string>();
  const found: string[] = [];
  const versions = new Map<string, number>();
  let last = 0;
  let marks = 0;

  function add({ id, data }: ReceivedEvent): void {
    if (data.type === 'reset') found.push(`revisions: the events after ${last} are gone`);
    else if (id <= last) found.push(`revisions: ${id} comes after ${last}`);
    last = id;
    if (data.type !== 'version.created' || !data.prompt || data.version === undefined) return;
    const before = versions.get(data.prompt.name);
    if (before !== undefined && data.version !== before + 1) {
      found.push(`revisions: the event of version ${data.version} of ${data.prompt.name} follows that of ${before}`);
    }
    versions.set(data.prompt.name, data.version);
  }

  /** Saves a version of a prompt that only this writer saves, and reads the event stream up to the event of this version. */
  async function readEvents(target: Target): Promise<void> {
    const saved = await request(target, 'POST', marks === 0 ? '/api/prompts' : `/api/prompts/${mark}/versions`, {
      key,
      body: { ...(marks === 0 && { name: mark }), template: String(marks) },
    });
    marks += 1;
    const version = marks === 1 ? 1 : (saved.body as { version: number }).version;
    if (last === 0) {
      const { hello, close } = await openStream(target, { key });
      close();
      last = hello.id;
      return;
    }
    const stream = await openStream(target, { key, lastEventId: last });
    const events = await stream.until(({ data }) => data.prompt?.name === mark && data.version === version);
    stream.close();
    for (const event of events) add(event);
  }

  return {
    kind: 'revisions',
    async write(target) {
      const { headers, text } = await request(target, 'GET', `/api/prompts/${prompt}?version=1`, { key });
      const etag = headers.get('etag') ?? '';
      const before = contents.get(etag);
      if (before !== undefined && before !== text) found.push(`revisions: ${etag} is the ETag of ${before} and of ${text}`);
      contents.set(etag, text);
      const [oldest] = contents.keys();
      if (contents.size > remembered && oldest !== undefined) contents.delete(oldest);
    },
    async verify(target) {
      await readEvents(target);
      return found.splice(0);
    },
  };
}
