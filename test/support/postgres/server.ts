import { type ChildProcess, execFile, execFileSync, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { appendFile, chmod, chown, cp, mkdtemp, open, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { findBinaries, type ServerUser, serverUser } from './binaries.ts';

/** A real PostgreSQL server on a random port of this machine. */
export interface PostgresServer {
  /** The connection URL of the superuser. */
  adminUrl: string;
  dataDir: string;
  /** Pauses all processes of the server and returns a function that resumes them. Works only on Linux. */
  pause(): () => void;
  /**
   * Stops the server by a signal and returns a function that starts it again. SIGINT disconnects the clients, and SIGQUIT acts like a
   * crash.
   */
  interrupt(signal: 'SIGINT' | 'SIGQUIT'): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** The port. By default, a free port is used. */
  port?: number;
  /** The folder for the data, on disk by default. */
  parentFolder?: string;
  /** The stopped server that becomes the primary of this standby. `start` is called after the data has been copied. */
  standbyOf?: Pick<PostgresServer, 'adminUrl' | 'dataDir'> & { start(): Promise<void> };
}

export async function startPostgres({ standbyOf, parentFolder = tmpdir(), ...options }: PostgresOptions = {}): Promise<PostgresServer> {
  const user = serverUser();
  const dir = await makeFolder(tmpdir(), user);
  const dataDir = join(await makeFolder(parentFolder, user), 'data');
  const watchdog = watch(dir, dataDir);

  const { initdb, postgres } = await findBinaries(user, dir);
  const password = standbyOf ? new URL(standbyOf.adminUrl).password : randomBytes(16).toString('hex');
  if (standbyOf) {
    await copyData(standbyOf, dataDir, user);
    await standbyOf.start();
  } else {
    const passwordFile = join(dir, 'password');
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (user.uid !== undefined && user.gid !== undefined) await chown(passwordFile, user.uid, user.gid);
    await promisify(execFile)(initdb, [...initdbOptions, '-D', dataDir, `--pwfile=${passwordFile}`], { ...user, cwd: dir });
  }

  const port = options.port ?? (await findFreePort());
  const adminUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const flags = Object.entries({ ...serverSettings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const start = async (): Promise<ChildProcess> => {
    const log = await open(join(dir, 'log'), 'a');
    // The server runs in its own session. When Ctrl+C in a terminal ends the tests, the watchdog stops the server.
    const child = spawn(postgres, ['-D', dataDir, ...flags], { ...user, detached: true, stdio: ['ignore', log.fd, log.fd] });
    child.unref();
    await log.close();
    await waitUntilReady(adminUrl, child);
    return child;
  };
  let server = await start();

  return {
    adminUrl,
    dataDir,
    pause() {
      const { pid = 0 } = server;
      process.kill(pid, 'SIGSTOP');
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
      for (const child of children) process.kill(child, 'SIGSTOP');
      return () => {
        for (const each of [...children, pid]) process.kill(each, 'SIGCONT');
      };
    },
    async interrupt(signal) {
      const exited = once(server, 'exit');
      server.kill(signal);
      await exited;
      return async () => {
        server = await start();
      };
    },
    async stop() {
      const exited = once(watchdog, 'exit');
      watchdog.ref();
      watchdog.disconnect();
      await exited;
    },
  };
}

async function makeFolder(parent: string, user: ServerUser): Promise<string> {
  const folder = await mkdtemp(join(parent, 'promptharbor-postgres-'));
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
  await chmod(folder, 0o755);
  return folder;
}

async function copyData({ adminUrl, dataDir: source }: Pick<PostgresServer, 'adminUrl' | 'dataDir'>, dataDir: string, user: ServerUser) {
  await cp(source, dataDir, { recursive: true });
  const { password, hostname, port } = new URL(adminUrl);
  const connection = `host=${hostname} port=${port} user=postgres password=${password} application_name=standby`;
  await appendFile(join(dataDir, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\n`);
  await writeFile(join(dataDir, 'standby.signal'), '');
  if (user.uid !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, dataDir]);
  await chmod(dataDir, 0o700);
}

// This locale sorts a before B, so that a query that relies on the server's default order fails.
const initdbOptions = [
  ...['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--no-sync'],
  ...['--locale=C', '--locale-provider=icu', '--icu-locale=en'],
];

// Without fsync, a crash of the machine loses data, but a crash of the process does not.
const serverSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: 500,
  shared_buffers: '64MB',
};

function watch(dir: string, dataDir: string): ChildProcess {
  const watchdog = fork(join(import.meta.dirname, 'watchdog.ts'), [dir, dataDir], { detached: true, stdio: 'ignore', execArgv: [] });
  watchdog.unref();
  watchdog.channel?.unref();
  return watchdog;
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with code ${server.exitCode} instead of starting`);
    const client = new pg.Client(url);
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await delay(50);
    }
  }
  throw new Error('PostgreSQL does not respond');
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port');
  return address.port;
}
