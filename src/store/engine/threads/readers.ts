import { CompiledQuery, Kysely } from 'kysely';
import { AppError } from '../../../errors.ts';
import { createFairQueue } from '../../../platform/scheduling/fair-queue.ts';
import { queueLimits } from '../../../platform/scheduling/limits.ts';
import type { Database } from '../../tables.ts';
import { maxPauseMs } from '../opened-database.ts';
import { createDatabaseThread, type DatabaseThread } from './database-thread.ts';
import { deadlinePlugin } from './deadline-plugin.ts';
import { createThreadDialect, type ThreadConnection } from './thread-dialect.ts';

const timeoutMs = 4000;
/**
 * Snapshots are ended when the log reaches 512 MB (with the default page size), because the log cannot start over while snapshots exist.
 */
const checkpoints = { everyMs: 200, maxLogPages: 128 * 1024 };
/** The connection that all queries outside transactions share. */
const sharedConnection = 0;
/** With this cache, scans of a large workspace read each page only once, as long as the pages fit. */
const setup = ['pragma cache_size = -32768'];

/**
 * The maximum number of idle connections per thread that are kept for the next snapshots. Opening a connection takes about as long as
 * reading a page.
 */
const maxIdleConnections = 2;

/** A connection with an open transaction. The transaction ends when its thread ends. */
interface Snapshot {
  thread: DatabaseThread;
  connection: number;
  /** The number of times that the thread had been started when the transaction began. */
  starts: number;
  /** Ends a snapshot that is no longer read. Otherwise, the log of the database would keep growing. */
  timer: NodeJS.Timeout;
  isAbandoned: boolean;
}

const endedText = 'The snapshot was idle for too long, or was closed to unblock the database';

/** Reads the embedded database in separate threads. */
export function openReaders(file: string) {
  const options = { file, isReadOnly: true, setup, timeoutMs };
  const snapshots = new Set<Snapshot>();
  const abandonAll = () => snapshots.forEach(abandon);
  const threads = Array.from({ length: queueLimits.scans.running }, (_, index) =>
    index === 0 ? createDatabaseThread({ ...options, checkpoints }, abandonAll) : createDatabaseThread(options),
  );
  const idle = new Map(threads.map((thread): [DatabaseThread, number[]] => [thread, []]));
  const queue = createFairQueue(queueLimits.scans);
  let nextConnection = sharedConnection + 1;

  function findFreest(): DatabaseThread {
    return threads.reduce((freest, thread) => (thread.pending < freest.pending ? thread : freest));
  }

  async function openSnapshot(): Promise<Snapshot> {
    const thread = findFreest();
    const connection = idle.get(thread)?.pop() ?? nextConnection++;
    await thread.run(connection, CompiledQuery.raw('begin'));
    const timer = setTimeout(() => abandon(snapshot), maxPauseMs).unref();
    const snapshot: Snapshot = { thread, connection, starts: thread.starts, timer, isAbandoned: false };
    snapshots.add(snapshot);
    return snapshot;
  }

  function abandon(snapshot: Snapshot): void {
    snapshot.isAbandoned = true;
    snapshots.delete(snapshot);
    snapshot.thread.release(snapshot.connection);
  }

  async function closeSnapshot(snapshot: Snapshot): Promise<void> {
    clearTimeout(snapshot.timer);
    snapshots.delete(snapshot);
    if (isLost(snapshot)) return;
    const { thread, connection } = snapshot;
    await thread.run(connection, CompiledQuery.raw('rollback'));
    const connections = idle.get(thread) ?? [];
    if (connections.length < maxIdleConnections) connections.push(connection);
    else thread.release(connection);
  }

  function connect(workspaceId: string): ThreadConnection {
    let snapshot: Snapshot | undefined;
    return {
      executeQuery: (query) =>
        queue.run(workspaceId, () => {
          if (!snapshot) return findFreest().run(sharedConnection, query);
          if (isLost(snapshot)) throw new AppError('database_unavailable', { cause: new Error(endedText) });
          snapshot.timer.refresh();
          return snapshot.thread.run(snapshot.connection, query);
        }),

      async begin() {
        snapshot = await openSnapshot();
      },

      async end() {
        if (snapshot) await closeSnapshot(snapshot);
      },
    };
  }

  return {
    /**
     * Returns a connection for the queries of one workspace. Each query sees the last commit or, in a transaction, the state of the
     * transaction's first query.
     */
    of(workspaceId: string): Kysely<Database> {
      const dialect = createThreadDialect({ connect: () => connect(workspaceId), isShared: true });
      return new Kysely<Database>({ dialect, plugins: [deadlinePlugin] });
    },
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  };
}

function isLost({ thread, starts, isAbandoned }: Snapshot): boolean {
  return isAbandoned || thread.starts !== starts;
}
