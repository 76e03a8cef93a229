import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ThreadError, ThreadOptions, ThreadResult, ToThread } from './database-messages.ts';

// A thread that runs queries of the embedded database, so that a slow query does not delay requests. It may have several connections, each
// with its own snapshot.

const maxStatements = 500;
/** The number of rows that a query may visit before the clock is checked again. For search texts, prompts are counted instead of rows. */
const rowsPerLook = 16;

// The main thread passes these options.
const options = workerData as ThreadOptions;
const connections = new Map<number, Connection>();
let deadline = Number.POSITIVE_INFINITY;
let rowsVisited = 0;

interface Connection {
  sqlite: DatabaseSync;
  statements: Map<string, StatementSync>;
}

if (options.checkpoints) startCheckpoints(options.checkpoints);

parentPort?.on('message', (text: string) => {
  const message = JSON.parse(text) as ToThread;
  if (message.kind === 'query') post(answer(message));
  else if (message.kind === 'release') release(message.connection);
  else close();
});

function answer({ id, connection, sql, parameters }: Extract<ToThread, { kind: 'query' }>): FromThread {
  deadline = performance.now() + options.timeoutMs;
  rowsVisited = 0;
  try {
    return { id, result: run(getStatement(connection, sql), parameters) };
  } catch (err) {
    return { id, error: toError(err) };
  }
}

function run(statement: StatementSync, parameters: readonly unknown[]): ThreadResult {
  const columns = statement.columns().map(({ name }) => name);
  // Kysely declares parameters as unknown, but the store passes only strings, numbers and null.
  const values = parameters as SQLInputValue[];
  if (columns.length === 0) return { columns, rows: [], changes: Number(statement.run(...values).changes) };
  // node:sqlite declares rows as records, but with `setReturnArrays` they are arrays.
  return { columns, rows: statement.all(...values) as unknown as unknown[][] };
}

function getStatement(id: number, sql: string): StatementSync {
  const { sqlite, statements } = connections.get(id) ?? open(id);
  let statement = statements.get(sql);
  if (!statement) {
    if (statements.size >= maxStatements) statements.clear();
    statement = sqlite.prepare(sql);
    statement.setReturnArrays(true);
    statements.set(sql, statement);
  }
  return statement;
}

function open(id: number): Connection {
  const sqlite = new DatabaseSync(options.file, { readOnly: options.isReadOnly, timeout: 1000 });
  for (const statement of options.setup) sqlite.exec(statement);
  // node:sqlite cannot interrupt a query, so queries call this function for each row that they visit.
  sqlite.function('within_deadline', () => {
    rowsVisited += 1;
    if (rowsVisited % rowsPerLook === 0 && performance.now() > deadline) throw new Error('The query took too long');
    return 1;
  });
  const connection = { sqlite, statements: new Map() };
  connections.set(id, connection);
  return connection;
}

function release(id: number): void {
  connections.get(id)?.sqlite.close();
  connections.delete(id);
}

function close(): void {
  for (const id of connections.keys()) release(id);
  parentPort?.close();
}

/** Moves the write-ahead log into the database file regularly. Checkpoints are needed only if another thread writes to the database. */
function startCheckpoints({ everyMs, maxLogPages }: NonNullable<ThreadOptions['checkpoints']>): void {
  let sqlite: DatabaseSync | undefined;
  const checkpoint = () => {
    try {
      sqlite ??= new DatabaseSync(options.file);
      const { log, checkpointed } = sqlite.prepare('pragma wal_checkpoint(passive)').get() as { log: number; checkpointed: number };
      // After a complete checkpoint, the next commit starts the log over.
      if (log > maxLogPages && checkpointed < log) post('log too long');
    } catch {
      // A checkpoint may fail, for example on a full disk. The commits of requests report this problem, and the queries of this thread must
      // continue.
    }
  };
  const timer = setInterval(checkpoint, everyMs).unref();
  parentPort?.once('close', () => {
    clearInterval(timer);
    sqlite?.close();
  });
}

function toError(err: unknown): ThreadError {
  const { message, errcode, code } = err as { message?: string; errcode?: number; code?: string };
  return { message: message ?? String(err), errcode, code };
}

function post(message: FromThread): void {
  parentPort?.postMessage(JSON.stringify(message));
}
