import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SqliteStatement } from 'kysely';
import { assertNoNul } from './assert-no-nul.ts';
import { translateErrors } from './sqlite-errors.ts';

/** Adapts node:sqlite to the interface that Kysely expects, and prepares each statement once. */
export function adaptSqlite(sqlite: DatabaseSync, assertUsable = () => {}) {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => sqlite.close(),
    prepare(sql: string): SqliteStatement {
      let statement = statements.get(sql);
      if (!statement) {
        if (statements.size >= maxStatements) statements.clear();
        const prepared = translateErrors(() => sqlite.prepare(sql));
        statement = adaptStatement(prepared, assertUsable);
        // After some errors, such as a full disk, SQLite has already rolled back, and a second rollback would fail.
        if (sql === 'rollback') statement = onlyIf(() => sqlite.isTransaction, statement);
        statements.set(sql, statement);
      }
      return statement;
    },
  };
}

function adaptStatement(statement: StatementSync, assertUsable: () => void): SqliteStatement {
  const values = (parameters: readonly unknown[]) => {
    assertUsable();
    assertNoNul(parameters);
    // Kysely declares parameters as unknown, but the store passes only strings, numbers, bytes and null.
    return parameters as SQLInputValue[];
  };
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => translateErrors(() => statement.all(...values(parameters))),
    run: (parameters) => translateErrors(() => statement.run(...values(parameters))),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}

function onlyIf(condition: () => boolean, statement: SqliteStatement): SqliteStatement {
  return {
    ...statement,
    all: (parameters) => (condition() ? statement.all(parameters) : []),
    run: (parameters) => (condition() ? statement.run(parameters) : { changes: 0, lastInsertRowid: 0 }),
  };
}

const maxStatements = 500;
