import { request } from 'node:http';
import { loadConfig } from '../config.ts';
import { type ExitCode, exitCodes } from './errors.ts';
import { print } from './terminal.ts';

const timeoutMs = 4000;

/** Asks the service on this machine whether it is ready. Images use this command, because they contain no other program. */
export async function health(): Promise<ExitCode> {
  const { host, port } = loadConfig();
  const { promise, resolve } = Promise.withResolvers<string>();
  const req = request({ host: toLocalHost(host), port, path: '/readyz', timeout: timeoutMs }, (res) => {
    res.resume();
    resolve(res.statusCode === 200 ? 'ready' : `not ready: ${res.statusCode}`);
  });
  req.on('timeout', () => req.destroy(new Error('the service did not respond in time')));
  req.on('error', (err) => resolve(`not ready: ${err.message}`));
  req.end();
  const text = await promise;
  print(text);
  return text === 'ready' ? exitCodes.ok : exitCodes.failed;
}

/** Returns the host at which the service is reachable on this machine. A service that listens on all addresses also listens on loopback. */
function toLocalHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
