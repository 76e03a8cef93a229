// An instance that hangs in the middle of a migration, after it has created a table, until it is killed.
import { sql } from 'kysely';
import { openDatabase } from '../../src/store/engine/open.ts';
import { migrate, migrations } from '../../src/store/migrate.ts';

const stalling = {
  id: 1000,
  name: 'stalling',
  async up(db: Parameters<(typeof migrations)[0]['up']>[0]) {
    await sql`create table half_done (id integer primary key)`.execute(db);
    process.send?.('started');
    await new Promise(() => {});
  },
};
const database = await openDatabase({ dataDir: '', databaseUrl: process.argv[2] });
await database.runLong((db) => migrate(db, [...migrations, stalling]));
