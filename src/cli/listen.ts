import { once } from 'node:events';
import { createServer } from 'node:net';
import { StartError } from '../errors.ts';
import { loopbackAddresses } from '../platform/loopback.ts';

interface Address {
  port: number;
  host: string;
}

/** Throws if the service could not listen. The check runs before the database is opened, so that a failed start does not create one. */
export async function assertCanListen({ port, host }: Address): Promise<void> {
  const [first, second] = host === 'localhost' ? loopbackAddresses : [host];
  await tryToListen({ port, host: first });
  // These errors are ignored, because the machine may not support IPv6.
  if (second !== undefined) await tryToListen({ port, host: second }, ['EADDRNOTAVAIL', 'EAFNOSUPPORT']);
}

async function tryToListen(address: Address, tolerated: unknown[] = []): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen(address), 'listening');
  } catch (err) {
    if (tolerated.includes(codeOf(err))) return;
    throw explainListenFailure(err, address);
  }
  server.close();
  await once(server, 'close');
}

/** Explains what the operator can do if the service cannot listen on an address. */
export function explainListenFailure(err: unknown, { port, host }: Address): unknown {
  const code = codeOf(err);
  if (code === 'EADDRINUSE')
    return new StartError(`Port ${port} on ${host} is already in use. Stop the other program, or set PORT to another port.`);
  if (code === 'EACCES') return new StartError(`This user is not allowed to listen on port ${port}. Set PORT to 1024 or higher.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartError(`${host} is not an address of this machine. Set HOST to an address of this machine, or to 0.0.0.0.`);
  return err;
}

function codeOf(err: unknown): unknown {
  return err instanceof Error && 'code' in err ? err.code : undefined;
}
