import { type DatabaseConnection, SqliteAdapter, type SqliteDatabase, SqliteDialect, SqliteDriver } from 'kysely';
import { yieldIfLong } from '../../event-loop.ts';

/** Kysely's dialect, for one connection that all requests share. */
export function createSqliteDialect(database: SqliteDatabase): SqliteDialect {
  const config = { database };
  const dialect = new SqliteDialect(config);
  dialect.createAdapter = () => new UnlockedAdapter();
  dialect.createDriver = () => new CooperativeDriver(config);
  return dialect;
}

/** Kysely locks the only connection before the driver is asked for it, so a pause of the driver would make everybody wait. */
class UnlockedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Queries of SQLite are synchronous, so without a pause a request with many of them would run in one turn of the event loop. */
class CooperativeDriver extends SqliteDriver {
  readonly #lock = createLock();

  override async acquireConnection(): Promise<DatabaseConnection> {
    await yieldIfLong();
    await this.#lock.acquire();
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    this.#lock.release();
  }
}

/** Lets one through at a time, in the order of their coming. */
function createLock(): { acquire(): Promise<void> | undefined; release(): void } {
  const waiting: (() => void)[] = [];
  let isLocked = false;
  return {
    acquire() {
      if (isLocked) return new Promise((resolve) => waiting.push(resolve));
      isLocked = true;
      return undefined;
    },
    release() {
      const next = waiting.shift();
      if (next) next();
      else isLocked = false;
    },
  };
}
