import type { Worker } from 'node:worker_threads';
import type { CompiledQuery, QueryResult } from 'kysely';
import { AppError } from '../../../errors.ts';
import { startThread } from '../../../platform/programs.ts';
import { assertNoNul } from '../assert-no-nul.ts';
import { isUnavailableCode } from '../sqlite-errors.ts';
import type { FromThread, ThreadError, ThreadOptions, ThreadResult, ToThread } from './database-messages.ts';

export type DatabaseThread = ReturnType<typeof createDatabaseThread>;

interface Pending {
  resolve(result: ThreadResult): void;
  reject(err: unknown): void;
}

/** The delay before a restart. It is needed because a thread that cannot open the database immediately ends again. */
const restartMs = 100;

/** Runs queries of the embedded database in a thread, which starts with the first query, or immediately if it makes checkpoints. */
export function createDatabaseThread(options: ThreadOptions, onLogTooLong?: () => void) {
  const pending = new Map<number, Pending>();
  let worker: Worker | undefined;
  let nextId = 0;
  let starts = 0;
  let isClosed = false;

  function start(): Worker {
    starts += 1;
    const started = startThread('database-thread', { workerData: options });
    started.on('message', (text: string) => {
      const message = JSON.parse(text) as FromThread;
      if (message === 'log too long') return onLogTooLong?.();
      const { resolve, reject } = take(message.id);
      if ('error' in message) reject(translateError(message.error));
      else resolve(message.result);
    });
    // Without a listener, an error of the thread would end the service. The error can be ignored, because the thread ends and the next
    // query starts a new thread.
    started.on('error', () => undefined);
    started.once('exit', () => {
      if (worker === started) worker = undefined;
      for (const id of [...pending.keys()]) take(id).reject(unavailable('The database thread ended'));
      // The thread is restarted, because without checkpoints the log would grow until the next query.
      if (options.checkpoints) setTimeout(startUnlessRunning, restartMs).unref();
    });
    // The service closes the thread when it stops. Other programs, such as tests, need not wait for the thread.
    started.unref();
    return started;
  }

  function startUnlessRunning(): void {
    if (!isClosed) worker ??= start();
  }

  function take(id: number): Pending {
    const found = pending.get(id);
    if (!found) throw new Error(`There is no query ${id}`);
    pending.delete(id);
    // While the thread ends, the process must stay alive.
    if (pending.size === 0 && !isClosed) worker?.unref();
    return found;
  }

  function post(message: ToThread): void {
    worker?.postMessage(JSON.stringify(message));
  }

  // The thread must make checkpoints from the first write on, which may come before the first query.
  if (options.checkpoints) startUnlessRunning();

  return {
    async run<Row>(connection: number, { sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<QueryResult<Row>> {
      if (isClosed) throw unavailable('The database is closed');
      assertNoNul(parameters);
      worker ??= start();
      worker.ref();
      const id = nextId;
      nextId += 1;
      const { promise, resolve, reject } = Promise.withResolvers<ThreadResult>();
      pending.set(id, { resolve, reject });
      post({ kind: 'query', id, connection, sql, parameters });
      const { columns, rows, changes } = await promise;
      return { rows: rows.map((row) => toObject(columns, row) as Row), ...(changes !== undefined && { numAffectedRows: BigInt(changes) }) };
    },

    /** Closes a connection, which ends its open transaction. */
    release: (connection: number) => post({ kind: 'release', connection }),

    /** The number of queries whose result has not arrived yet. */
    get pending(): number {
      return pending.size;
    },

    /** The number of times that the thread was started. A transaction ends when its thread ends. */
    get starts(): number {
      return starts;
    },

    async close(): Promise<void> {
      isClosed = true;
      if (!worker) return;
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      worker.once('exit', () => resolve());
      worker.ref();
      post({ kind: 'close' });
      await ended;
    },
  };
}

/** The row has the columns of the query. */
function toObject(columns: string[], row: unknown[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) object[column] = row[index];
  return object;
}

function translateError({ message, errcode, code }: ThreadError): Error {
  const err = Object.assign(new Error(message), { ...(errcode !== undefined && { errcode }), ...(code !== undefined && { code }) });
  // An error of the function `within_deadline` has no result code. It means that the query took too long.
  const isLate = message === 'The query took too long';
  return isLate || (errcode !== undefined && isUnavailableCode(errcode)) ? new AppError('database_unavailable', { cause: err }) : err;
}

function unavailable(message: string): AppError {
  return new AppError('database_unavailable', { cause: new Error(message) });
}
