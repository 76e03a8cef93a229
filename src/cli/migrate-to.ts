import { loadConfig } from '../config.ts';
import { unlock } from '../domain/secrets/master-secret.ts';
import { StartError } from '../errors.ts';
import { hasEmbeddedDatabase, openStore } from '../store/store.ts';
import { createProgressBar } from './progress-bar.ts';

/** Moves the embedded database into an empty PostgreSQL. The service must be stopped: its file is held by one process at a time. */
export async function migrateTo({ argument }: Record<string, string | undefined>): Promise<void> {
  // The embedded database is what is moved, also where DATABASE_URL names the target already.
  const { dataDir, secretKey, secretKeyPrevious } = loadConfig();
  const databaseUrl = parseTarget(argument);
  if (!hasEmbeddedDatabase(dataDir))
    throw new StartError(`There is no embedded database in ${dataDir}. Set DATA_DIR to the folder that has it.`);

  const secret = { secretKey, secretKeyPrevious, dataDir };
  const source = await openStore({ dataDir, databaseUrl: undefined });
  try {
    // Before anything is copied: keys that nobody can open are not worth moving.
    await unlock(source, secret);
    const bar = createProgressBar(process.stderr);
    const counts = await source.copyTo({ dataDir, databaseUrl }, ({ table, doneRows, totalRows }) => bar.show(doneRows, totalRows, table));
    bar.end();
    await assertUnlocks({ dataDir, databaseUrl }, secret);
    process.stdout.write(report(counts, { dataDir, fromFile: secretKey === undefined }));
  } finally {
    await source.close();
  }
}

async function assertUnlocks(settings: Parameters<typeof openStore>[0], secret: Parameters<typeof unlock>[1]): Promise<void> {
  const target = await openStore(settings);
  try {
    await unlock(target, secret);
  } finally {
    await target.close();
  }
}

function parseTarget(argument: string | undefined): string {
  if (argument && /^postgres(ql)?:\/\//.test(argument) && URL.canParse(argument)) return argument;
  throw new StartError('Say where to: promptharbor migrate-to postgres://user:password@host:5432/database');
}

function report(counts: Record<string, number>, { dataDir, fromFile }: { dataDir: string; fromFile: boolean }): string {
  const rows = Object.entries(counts).map(([table, count]) => `  ${table.padEnd(24)}${count}`);
  const secret = fromFile ? `SECRET_KEY="$(cat ${dataDir}/secret.key)"` : 'the SECRET_KEY of now';
  return `All rows have arrived, counted on both sides:

${rows.join('\n')}

Start every instance with DATABASE_URL and ${secret}.
Without that secret the stored keys cannot be opened: keep it as you keep the database's backups, in another place.
The embedded database is left as it was; once the service runs on PostgreSQL, move ${dataDir} away.
`;
}
