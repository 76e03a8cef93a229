import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

export interface Address {
  address: string;
  family: number;
}

/** Resolves a host name to all its addresses. Rejects with an error that has a code, as those of `node:dns` do. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<Address[]>;

interface ResolveOptions {
  /** Whether the operator has named the host. */
  isTrusted(hostname: string): boolean;
  nameServers?: string[] | undefined;
}

/** A query is repeated once. */
const queryTimeoutMs = 2000;
const queries = 2;
/** A name with more addresses than this is not worth trying them all. */
const maxAddresses = 16;
const hostsFile = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/**
 * Resolves names that users enter. Whoever enters a name may also run its name server, which may never respond. The system's own
 * lookups run in a few threads that the whole process shares, and cannot be canceled: a handful of such names would stop every other
 * lookup, that of the database's host included. So they are only for the names that the operator allows and for names without a dot,
 * which no stranger can register. All others are queried directly.
 */
export function createResolve({ isTrusted, nameServers }: ResolveOptions): Resolve {
  return async (hostname, signal) => {
    const isLocal = !hostname.includes('.') || isTrusted(hostname) || (await isInHostsFile(hostname));
    const addresses = isLocal ? await lookup(hostname, { all: true }) : await query(hostname, signal, nameServers);
    return addresses.slice(0, maxAddresses);
  };
}

/** Each query has a resolver of its own, because a resolver can only cancel everything that it was asked. */
async function query(hostname: string, signal: AbortSignal, nameServers: string[] | undefined): Promise<Address[]> {
  const resolver = new Resolver({ timeout: queryTimeoutMs, tries: queries, maxTimeout: queryTimeoutMs });
  if (nameServers) resolver.setServers(nameServers);
  const cancel = () => resolver.cancel();
  signal.throwIfAborted();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    signal.throwIfAborted();
    const addresses = [...toAddresses(ipv4, 4), ...toAddresses(ipv6, 6)];
    // A name with addresses of one family only is common. The error for IPv4 then says why there is none at all.
    if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function toAddresses(result: PromiseSettledResult<string[]>, family: number): Address[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}

/** A direct query does not look into this file, which names the hosts of many containers. */
async function isInHostsFile(hostname: string): Promise<boolean> {
  const text = await readFile(hostsFile, 'utf8').catch(() => '');
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  return lines.some(([, ...names]) => names.some((name) => name.toLowerCase() === hostname));
}
