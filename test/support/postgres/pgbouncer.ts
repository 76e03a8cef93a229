import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { reap } from '../reaper.ts';
import { serverUser } from './binaries.ts';
import { findFreePort } from './server.ts';

export interface PgBouncer {
  /** The URL of the database through the pooler. */
  url: string;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Returns the version of PgBouncer on this machine, if it is installed. */
export function findPgBouncer(): string | undefined {
  const { stdout } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8', env: withSystemPaths() });
  return /^PgBouncer (\S+)/.exec(stdout ?? '')?.[1];
}

/**
 * Starts a pooler in transaction mode. The pooler has fewer server connections than the service has clients, so the clients must share
 * connections.
 */
export async function startPgBouncer(databaseUrl: string): Promise<PgBouncer> {
  const user = serverUser();
  const dir = await mkdtemp(join(tmpdir(), 'promptharbor-pgbouncer-'));
  const url = new URL(databaseUrl);
  const { hostname, port, username, password, pathname } = url;
  const ownPort = await findFreePort();
  const files = {
    'users.txt': `"${username}" "${password}"\n`,
    'pgbouncer.ini': `[databases]
${pathname.slice(1)} = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(dir, 'users.txt')}
pool_mode = transaction
default_pool_size = 3
`,
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), content);
  await chmod(dir, 0o755);
  if (user.uid !== undefined && user.gid !== undefined) await chown(dir, user.uid, user.gid);

  const start = async () => {
    const child = spawn('pgbouncer', [join(dir, 'pgbouncer.ini')], { ...user, cwd: dir, stdio: 'ignore', env: withSystemPaths() });
    reap(child);
    while (!(await isListening(ownPort))) {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended with code ${child.exitCode} instead of starting`);
      await delay(20);
    }
    return child;
  };
  let child = await start();
  const kill = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };

  url.port = String(ownPort);
  return {
    url: url.href,
    async restart() {
      await kill();
      child = await start();
    },
    async stop() {
      await kill();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Debian installs PgBouncer in a folder that is only in root's PATH. */
function withSystemPaths(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };
}
