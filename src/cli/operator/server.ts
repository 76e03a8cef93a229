import { once } from 'node:events';
import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Context } from '../../domain/context.ts';
import { isPlainObject } from '../../formats/json-values.ts';
import type { Options } from '../command.ts';
import { exitCodeOf, formatError, messageOf } from '../errors.ts';
import { heartbeatMs, maxInputBytes, protocolPath, type ResponseLine } from './protocol.ts';
import { socketAddress, socketFileIn } from './socket-path.ts';
import type { Task } from './task.ts';

const maxConnections = 32;
const stopTimeoutMs = 5000;

/**
 * Accepts commands of the operator on a socket in the data folder. Only users who may read and write that folder can connect. If the system
 * does not allow a socket, the service runs without one.
 */
export async function startOperatorServer(ctx: Context, { dataDir, logger }: { dataDir: string; logger: Logger }) {
  const commands = new Set<Promise<void>>();
  const server = createServer((req, res) => {
    const command = respond(ctx, { req, res, logger }).finally(() => commands.delete(command));
    commands.add(command);
  });
  server.maxConnections = maxConnections;
  const file = socketFileIn(dataDir);
  try {
    await listen(server, file);
  } catch (err) {
    const reason = messageOf(err);
    logger.warn({ file, reason }, 'the socket for operator commands could not be created, so they work only while the service is stopped');
    return { stop: async () => undefined };
  }

  return {
    /** Stops accepting commands, and resolves when the running commands have ended. */
    async stop(): Promise<void> {
      rmSync(file, { force: true });
      server.close();
      server.closeIdleConnections();
      // A command that takes longer is aborted, or ends when the database is closed. This is safe, because all commands can be repeated.
      await Promise.race([Promise.all(commands), delay(stopTimeoutMs, undefined, { ref: false })]);
      server.closeAllConnections();
    },
  };
}

/**
 * Creates the socket in a folder that nobody else can enter, sets its mode, and then moves it to its final path. The socket is therefore
 * never accessible to other users, and it replaces the socket of a killed process, or even a symbolic link. No other service can be
 * listening, because this one has locked the database.
 */
async function listen(server: Server, file: string): Promise<void> {
  if (process.platform === 'win32') return listenOn(server, file);
  const folder = mkdtempSync(join(dirname(file), '.s-'));
  try {
    const draft = join(folder, 's');
    await listenOn(server, draft);
    chmodSync(draft, 0o600);
    renameSync(draft, file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function listenOn(server: Server, file: string): Promise<void> {
  const address = socketAddress(file);
  if (address === undefined) throw new Error('The path of the data folder is too long for a socket');
  server.listen(address);
  await once(server, 'listening');
}

async function respond(ctx: Context, { req, res, logger }: { req: IncomingMessage; res: ServerResponse; logger: Logger }): Promise<void> {
  const closed = new AbortController();
  res.on('close', () => closed.abort(new Error('The caller of the command has disconnected')));
  try {
    const name = decodeURIComponent(req.url ?? '').replace(protocolPath, '');
    const task = req.method === 'POST' && req.url?.startsWith(protocolPath) ? await loadTask(name) : undefined;
    if (!task) {
      res.writeHead(404).end();
      return;
    }
    const input = await readInput(req);
    logger.info({ command: name }, 'operator command');
    await runTask(ctx, { task, input, res, signal: closed.signal });
  } catch {
    if (!closed.signal.aborted) res.writeHead(400).end();
  }
}

/** Imports the tasks at the first command, because most services never receive a command. */
async function loadTask(name: string): Promise<Task | undefined> {
  return (await import('./tasks.ts')).findTask(name);
}

async function runTask(
  ctx: Context,
  { task, input, res, signal }: { task: Task; input: Options; res: ServerResponse; signal: AbortSignal },
): Promise<void> {
  const send = async (line: ResponseLine) => {
    signal.throwIfAborted();
    if (!res.write(`${JSON.stringify(line)}\n`)) await once(res, 'drain', { signal });
  };
  // Headers are sent immediately, so that the command can distinguish a long task from a service that hangs.
  res.flushHeaders();
  const heartbeat = setInterval(() => void res.write('\n'), heartbeatMs);
  try {
    await task(ctx, input, { print: (text) => send({ print: text }), signal });
    await send({ done: true });
  } catch (err) {
    if (!signal.aborted) await send({ error: formatError(err), exitCode: exitCodeOf(err) });
  } finally {
    clearInterval(heartbeat);
  }
  res.end();
}

async function readInput(req: IncomingMessage): Promise<Options> {
  let text = '';
  for await (const chunk of req.setEncoding('utf8')) {
    text += chunk;
    if (text.length > maxInputBytes) throw new Error('The input is too long');
  }
  const values: unknown = JSON.parse(text);
  if (!isPlainObject(values)) throw new Error('The input is not an object');
  // The tasks check the type of every value they use.
  return { values: values as Options['values'] };
}
