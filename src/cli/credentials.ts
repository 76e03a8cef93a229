import { chmod, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CliError, messageOf } from './errors.ts';
import { writeFileWhole } from './files/text-file.ts';

/** The keys that `login` stored, each for the service to which it belongs. */
interface Credentials {
  /** The service of the last login. */
  url?: string | undefined;
  keys: Record<string, string>;
  /** Other URLs that the user has named. A key from the environment or a password may be sent to these URLs. */
  trusted?: string[] | undefined;
}

/** `promptharbor/credentials.json` in the user's folder for settings. */
export function credentialsFile(): string {
  const { APPDATA, XDG_CONFIG_HOME } = process.env;
  const folder = process.platform === 'win32' ? APPDATA : XDG_CONFIG_HOME;
  return join(folder || join(homedir(), '.config'), 'promptharbor', 'credentials.json');
}

export async function readCredentials(): Promise<Credentials> {
  const file = credentialsFile();
  try {
    // The file was written by the function below, so its content has this type. Missing fields count as empty.
    const { url, keys, trusted } = JSON.parse(await readFile(file, 'utf8')) as Partial<Credentials>;
    return { url, keys: { ...keys }, trusted };
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return { keys: {} };
    throw new CliError(`${file} cannot be read. Fix or delete it, then run "promptharbor login". (${messageOf(err)})`);
  }
}

/** Writes the file so that only the user can read it. */
export async function writeCredentials(credentials: Credentials): Promise<void> {
  const file = credentialsFile();
  await writeFileWhole(file, `${JSON.stringify(credentials, null, 2)}\n`, 0o600);
  await chmod(file, 0o600);
}
