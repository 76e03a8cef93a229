import { request, type Target, type Writer } from './writer.ts';

interface SavedVersion {
  version: number;
  template: string;
}

/** Saves versions of one prompt. Several writers may do so at once. The writers share a `VersionLog` of everything that they wrote. */
export function createVersionWriters(key: string, prompt: string, count: number): Writer[] {
  const path = `/api/prompts/${prompt}/versions`;
  const log = createVersionLog();
  return Array.from({ length: count }, (_each, index): Writer => {
    let saves = 0;
    return {
      kind: 'versions',
      async write(target) {
        saves += 1;
        const template = `writer ${index}, save ${saves}`;
        log.attempted.add(template);
        const { version } = (await request(target, 'POST', path, { key, body: { template } })).body as SavedVersion;
        log.acknowledge(version, template);
      },
      // Only the first writer verifies, on behalf of all writers, while no writer is writing.
      verify: async (target) => (index === 0 ? log.verify(await listSince(target, key, { path, after: log.latest })) : []),
    };
  });
}

/** Lists the versions after a number, oldest first. */
async function listSince(target: Target, key: string, { path, after }: { path: string; after: number }): Promise<SavedVersion[]> {
  const versions: SavedVersion[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const response = await request(target, 'GET', `${path}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`, { key });
    const page: { data: SavedVersion[]; nextCursor: string | null } = response.body as typeof page;
    versions.push(...page.data.filter(({ version }) => version > after));
    cursor = page.data.some(({ version }) => version <= after) ? null : page.nextCursor;
  }
  return versions.reverse();
}

export interface VersionLog {
  /** The templates that were sent and may have been saved. */
  attempted: Set<string>;
  /** The newest known version. */
  readonly latest: number;
  acknowledge(version: number, template: string): void;
  /** Compares the log with the stored versions after `latest`, and returns the differences. */
  verify(stored: SavedVersion[]): string[];
}

/**
 * Checks that the numbers are consecutive, that each acknowledged version is stored as it was sent, and that each text was saved at most
 * once.
 */
export function createVersionLog(first = 1): VersionLog {
  const attempted = new Set<string>();
  const acknowledged = new Map<number, string>();
  let latest = first;
  return {
    attempted,
    get latest() {
      return latest;
    },
    acknowledge: (version, template) => void acknowledged.set(version, template),
    verify(stored) {
      const problems: string[] = [];
      for (const { version, template } of stored) {
        if (version !== latest + 1) problems.push(`versions: ${version} follows ${latest}`);
        latest = version;
        if (!attempted.delete(template)) problems.push(`versions: ${version} was saved twice or never sent: ${template}`);
        const sent = acknowledged.get(version);
        if (sent !== undefined && sent !== template) problems.push(`versions: ${version} is ${template} and was ${sent}`);
        acknowledged.delete(version);
      }
      for (const [version, template] of acknowledged) problems.push(`versions: ${version} is lost, which was ${template}`);
      acknowledged.clear();
      attempted.clear();
      return problems;
    },
  };
}
