import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createNode, type Node } from './node.ts';
import type { Patroni } from './packages.ts';
import { startDaemon } from './processes.ts';
import { type Addresses, createAddresses, nodeNumbers, renderEtcd, renderHaproxy } from './templates.ts';

/** Three PostgreSQL servers under Patroni, three members of etcd, and HAProxy. */
export interface Cluster {
  nodes: Node[];
  /** The addresses of the database, one for each kind of connection. */
  urls: Record<Route, string>;
  /** Returns the state of the cluster as the servers other than `except` report it. */
  findState(except?: Node): Promise<ClusterState | undefined>;
  /** Waits until a server other than `old` is the leader. */
  untilReplaced(old: Node): Promise<Node>;
  /** Waits until one server is the leader, the others follow it, and one of them follows synchronously. */
  untilHealthy(): Promise<Node>;
  /** Ends all processes. The logs are kept. */
  stop(): Promise<void>;
}

/**
 * The kinds of connection: through HAProxy, directly with a list of all servers, and through HAProxy that keeps the sessions of a server
 * that is down.
 */
export const routes = ['proxy', 'hosts', 'keeping proxy'] as const;
export type Route = (typeof routes)[number];

export interface ClusterState {
  leader: Node | undefined;
  timeline: number;
  isComplete: boolean;
  /** A description of the state in words, for messages. */
  text: string;
}

const giveUpMs = 10 * 60_000;

export async function startCluster({ folder, patroni }: { folder: string; patroni: Patroni }): Promise<Cluster> {
  const addresses = createAddresses(`127.${16 + (process.pid % 200)}.${(process.pid >> 8) % 256}`);
  const cleanup = fork(join(import.meta.dirname, 'cleanup-process.ts'), [folder], { detached: true, stdio: 'ignore', execArgv: [] });
  await startEtcd(addresses, folder);
  await startHaproxy(addresses, folder);
  const passwords = { superuser: newPassword(), replication: newPassword(), rewind: newPassword() };
  const nodes: Node[] = [];
  for (const number of nodeNumbers) nodes.push(await createNode(number, { addresses, passwords, folder, patroni }));
  for (const node of nodes) node.start();

  async function findState(except?: Node): Promise<ClusterState | undefined> {
    for (const node of nodes) {
      const members = node === except ? undefined : await fetchMembers(node);
      if (members) return describeState(members, nodes);
    }
    return undefined;
  }

  async function until(what: string, find: () => Promise<Node | undefined>): Promise<Node> {
    const deadline = performance.now() + giveUpMs;
    while (performance.now() < deadline) {
      const node = await find();
      if (node) return node;
      await delay(200);
    }
    throw new Error(`${what}: still not after ${giveUpMs / 60_000} minutes: ${(await findState())?.text}`);
  }

  const cluster: Cluster = {
    nodes,
    urls: { proxy: '', hosts: '', 'keeping proxy': '' },
    findState,
    untilReplaced: (old) =>
      until(`${old.name} is replaced`, async () => {
        const leader = (await findState(old))?.leader;
        return leader === old ? undefined : leader;
      }),
    untilHealthy: () =>
      until('The cluster is complete', async () => {
        const state = await findState();
        return state?.isComplete ? state.leader : undefined;
      }),
    async stop() {
      for (const node of nodes) node.close();
      const exited = once(cleanup, 'exit');
      cleanup.disconnect();
      await exited;
    },
  };
  cluster.urls = await createDatabase(await cluster.untilHealthy(), addresses);
  return cluster;
}

async function startEtcd(addresses: Addresses, folder: string): Promise<void> {
  for (const number of nodeNumbers) {
    const cwd = join(folder, `etcd${number}`);
    await mkdir(cwd);
    const env = { PATH: process.env.PATH, ETCD_UNSUPPORTED_ARCH: 'arm64', ...renderEtcd(number, { addresses, folder: join(cwd, 'data') }) };
    startDaemon({ command: '/usr/bin/etcd', args: [], cwd, env, logFile: join(folder, `etcd${number}.log`) });
  }
}

async function startHaproxy(addresses: Addresses, folder: string): Promise<void> {
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, renderHaproxy(addresses));
  startDaemon({ command: '/usr/sbin/haproxy', args: ['-db', '-f', file], cwd: folder, logFile: join(folder, 'haproxy.log') });
}

/** Creates the database with the settings that docs/running.md recommends. */
async function createDatabase(leader: Node, addresses: Addresses): Promise<Record<Route, string>> {
  const password = newPassword();
  await leader.query(`create role promptharbor login password '${password}'`);
  await leader.query(`create database promptharbor owner promptharbor encoding 'UTF8' template template0`);
  const urlOf = (hosts: string) => `postgres://promptharbor:${password}@${hosts}/promptharbor`;
  const hosts = nodeNumbers.map((number) => `${addresses.node(number)}:5432`).join(',');
  return {
    proxy: urlOf(`${addresses.haproxy}:5000`),
    hosts: `${urlOf(hosts)}?target_session_attrs=read-write`,
    'keeping proxy': urlOf(`${addresses.haproxyKeepingSessions}:5000`),
  };
}

interface Member {
  name: string;
  role: string;
  state: string;
  timeline?: number;
}

async function fetchMembers({ restUrl }: Node): Promise<Member[] | undefined> {
  try {
    const response = await fetch(`${restUrl}/cluster`, { signal: AbortSignal.timeout(2000) });
    // Patroni documents the shape of this response.
    return ((await response.json()) as { members?: Member[] }).members;
  } catch {
    return undefined;
  }
}

function describeState(members: Member[], nodes: Node[]): ClusterState {
  const leading = members.find(({ role, state }) => role === 'leader' && state === 'running');
  const isFollowing = ({ state, timeline }: Member) => (state === 'streaming' || state === 'running') && timeline === leading?.timeline;
  const followers = members.filter(({ role, ...member }) => role !== 'leader' && isFollowing({ role, ...member }));
  return {
    leader: nodes.find(({ name }) => name === leading?.name),
    timeline: leading?.timeline ?? 0,
    isComplete: leading !== undefined && followers.length === 2 && followers.some(({ role }) => role === 'sync_standby'),
    text: members.map(({ name, role, state, timeline }) => `${name} ${role} ${state} ${timeline}`).join(', '),
  };
}

function newPassword(): string {
  return randomBytes(12).toString('hex');
}
