import { CompiledQuery, type DatabaseConnection, type Dialect, type Driver, SqliteAdapter, SqliteIntrospector } from 'kysely';
import { SqliteCompiler } from '../sqlite-compiler.ts';

/** A connection to a database thread. Until a transaction begins, it may share an SQLite connection with other connections of this type. */
export interface ThreadConnection extends Pick<DatabaseConnection, 'executeQuery'> {
  begin(): Promise<void>;
  /** Ends a transaction with `commit` or `rollback`. */
  end(statement: 'commit' | 'rollback'): Promise<void>;
}

/** Creates Kysely's dialect for a database that is used in another thread. */
export function createThreadDialect({ connect, isShared }: { connect(): ThreadConnection; isShared: boolean }): Dialect {
  return {
    createAdapter: () => (isShared ? new SharedAdapter() : new SqliteAdapter()),
    createDriver: () => createDriver(connect),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteCompiler(),
  };
}

/** An adapter that allows several connections. With a single connection, Kysely runs queries and transactions one at a time. */
class SharedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

type OpenConnection = ThreadConnection & DatabaseConnection;

function createDriver(connect: () => ThreadConnection): Driver {
  return {
    init: async () => undefined,
    acquireConnection: async (): Promise<OpenConnection> => ({ ...connect(), streamQuery }),
    beginTransaction: (connection: OpenConnection) => connection.begin(),
    commitTransaction: (connection: OpenConnection) => connection.end('commit'),
    rollbackTransaction: (connection: OpenConnection) => connection.end('rollback'),
    releaseConnection: async () => undefined,
    destroy: async () => undefined,
  };
}

function streamQuery(): never {
  throw new Error('Queries in a thread cannot be streamed');
}

/** Creates a connection that is not shared, such as the connection to the statistics. */
export function createSingleConnection(executeQuery: ThreadConnection['executeQuery']): ThreadConnection {
  return {
    executeQuery,
    begin: async () => void (await executeQuery(CompiledQuery.raw('begin immediate'))),
    async end(statement) {
      const ended = executeQuery(CompiledQuery.raw(statement));
      // After some errors, such as a full disk, SQLite has already rolled back, and a second rollback would fail.
      await (statement === 'rollback' ? ended.catch(() => undefined) : ended);
    },
  };
}
