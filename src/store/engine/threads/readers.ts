import { availableParallelism } from 'node:os';
import { CompiledQuery, Kysely } from 'kysely';
import { AppError } from '../../../errors.ts';
import { createFairQueue } from '../../../platform/scheduling/fair-queue.ts';
import type { Database } from '../../tables.ts';
import { createDatabaseThread, type DatabaseThread } from './database-thread.ts';
import { deadlinePlugin } from './deadline-plugin.ts';
import { createThreadDialect, type ThreadConnection } from './thread-dialect.ts';

/** Reads the embedded database in threads of their own. */
export interface Readers {
  /** For the queries of one workspace. Each sees the last commit, or that of its transaction's first query. */
  of(workspaceId: string): Kysely<Database>;
  close(): Promise<void>;
}

/** One is left for requests. */
const threadCount = Math.max(1, Math.min(4, availableParallelism() - 1));
/** A workspace runs one query at a time, so that many slow ones of one workspace leave the threads to others. */
const queueLimits = {
  running: threadCount,
  runningPerTenant: 1,
  waitingPerTenant: 200,
  waiting: 10_000,
  waitTimeoutMs: 10_000,
};
const timeoutMs = 4000;
/** While a snapshot is open, the log of the database grows. */
const maxSnapshotMs = 60_000;
const checkpointEveryMs = 50;
/** All queries outside of transactions share it. */
const sharedConnection = 0;
/** Scans read each page of a large workspace once, if it fits. */
const setup = ['pragma cache_size = -32768'];

interface Snapshot {
  thread: DatabaseThread;
  connection: number;
  endsAt: number;
  timer: NodeJS.Timeout;
}

const tooLong = 'The snapshot was held for too long';

export function openReaders(file: string): Readers {
  const threads = Array.from({ length: threadCount }, (_, index) =>
    createDatabaseThread({ file, isReadOnly: true, setup, timeoutMs, ...(index === 0 && { checkpointEveryMs }) }),
  );
  const queue = createFairQueue(queueLimits);
  let nextConnection = sharedConnection + 1;

  function findFreest(): DatabaseThread {
    return threads.reduce((freest, thread) => (thread.pending < freest.pending ? thread : freest));
  }

  function connect(workspaceId: string): ThreadConnection {
    let snapshot: Snapshot | undefined;
    return {
      run: (query) =>
        queue.run(workspaceId, () => {
          if (snapshot && performance.now() > snapshot.endsAt) throw new AppError('database_unavailable', { cause: new Error(tooLong) });
          return (snapshot?.thread ?? findFreest()).run(snapshot?.connection ?? sharedConnection, query);
        }),

      async begin() {
        const thread = findFreest();
        const connection = nextConnection;
        nextConnection += 1;
        const timer = setTimeout(() => thread.release(connection), maxSnapshotMs).unref();
        snapshot = { thread, connection, endsAt: performance.now() + maxSnapshotMs, timer };
        await this.run(CompiledQuery.raw('begin'));
      },

      async end() {
        if (!snapshot) return;
        clearTimeout(snapshot.timer);
        snapshot.thread.release(snapshot.connection);
        snapshot = undefined;
      },
    };
  }

  return {
    of(workspaceId) {
      const dialect = createThreadDialect({ connect: () => connect(workspaceId), isShared: true });
      return new Kysely<Database>({ dialect, plugins: [deadlinePlugin] });
    },
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  };
}
