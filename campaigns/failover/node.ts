import { type ChildProcess, execFile } from 'node:child_process';
import { chown, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type CuttableProxy, startCuttableProxy } from './cuttable-proxy.ts';
import type { Patroni } from './packages.ts';
import { databaseUser, endDaemon, findProcessesIn, isRoot, signalProcessesIn, startDaemon } from './processes.ts';
import { type Addresses, type Passwords, renderPatroni } from './templates.ts';

const execute = promisify(execFile);

/** The size of a node's disk, which is small enough to be filled. */
const diskSize = '1g';

/** One server of the cluster: PostgreSQL with its Patroni, and the proxies through which the other servers reach them. */
export interface Node {
  name: string;
  /** The address of Patroni itself, which no fault cuts off. */
  restUrl: string;
  start(): void;
  /** Kills Patroni and PostgreSQL at once, like a power failure. */
  kill(): Promise<void>;
  /** Stops and resumes all processes of PostgreSQL or Patroni. */
  pause(part: NodePart): void;
  resume(part: NodePart): void;
  /** Cuts Patroni off from etcd, or the whole server off from everyone. */
  cutEtcd(): void;
  cutAll(): void;
  restore(): void;
  /** Fills the disk and makes PostgreSQL notice. Returns a function that frees the space. */
  fillDisk(): Promise<() => Promise<void>>;
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Closes the proxies. */
  close(): void;
}

export type NodePart = 'Patroni' | 'PostgreSQL';

export interface NodeOptions {
  addresses: Addresses;
  passwords: Passwords;
  folder: string;
  patroni: Patroni;
}

export async function createNode(number: number, options: NodeOptions): Promise<Node> {
  const { addresses, passwords, patroni } = options;
  const name = `db${number}`;
  const folder = join(options.folder, name);
  const dataDir = join(folder, 'data');
  const user = databaseUser();
  await mkdir(folder);
  if (isRoot) await execute('mount', ['-t', 'tmpfs', '-o', `size=${diskSize},mode=0755`, 'tmpfs', folder]);
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
  const configFile = join(options.folder, `${name}.yml`);
  await writeFile(configFile, renderPatroni(number, { addresses, passwords, folder }));

  const own = addresses.nodeItself(number);
  const etcd = await startCuttableProxy(addresses.etcdOf(number), addresses.etcd(number), 2379);
  const others: CuttableProxy[] = [
    await startCuttableProxy(addresses.node(number), own, 5432),
    await startCuttableProxy(addresses.node(number), own, 8008),
  ];
  let child: ChildProcess | undefined;
  let isWanted = false;

  async function query(sql: string): Promise<Record<string, unknown>[]> {
    const connection = { host: own, port: 5432, user: 'postgres', password: passwords.superuser, database: 'postgres' };
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 30_000, query_timeout: 30_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      void client.end().catch(() => {});
    }
  }

  const signal = (part: NodePart, name: 'SIGSTOP' | 'SIGCONT') =>
    part === 'Patroni' ? void child?.kill(name) : signalProcessesIn(dataDir, name);

  function start(): void {
    isWanted = true;
    const logFile = join(options.folder, `${name}.log`);
    const started = startDaemon({ ...user, ...patroni, args: [...patroni.args, configFile], cwd: folder, logFile });
    // Restarts the process, as systemd does.
    started.once('exit', () => setTimeout(() => isWanted && child === started && start(), 1000));
    child = started;
  }

  async function kill(): Promise<void> {
    isWanted = false;
    await endDaemon(child);
    while (findProcessesIn(dataDir).length > 0) {
      signalProcessesIn(dataDir, 'SIGKILL');
      await delay(20);
    }
  }

  return {
    name,
    restUrl: `http://${own}:8008`,
    start,
    kill,
    pause: (part) => signal(part, 'SIGSTOP'),
    resume: (part) => signal(part, 'SIGCONT'),
    cutEtcd: () => etcd.cut(),
    cutAll() {
      for (const proxy of [etcd, ...others]) proxy.cut();
    },
    restore() {
      for (const proxy of [etcd, ...others]) proxy.restore();
    },
    async fillDisk() {
      const file = join(folder, 'filler');
      // dd fails when no space is left.
      await execute('dd', ['if=/dev/zero', `of=${file}`, 'bs=64k']).catch(() => {});
      // Each switch creates another log file, until no space is left for one.
      for (let isFull = false; !isFull; ) {
        isFull = await query(`select pg_logical_emit_message(true, 'filler', ''); select pg_switch_wal()`).then(
          () => false,
          () => true,
        );
      }
      return () => rm(file);
    },
    query,
    close() {
      isWanted = false;
      for (const proxy of [etcd, ...others]) proxy.close();
    },
  };
}
