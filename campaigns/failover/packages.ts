import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, rm, writeFile } from 'node:fs/promises';
import { arch } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isRoot } from './processes.ts';

const execute = promisify(execFile);

const packages = ['patroni', 'etcd-server', 'haproxy', 'postgresql-15', 'python3-etcd'];
const installCommand = `apt-get install --no-install-recommends ${packages.join(' ')}`;

/** The package from Debian 13, which also runs on Debian 12. Debian 12 itself has version 3.0.2, which can let an old leader take over. */
const newerPatroni = {
  url: 'http://deb.debian.org/debian/pool/main/p/patroni/patroni_4.0.7-3~deb13u1_all.deb',
  sha256: 'b8a6d276d3adb0c9b8a6d6198575c6081134bd2038b4780d08a6c34375972931',
};

/** The command that starts Patroni. */
export interface Patroni {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

/** Installs missing packages if possible. Otherwise says what to install. */
export async function installPackages(): Promise<void> {
  const missing = [];
  for (const name of packages) if (!(await isInstalled(name))) missing.push(name);
  if (missing.length === 0) return;
  if (!isRoot) throw new Error(`Missing: ${missing.join(', ')}. Run as root, on Debian: ${installCommand}`);
  process.stdout.write(`Installing ${missing.join(', ')} …\n`);
  await withoutStartingServices(async () => {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await execute('apt-get', ['update', '--quiet'], { env });
    await execute('apt-get', [...installCommand.split(' ').slice(1), '--yes', '--quiet'], { env, maxBuffer: 2 ** 26 });
  });
}

/** Returns the Patroni of this machine's distribution, or a newer one that is unpacked into a folder. */
export async function findPatroni(kind: 'installed' | 'newer', folder: string): Promise<Patroni> {
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', PYTHONUNBUFFERED: '1' };
  if (kind === 'installed') return { command: '/usr/bin/patroni', args: [], env };
  const response = await fetch(newerPatroni.url);
  const content = Buffer.from(await response.arrayBuffer());
  if (createHash('sha256').update(content).digest('hex') !== newerPatroni.sha256) {
    throw new Error(`${newerPatroni.url} is not there or has changed. Use --patroni=installed with Patroni 4 or newer.`);
  }
  const file = join(folder, 'patroni.deb');
  await writeFile(file, content);
  await execute('dpkg-deb', ['--extract', file, join(folder, 'patroni')]);
  const modules = join(folder, 'patroni/usr/lib/python3/dist-packages');
  return { command: '/usr/bin/python3', args: ['-m', 'patroni'], env: { ...env, PYTHONPATH: modules } };
}

/** Returns the versions of all programs involved. */
export async function describeVersions({ command, args, env }: Patroni): Promise<string> {
  const run = async (file: string, ...rest: string[]) => (await execute(file, rest, { env })).stdout;
  const versions = {
    PostgreSQL: await run('/usr/lib/postgresql/15/bin/postgres', '--version'),
    Patroni: await run(command, ...args, '--version'),
    etcd: await run('/usr/bin/etcd', '--version'),
    HAProxy: await run('/usr/sbin/haproxy', '-v'),
  };
  const numbers = Object.entries(versions).map(([name, text]) => `${name} ${/\d+\.\d+(\.\d+)?/.exec(text)?.[0]}`);
  return [...numbers, `Node ${process.versions.node}`, `Linux ${arch()}`].join(', ');
}

async function isInstalled(name: string): Promise<boolean> {
  try {
    const { stdout } = await execute('dpkg', ['--status', name]);
    return /^Status: .* installed$/m.test(stdout);
  } catch {
    return false;
  }
}

const policyFile = '/usr/sbin/policy-rc.d';

/** Debian starts the services of a package when it is installed, unless a policy forbids it. */
async function withoutStartingServices(install: () => Promise<void>): Promise<void> {
  const hasPolicy = await access(policyFile).then(
    () => true,
    () => false,
  );
  if (hasPolicy) return install();
  await writeFile(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await install();
  } finally {
    await rm(policyFile);
  }
}
