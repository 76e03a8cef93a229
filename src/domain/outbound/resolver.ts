import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

export interface Address {
  address: string;
  family: number;
}

/** Resolves a host name to all its addresses. Rejects with an error that has a code, like those of `node:dns`. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<Address[]>;

interface ResolveOptions {
  /** Returns whether the operator has allowed the host. */
  isTrusted(hostname: string): boolean;
  nameServers?: string[] | undefined;
}

/** The timeout of each query. A query is retried once. */
const queryTimeoutMs = 2000;
const queries = 2;
/** The maximum number of addresses that are tried for a name. */
const maxAddresses = 16;
const hostsFile = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/**
 * Resolves names that users enter. A user may also run the name server for such a name, and the name server may never respond. The system's
 * lookups run in a few threads that the whole process shares, and they cannot be canceled. A handful of such names would block every other
 * lookup, including the lookup of the database's host. System lookups are therefore used only for names that the operator allows, names in
 * the hosts file and names without a dot. A stranger cannot register a name without a dot. All other names are queried directly.
 */
export function createResolve({ isTrusted, nameServers }: ResolveOptions): Resolve {
  return async (hostname, signal) => {
    const isLocal = !hostname.includes('.') || isTrusted(hostname) || (await isInHostsFile(hostname));
    const addresses = isLocal ? await lookup(hostname, { all: true }) : await query(hostname, signal, nameServers);
    return addresses.slice(0, maxAddresses);
  };
}

/** Each query has its own resolver, because a resolver can only cancel all of its queries. */
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
    // Many names have only addresses of one family. If a name has no addresses at all, the error for IPv4 says why.
    if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function toAddresses(result: PromiseSettledResult<string[]>, family: number): Address[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];
}

/** A direct query ignores the hosts file, in which many container setups list their hosts. */
async function isInHostsFile(hostname: string): Promise<boolean> {
  const text = await readFile(hostsFile, 'utf8').catch(() => '');
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  return lines.some(([, ...names]) => names.some((name) => name.toLowerCase() === hostname));
}
