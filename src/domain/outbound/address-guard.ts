import { BlockList, isIP } from 'node:net';
import { OutboundError } from './outbound-error.ts';
import { createResolve, type Resolve } from './resolver.ts';

export interface AddressGuardOptions {
  /** The host names, addresses and networks to which requests are allowed although they are not public. */
  allow: readonly string[];
  nameServers?: string[] | undefined;
  /** Replaces the lookup of host names, for tests. */
  resolve?: Resolve | undefined;
}

/**
 * Resolves the hosts of URLs to the addresses to connect to, or throws an OutboundError if one of the addresses is not allowed. Private,
 * link-local, loopback, multicast and reserved addresses are refused, because a URL that a user enters must not reach servers that only
 * this machine can reach. `allow` lists the exceptions.
 */
export function createAddressGuard({ allow, nameServers, resolve }: AddressGuardOptions): Resolve {
  const allowedAddresses = toBlockList(allow.filter((entry) => isIP(entry.split('/')[0] ?? '') !== 0));
  const allowedNames = new Set(allow.map(normalizeName));
  const resolveName = resolve ?? createResolve({ isTrusted: (name) => allowedNames.has(name), nameServers });

  function isAllowed(address: string): boolean {
    return contains(allowedAddresses, address) || !contains(isIpv6(address) ? refusedIpv6 : refusedIpv4, address);
  }

  return async (hostname, signal) => {
    const name = normalizeName(hostname.replace(/^\[|\]$/g, ''));
    const family = isIP(name);
    const addresses = family ? [{ address: name, family }] : await resolveName(name, signal);
    if (addresses.length === 0) throw Object.assign(new Error(`No address for ${name}`), { code: 'ENOTFOUND' });
    const refused = allowedNames.has(name) ? undefined : addresses.find(({ address }) => !isAllowed(address));
    if (refused) throw refusal(name, refused.address);
    return addresses;
  };
}

/**
 * Only the cause, which is logged, contains the address. If the message contained it, any account could resolve the names of an internal
 * network.
 */
function refusal(hostname: string, address: string): OutboundError {
  return new OutboundError(
    'blocked',
    `${hostname} is not a public address. To let the service connect to it, set OUTBOUND_ALLOW=${hostname} and restart the service`,
    { cause: new Error(`${hostname} resolves to ${address}, which is not allowed`) },
  );
}

/** Removes the final dot, which marks a name as complete. */
function normalizeName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

function contains(list: BlockList, address: string): boolean {
  return isIpv6(address) ? list.check(address, 'ipv6') : list.check(mappedIpv4(address) ?? address, 'ipv4');
}

function isIpv6(address: string): boolean {
  return isIP(address) === 6 && mappedIpv4(address) === undefined;
}

/** Returns the IPv4 address inside an IPv6 address such as `::ffff:127.0.0.1` or `::ffff:7f00:1`. */
function mappedIpv4(address: string): string | undefined {
  const url = isIP(address) === 6 ? URL.parse(`http://[${address.split('%')[0]}]/`) : null;
  const parts = url && /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(url.hostname);
  if (!parts) return undefined;
  const bits = parts.slice(1).map((part) => Number.parseInt(part, 16));
  return bits.flatMap((part) => [part >> 8, part & 255]).join('.');
}

function toBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const type = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(bits), type);
  }
  return list;
}

// There are two lists, because a BlockList also looks for an IPv4 address among the IPv6 networks.
const refusedIpv4 = toBlockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

const refusedIpv6 = toBlockList([
  // Public IPv6 addresses begin with 2 or 3. All other addresses are local or reserved, or contain an IPv4 address.
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);
