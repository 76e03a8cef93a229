import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { Config } from '../../config.ts';

/** Returns a function that finds the client's address, as Fastify's `req.ip` does, for requests that Fastify does not handle. */
export function createFindAddress(trustProxy: Config['trustProxy']): (req: IncomingMessage) => string | undefined {
  if (trustProxy === false) return (req) => req.socket.remoteAddress;
  const isTrusted = createTrust(trustProxy);
  return ({ socket, headers }) => {
    const forwarded = headers['x-forwarded-for']?.toString().split(',') ?? [];
    const addresses = [socket.remoteAddress ?? '', ...forwarded.map((address) => address.trim()).reverse()];
    return addresses.find((address, hop) => !isTrusted(address, hop)) ?? addresses.at(-1);
  };
}

function createTrust(trustProxy: true | number | string[]): (address: string, hop: number) => boolean {
  if (trustProxy === true) return () => true;
  if (typeof trustProxy === 'number') return (_address, hop) => hop < trustProxy;
  const proxies = new BlockList();
  for (const entry of trustProxy) {
    const [network = '', bits] = entry.split('/');
    if (bits === undefined) proxies.addAddress(network, familyOf(network));
    else proxies.addSubnet(network, Number(bits), familyOf(network));
  }
  return (address) => isIP(address) !== 0 && proxies.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
