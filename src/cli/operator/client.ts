import { once } from 'node:events';
import { lstatSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { StartError } from '../../errors.ts';
import { hasEmbeddedDatabase } from '../../store/store.ts';
import type { Options } from '../command.ts';
import { CliError, exitCodes } from '../errors.ts';
import { heartbeatMs, maxInputBytes, protocolPath, type ResponseLine } from './protocol.ts';
import { socketAddress, socketFileIn } from './socket-path.ts';
import type { TaskOutput } from './task.ts';
import type { TaskName } from './tasks.ts';

/** The timeout of a probe. A running service responds immediately, unless it hangs. */
const probeTimeoutMs = 3000;

/** The maximum time without a byte from the service. It is long, because the service may be busy. */
const silenceTimeoutMs = 6 * heartbeatMs;

/**
 * Runs a task in the service that uses the data folder. Returns false if no service listens there. Throws if the service does not respond.
 */
export async function sendTask({
  dataDir,
  name,
  values,
  print,
  timeoutMs = silenceTimeoutMs,
}: Options & Pick<TaskOutput, 'print'> & { dataDir: string; name: TaskName; timeoutMs?: number }): Promise<boolean> {
  const body = JSON.stringify(values);
  if (body.length > maxInputBytes) throw new CliError('The arguments are too long to send to the running service.', exitCodes.usage);
  const res = await post(dataDir, { path: protocolPath + encodeURIComponent(name), body, timeoutMs });
  if (!res) return false;
  if (res.statusCode !== 200) {
    res.destroy();
    throw new StartError(`The running service does not accept "${name}" because it is a different version. Restart it, or stop it first.`);
  }
  await readResponse(res, print);
  return true;
}

/** Returns whether a service listens in the data folder. Throws if a service accepts the connection but does not respond. */
export async function isServed(dataDir: string): Promise<boolean> {
  const res = await post(dataDir, { path: '/', body: '', timeoutMs: probeTimeoutMs });
  res?.destroy();
  return res !== undefined;
}

/**
 * Throws if a service runs in the data folder although its database was moved or deleted. If the database is still in the folder, its lock
 * already shows that a service is running.
 */
export async function assertNotServed(dataDir: string): Promise<void> {
  if (hasEmbeddedDatabase(dataDir) || !(await isServed(dataDir))) return;
  throw new StartError(
    `A service is running on ${dataDir}, but its database is no longer there. Put the database back if you can. Then stop the service and run the command again.`,
  );
}

/** Returns whether the file is a socket. A symbolic link is not followed, because the service never creates one. */
function isSocket(file: string): boolean {
  if (process.platform === 'win32') return true;
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSocket() === true;
  } catch (err) {
    if (isRefused(err)) {
      throw new StartError(`This user is not allowed to open the folder ${dirname(file)}. Run the command as the user who owns it.`, {
        cause: err,
      });
    }
    return false;
  }
}

/**
 * Sends a request and returns the response, or undefined if nobody listens. Nobody listens if there is no service, or if the service was
 * killed and left its socket behind.
 */
async function post(
  dataDir: string,
  { path, body, timeoutMs }: { path: string; body: string; timeoutMs: number },
): Promise<IncomingMessage | undefined> {
  const file = socketFileIn(dataDir);
  const socketPath = isSocket(file) ? socketAddress(file) : undefined;
  if (socketPath === undefined) return undefined;
  const req = request({ socketPath, path, method: 'POST', headers: { 'content-length': Buffer.byteLength(body) }, timeout: timeoutMs });
  let response: IncomingMessage | undefined;
  // This timeout also applies while the response is being received.
  req.on('timeout', () => (response ?? req).destroy(new SilentService(file)));
  // The error is ignored here, because it is reported where the response is awaited or read.
  req.on('error', () => undefined);
  req.end(body);
  try {
    [response] = (await once(req, 'response')) as [IncomingMessage];
    return response;
  } catch (err) {
    if (hasCode(err, ['ENOENT', 'ECONNREFUSED'])) return undefined;
    if (err instanceof SilentService) throw err;
    throw isRefused(err) ? mayNotConnect(socketPath, err) : connectionLost(err);
  }
}

function isRefused(err: unknown): boolean {
  return hasCode(err, ['EACCES', 'EPERM']);
}

function hasCode(err: unknown, codes: string[]): boolean {
  return err instanceof Error && 'code' in err && codes.includes(String(err.code));
}

function mayNotConnect(path: string, cause: unknown): StartError {
  return new StartError(`This user is not allowed to connect to ${path}. Run the command as the user that runs the service.`, { cause });
}

async function readResponse(res: IncomingMessage, print: TaskOutput['print']): Promise<void> {
  try {
    for await (const text of createInterface({ input: res })) {
      if (text === '') continue;
      const line = JSON.parse(text) as ResponseLine;
      if ('done' in line) return;
      if ('error' in line) throw new CliError(line.error, line.exitCode);
      await print(line.print);
    }
  } catch (err) {
    throw err instanceof CliError || err instanceof SilentService ? err : connectionLost(err);
  }
  throw connectionLost();
}

class SilentService extends StartError {
  constructor(file: string) {
    super(`The service that listens on ${file} does not respond. Check its log, or stop it first.`);
  }
}

function connectionLost(cause?: unknown): StartError {
  return new StartError('The service stopped before the command was finished. Check its log and run the command again.', { cause });
}
