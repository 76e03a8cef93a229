import { join, resolve } from 'node:path';
import { loadConfig } from '../config.ts';
import { StartError } from '../errors.ts';
import { hasOption, type Input } from './command.ts';
import { runTask } from './operator/run-task.ts';
import { note } from './terminal.ts';

/** Makes a backup of the embedded database. The service may be running or not. */
export async function backupCommand(input: Input): Promise<void> {
  const { databaseUrl, dataDir } = loadConfig();
  const file = resolve(input.args[0] ?? '');
  if (databaseUrl !== undefined) {
    throw new StartError(
      `The data is in PostgreSQL. Back it up with: pg_dump --format=custom --file=${file} "$DATABASE_URL"\n` +
        'Keep SECRET_KEY separately. A restore loses the data since the last dump. To lose less, use continuous archiving. See docs/running.md.',
    );
  }
  await runTask('backup', { file, force: hasOption(input, 'force') });
  note(
    `The backup does not contain the secret and cannot be restored without it. Keep a copy of the service's secret in another place: ` +
      `SECRET_KEY if it is set, otherwise the file ${join(dataDir, 'secret.key')}.`,
  );
}
