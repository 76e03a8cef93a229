import { isIPv6, SocketAddress } from 'node:net';

/** What counts as one client: an IPv4 address, or an IPv6 network of /64, because one customer has a whole network of that size. */
export function networkOf(address: string): string {
  return isIPv6(address) ? networkOfIPv6(address) : address;
}

function networkOfIPv6(text: string): string {
  // Normalized, because an IPv6 address can be written in many ways and a proxy may forward any of them.
  const { address } = new SocketAddress({ address: text.split('%')[0] ?? text, family: 'ipv6' });
  if (address.startsWith('::ffff:')) return address.slice('::ffff:'.length);
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length;
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...(tail ?? '').split(':')].slice(0, 4).join(':');
}
