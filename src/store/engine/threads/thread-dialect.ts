import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

/** A connection of a database thread, or several that share one until a transaction begins. */
export interface ThreadConnection {
  run<Row>(query: CompiledQuery): Promise<QueryResult<Row>>;
  begin(): Promise<void>;
  /** With `commit` or `rollback`. */
  end(statement: 'commit' | 'rollback'): Promise<void>;
}

/** Kysely's dialect for a database that is used in another thread. */
export function createThreadDialect({ connect, isShared }: { connect(): ThreadConnection; isShared: boolean }): Dialect {
  return {
    createAdapter: () => (isShared ? new SharedAdapter() : new SqliteAdapter()),
    createDriver: () => new ThreadDriver(connect),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** For several connections. With only one, Kysely runs one query or transaction after the other. */
class SharedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class KyselyConnection implements DatabaseConnection {
  readonly connection: ThreadConnection;

  constructor(connection: ThreadConnection) {
    this.connection = connection;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.connection.run(query);
  }

  // biome-ignore lint/correctness/useYield: it only throws.
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('Queries in a thread cannot be streamed');
  }
}

class ThreadDriver implements Driver {
  readonly #connect: () => ThreadConnection;

  constructor(connect: () => ThreadConnection) {
    this.#connect = connect;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new KyselyConnection(this.#connect());
  }

  beginTransaction(connection: KyselyConnection): Promise<void> {
    return connection.connection.begin();
  }

  commitTransaction(connection: KyselyConnection): Promise<void> {
    return connection.connection.end('commit');
  }

  rollbackTransaction(connection: KyselyConnection): Promise<void> {
    return connection.connection.end('rollback');
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}

/** A connection that is used alone, such as that of the statistics. */
export function createSingleConnection(run: ThreadConnection['run']): ThreadConnection {
  return {
    run,
    begin: async () => void (await run(CompiledQuery.raw('begin immediate'))),
    async end(statement) {
      const ended = run(CompiledQuery.raw(statement));
      // After some errors, such as a full disk, SQLite has rolled back already, and would report the second time as the error.
      await (statement === 'rollback' ? ended.catch(() => undefined) : ended);
    },
  };
}
