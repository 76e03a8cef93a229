import { join, resolve } from 'node:path';
import { loadConfig } from '../config.ts';
import { StartError } from '../errors.ts';
import { hasEmbeddedDatabase } from '../store/store.ts';
import { hasOption, type Input } from './command.ts';
import { CliError, exitCodes } from './errors.ts';
import { runTask } from './operator/run-task.ts';
import { note } from './terminal.ts';

/** Makes a backup of the embedded database, whether or not the service runs. */
export async function backupCommand(input: Input): Promise<void> {
  const { databaseUrl, dataDir, secretKey } = loadConfig();
  const file = resolve(input.args[0] ?? '');
  if (databaseUrl !== undefined) {
    throw new StartError(
      `The data is in PostgreSQL, which has its own tools: pg_dump --format=custom --file=${file} "$DATABASE_URL"\n` +
        'Keep SECRET_KEY separately. To lose less than a day, use continuous archiving; see docs/running.md.',
    );
  }
  if (!hasEmbeddedDatabase(dataDir)) {
    throw new CliError(`There is no database in ${dataDir}. Set DATA_DIR to its directory.`, exitCodes.notFound);
  }
  await runTask('backup', { file, force: hasOption(input, 'force') });
  const secret = secretKey === undefined ? join(dataDir, 'secret.key') : 'SECRET_KEY';
  note(`The secret (${secret}) is not in it, and the backup cannot be restored without it. Keep a copy of the secret in another place.`);
}
