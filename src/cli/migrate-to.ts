import { loadConfig } from '../config.ts';
import { parsePostgresUrl } from '../database-url.ts';
import { unlock } from '../domain/secrets/master-secret.ts';
import { hasEmbeddedDatabase, openStore } from '../store/store.ts';
import type { Input } from './command.ts';
import { CliError, exitCodes, UsageError } from './errors.ts';
import { createProgressBar } from './progress-bar.ts';
import { write } from './terminal.ts';

/** Copies the embedded database to an empty PostgreSQL database. The service must be stopped, because it locks the file. */
export async function migrateTo({ args: [target = ''] }: Input): Promise<void> {
  // DATABASE_URL is ignored, because it may already point to the target.
  const { dataDir, secretKey, secretKeyPrevious } = loadConfig();
  const databaseUrl = parseTarget(target);
  if (!hasEmbeddedDatabase(dataDir)) {
    throw new CliError(`There is no embedded database in ${dataDir}. Set DATA_DIR to its folder.`, exitCodes.notFound);
  }

  const secret = { secretKey, secretKeyPrevious, dataDir };
  const source = await openStore({ dataDir, databaseUrl: undefined });
  try {
    // The secret is checked before copying, because the copied keys are useless without the correct secret.
    await unlock(source, secret);
    const bar = createProgressBar(process.stderr);
    const counts = await source.copyTo({ dataDir, databaseUrl }, ({ table, doneRows, totalRows }) => bar.show(doneRows, totalRows, table));
    bar.end();
    await assertUnlocks({ dataDir, databaseUrl }, secret);
    write(process.stdout, formatReport(counts, { dataDir, hasSecretFile: secretKey === undefined }));
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

function parseTarget(target: string): string {
  const databaseUrl = parsePostgresUrl(target);
  if (databaseUrl !== undefined) return databaseUrl;
  throw new UsageError('The target is missing or invalid. Use an address such as postgres://user:password@host:5432/database.');
}

function formatReport(counts: Record<string, number>, { dataDir, hasSecretFile }: { dataDir: string; hasSecretFile: boolean }): string {
  const rows = Object.entries(counts).map(([table, count]) => `  ${table.padEnd(24)}${count}`);
  const secret = hasSecretFile ? `SECRET_KEY="$(cat ${dataDir}/secret.key)"` : 'the current SECRET_KEY';
  return `All rows were copied and counted in both databases:

${rows.join('\n')}

Start every instance with DATABASE_URL and ${secret}.
Without that secret, the stored keys cannot be decrypted. Back it up separately from the database.
The embedded database is unchanged. Move ${dataDir} away once the service runs on PostgreSQL.
`;
}
