import { readFileSync } from 'node:fs';

/** The addresses of all processes. Each server in the documentation has a separate address in 127.0.0.0/8, so that it can keep its port. */
export interface Addresses {
  /** The address at which the other processes reach a PostgreSQL node, which is a proxy that can be cut. */
  node(number: number): string;
  /** The address at which the node itself listens. */
  nodeItself(number: number): string;
  etcd(number: number): string;
  /** The address at which a node reaches etcd, which is a separate proxy. */
  etcdOf(number: number): string;
  haproxy: string;
  /** The address of a second listener, which does not close the sessions of a server that is down. */
  haproxyKeepingSessions: string;
}

export interface Passwords {
  superuser: string;
  replication: string;
  rewind: string;
}

export const nodeNumbers = [1, 2, 3] as const;

/** `network` is the first three numbers of the addresses, such as 127.20.30. */
export function createAddresses(network: string): Addresses {
  return {
    node: (number) => `${network}.1${number}`,
    nodeItself: (number) => `${network}.11${number}`,
    etcd: (number) => `${network}.2${number}`,
    etcdOf: (number) => `${network}.3${number}`,
    haproxy: `${network}.1`,
    haproxyKeepingSessions: `${network}.2`,
  };
}

/** Returns docs/examples/patroni/patroni.yml for one of the nodes. The machine of a campaign has no watchdog and little space. */
export function renderPatroni(number: number, options: { addresses: Addresses; passwords: Passwords; folder: string }): string {
  const { addresses, passwords, folder } = options;
  return substitute(readTemplate('patroni.yml'), [
    ['name: db1', `name: db${number}`],
    ['listen: 10.0.0.11', `listen: ${addresses.nodeItself(number)}`],
    ['connect_address: 10.0.0.11', `connect_address: ${addresses.node(number)}`],
    // Without `use_proxies`, Patroni would ask etcd for its addresses and go around the proxy.
    ['hosts: 10.0.0.21:2379,10.0.0.22:2379,10.0.0.23:2379', `hosts: ${addresses.etcdOf(number)}:2379\n  use_proxies: true`],
    ['mode: required', `mode: 'off'`],
    ['wal_keep_size: 128MB', 'wal_keep_size: 128MB\n        max_wal_size: 256MB'],
    ['/var/lib/postgresql/15/promptharbor', `${folder}/data`],
    ['/var/lib/postgresql/15/pgpass', `${folder}/pgpass`],
    ['/var/run/postgresql', folder],
    ['superuser-password', passwords.superuser],
    ['replication-password', passwords.replication],
    ['rewind-password', passwords.rewind],
    ['10.0.0.0/24', '127.0.0.0/8'],
  ]);
}

/** Returns docs/examples/patroni/etcd.conf for one of the members, as environment variables. */
export function renderEtcd(number: number, options: { addresses: Addresses; folder: string }): Record<string, string> {
  const { addresses, folder } = options;
  const [, members = ''] = /^ETCD_INITIAL_CLUSTER=(.*)$/m.exec(readTemplate('etcd.conf')) ?? [];
  const text = substitute(readTemplate('etcd.conf'), [
    [members, 'MEMBERS'],
    ['ETCD_NAME=etcd1', `ETCD_NAME=etcd${number}`],
    ['10.0.0.21', addresses.etcd(number)],
    ['/var/lib/etcd/promptharbor', folder],
    ['MEMBERS', members],
    ...nodeNumbers.map((each): [string, string] => [`10.0.0.2${each}`, addresses.etcd(each)]),
  ]);
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s, 2)),
  );
}

/** Returns docs/examples/patroni/haproxy.cfg, with a second listener that does not close the sessions of a server that is down. */
export function renderHaproxy(addresses: Addresses): string {
  const text = substitute(readTemplate('haproxy.cfg'), [
    ['127.0.0.1:5000', `${addresses.haproxy}:5000`],
    ...nodeNumbers.map((each): [string, string] => [`10.0.0.1${each}`, addresses.node(each)]),
  ]);
  const listener = text.slice(text.indexOf('listen primary'));
  const keeping = substitute(listener, [
    ['listen primary', 'listen keeping'],
    [`${addresses.haproxy}:5000`, `${addresses.haproxyKeepingSessions}:5000`],
    [' on-marked-down shutdown-sessions', ''],
  ]);
  return `${text}\n${keeping}`;
}

function readTemplate(name: string): string {
  return readFileSync(new URL(`../../docs/examples/patroni/${name}`, import.meta.url), 'utf8');
}

/** Throws if a string to substitute is missing, because the file has then changed, and the campaign would test something else. */
function substitute(text: string, pairs: [from: string, to: string][]): string {
  return pairs.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`The template has no ${from}`);
    return result.replaceAll(from, to);
  }, text);
}
