import { isIPv6, SocketAddress } from 'node:net';

/**
 * Returns the address or network that counts as one client: an IPv4 address or an IPv6 /64 network. Providers usually assign a whole /64
 * network to one customer.
 */
export function networkOf(address: string): string {
  return isIPv6(address) ? networkOfIPv6(address) : address;
}

function networkOfIPv6(text: string): string {
  // The address is normalized, because an IPv6 address can be written in many ways and a proxy may forward any of them.
  const { address } = new SocketAddress({ address: text.split('%')[0] ?? text, family: 'ipv6' });
  if (address.startsWith('::ffff:')) return address.slice('::ffff:'.length);
  const [head = [], tail] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  return [...head, ...zeros, ...(tail ?? [])].slice(0, 4).join(':');
}
